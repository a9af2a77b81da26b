#include "configuration/nats_settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>

#include "manifest/members.hpp"
#include "manifest/settings_reader.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::array<std::string_view, 8> members{"address", "nkey_file", "tls",    "tunnel",
                                                  "prefix",  "workers",   "worker", "jetstream"};
constexpr std::array<std::string_view, 5> members_of_replicas{"stream", "replicas", "max_age_seconds", "max_bytes",
                                                              "lease_seconds"};
constexpr std::array<std::string_view, 2> members_of_workers{"stream", "max_tasks"};
constexpr std::size_t longest_name = 64;

bool is_host_and_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || text.find('/') != std::string_view::npos) return false;
  unsigned port = 0;
  const char* const end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(text.data() + colon + 1, end, port);
  return error == std::errc() && read_to == end && port > 0 && port < 65'536;
}

bool is_of_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_name && std::ranges::all_of(text, is_of_a_name);
}

/// Names with dots between.
bool is_prefix(std::string_view text) {
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_name(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_name(text);
}

std::string wanted_name(const std::string& found) {
  return "expected at most 64 letters, digits, '-' and '_', found " + in_quotes(found);
}

std::vector<std::string> read_workers(SettingsReader& stated) {
  std::vector<std::string> names = stated.texts("workers").value_or(std::vector<std::string>());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_name(names[i])) stated.problem("workers", i, wanted_name(names[i]));
    if (std::ranges::find(std::span(names).first(i), names[i]) != std::span(names).first(i).end())
      stated.problem("workers", i, "expected another name, as this one stands before");
  }
  return names;
}

JetStreamSettings read_jetstream(SettingsReader& stated, bool is_worker) {
  if (is_worker) {
    stated.refuse_unknown(members_of_workers);
  } else {
    stated.refuse_unknown(members_of_replicas);
  }
  JetStreamSettings made;
  if (stated.has("stream")) made.stream = stated.text("stream");
  if (!made.stream.empty() && !is_name(made.stream)) stated.problem("stream", wanted_name(made.stream));
  made.replicas = static_cast<int>(stated.number("replicas", 1, 5).value_or(made.replicas));
  made.max_age = std::chrono::seconds(stated.number("max_age_seconds", 60, 31'536'000).value_or(made.max_age.count()));
  made.max_bytes = stated.number("max_bytes", 65'536, std::int64_t{1} << 50).value_or(made.max_bytes);
  made.lease = std::chrono::seconds(stated.number("lease_seconds", 1, 3'600).value_or(made.lease.count()));
  made.max_tasks = static_cast<std::size_t>(
      stated.number("max_tasks", 1, 10'000).value_or(static_cast<std::int64_t>(made.max_tasks)));
  return made;
}

NatsSettings read(SettingsReader& stated, const std::filesystem::path& directory) {
  stated.refuse_unknown(members);
  NatsSettings made;
  made.address = stated.needed_text("address", "127.0.0.1:4222");
  if (!made.address.empty() && !is_host_and_port(made.address))
    stated.problem("address", "expected HOST:PORT, found " + in_quotes(made.address));
  if (const std::string file = stated.text("nkey_file"); !file.empty())
    made.nkey_file = (directory / file).lexically_normal().string();
  if (stated.has("prefix")) made.prefix = stated.text("prefix");
  if (!made.prefix.empty() && !is_prefix(made.prefix))
    stated.problem("prefix",
                   "expected letters, digits, '-' and '_' with dots between, found " + in_quotes(made.prefix));
  made.workers = read_workers(stated);
  made.worker = stated.text("worker");
  if (!made.worker.empty() && !is_name(made.worker)) stated.problem("worker", wanted_name(made.worker));
  if (!made.worker.empty() && !made.workers.empty())
    stated.problem("worker", "expected either this, of a worker, or \"workers\", of a replica");
  return made;
}

}  // namespace

std::optional<NatsSettings> read_nats_settings(const Json& json, const std::string& directory,
                                               const std::function<std::string(const std::string&)>& place_of,
                                               Findings& findings) {
  if (const JsonObject* const object = json.if_object()) {
    SettingsReader stated(*object, "/nats", place_of, findings);
    NatsSettings made = read(stated, directory);
    if (const Json* const streams = find_member(*object, "jetstream")) {
      const JsonObject* const members = streams->if_object();
      if (members == nullptr) {
        stated.problem("jetstream", "expected an object, found " + std::string(kind_of(*streams)));
      } else {
        SettingsReader below(*members, "/nats/jetstream", place_of, findings);
        made.jetstream = read_jetstream(below, !made.worker.empty());
        if (!below.is_fine()) return std::nullopt;
        if (made.worker.empty() && made.workers.empty())
          stated.problem("jetstream", "nothing follows from it without \"workers\", or \"worker\" of a worker");
      }
    }
    if (!stated.is_fine()) return std::nullopt;
    const auto way = read_way({*object, "/nats", directory, place_of}, made.address, false, findings);
    if (!way) return std::nullopt;
    made.way = *way;
    return made;
  }
  findings.problem(place_of("/nats"), "expected an object, found " + std::string(kind_of(json)));
  return std::nullopt;
}

}  // namespace toolwire::bridge
