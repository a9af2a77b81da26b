#include "configuration/tls_settings.hpp"

#include <array>
#include <filesystem>
#include <string_view>

#include "manifest/members.hpp"
#include "manifest/settings_reader.hpp"
#include "system/this_machine.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::array<std::string_view, 4> members{"ca_file", "certificate_file", "key_file", "server_name"};

std::string file_at(SettingsReader& stated, std::string_view member, const std::filesystem::path& directory) {
  const std::string file = stated.text(member);
  return file.empty() ? file : (directory / file).lexically_normal().string();
}

std::optional<TlsSettings> read_tls(const Json& json, const SettingsPlace& place, Findings& findings) {
  const std::string pointer = place.pointer + "/tls";
  const JsonObject* const object = json.if_object();
  if (object == nullptr) {
    findings.problem(place.place_of(pointer), "expected an object, found " + std::string(kind_of(json)));
    return std::nullopt;
  }
  SettingsReader stated(*object, pointer, place.place_of, findings);
  stated.refuse_unknown(members);
  TlsSettings made{.ca_file = file_at(stated, "ca_file", place.directory),
                   .certificate_file = file_at(stated, "certificate_file", place.directory),
                   .key_file = file_at(stated, "key_file", place.directory),
                   .server_name = stated.text("server_name")};
  if (stated.has("certificate_file") != stated.has("key_file"))
    stated.problem(stated.has("key_file") ? "key_file" : "certificate_file",
                   "expected both \"certificate_file\" and its \"key_file\", or neither of them");
  return stated.is_fine() ? std::optional(std::move(made)) : std::nullopt;
}

/// What is said of the way has to mean something, and what goes to another machine must not be read on it.
void check_way(SettingsReader& stated, const std::string& address, bool is_unix) {
  const bool is_here = is_unix || is_this_machine(std::string_view(address).substr(0, address.rfind(':')));
  if (stated.has("tls") && stated.has("tunnel"))
    stated.problem("tunnel", "expected either this or \"tls\"");
  else if (stated.has("tls") && is_unix)
    stated.problem("tls", "nothing follows from it for a Unix socket");
  else if (stated.has("tunnel") && is_here)
    stated.problem("tunnel", "nothing follows from it for " + in_quotes(address) + ", which is this machine");
  else if (!stated.has("tls") && !stated.has("tunnel") && !is_here)
    stated.problem("address",
                   "expected \"tls\" beside it, or \"tunnel\": true if something else encrypts the way, as " +
                       in_quotes(address) + " may be another machine");
}

}  // namespace

std::optional<WaySettings> read_way(const SettingsPlace& place, const std::string& address, bool is_unix,
                                    Findings& findings) {
  SettingsReader stated(place.object, place.pointer, place.place_of, findings);
  const Json* const tunnel = place.object.if_contains("tunnel");
  if (tunnel != nullptr && *tunnel != Json(true)) stated.problem("tunnel", "expected true, or no such member");
  check_way(stated, address, is_unix);
  WaySettings made{.is_tunnelled = tunnel != nullptr};
  if (const Json* const tls = place.object.if_contains("tls")) {
    made.tls = read_tls(*tls, place, findings);
    if (!made.tls) return std::nullopt;
  }
  return stated.is_fine() ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace toolwire::bridge
