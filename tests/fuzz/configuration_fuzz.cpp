// Any text as the one file of a bridge is read or refused, opens no file and starts no program on its own, and no
// message shows what came from a file, a program or a variable.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "configuration/configuration.hpp"
#include "configuration/environment_file.hpp"
#include "policy/preferences.hpp"

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

constexpr std::string_view secret = "s3cr3t-that-nobody-sees";

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// Stand for the environment, the files and the programs of a machine.
ExpansionSources sources() {
  return {.variable = [](const std::string& name) -> std::optional<std::string> {
            if (name == "NOTHING") return std::nullopt;
            return std::string(secret) + name;
          },
          .file = [](const std::string& path) -> std::string {
            if (path.ends_with("missing")) throw std::runtime_error("expected a readable file");
            return path.ends_with(".env") ? "# variables\nexport API_TOKEN='" + std::string(secret) + "'\nPLACE=here\n"
                                          : std::string(secret) + "\n";
          },
          .command = [](const std::string&) { return std::string(secret); }};
}

bool is_plain(const std::string& message) {
  for (const char c : message) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return false;
  }
  return true;
}

void check_messages(const std::vector<ManifestProblem>& findings, bool may_repeat) {
  for (const ManifestProblem& finding : findings) {
    const std::string message = finding.message();
    require(!message.empty() && is_plain(message), "a message can be shown");
    require(may_repeat || message.find(secret) == std::string::npos, "no message shows what was filled in");
  }
}

void check_places(const Configuration& configuration) {
  for (const auto& [name, value] : configuration.own) {
    const std::string place = configuration.place_of("/" + std::string(name));
    require(place.starts_with("/toolwire/"), "what is the bridge's own stands below its member");
  }
  for (const ServerEntry& server : configuration.servers) {
    require(!server.name.empty() && (!server.command.empty() || !server.url.empty()), "a server can be reached");
    require(server.directory.starts_with('/'), "a server has a folder");
  }
}

void check_preferences(const Configuration& configuration, bool may_repeat) {
  const Json* const tools = configuration.own.if_contains("tools");
  if (tools == nullptr || !tools->is_object()) return;
  Findings findings("");
  const Preferences preferences =
      Preferences::read_entries(tools->get_object(), "/tools", configuration.directory, findings);
  for (const std::string& key : preferences.keys()) (void)preferences.preference(key);
  check_messages(findings.take_problems(""), may_repeat);
}

void check_reading(std::string_view text, const std::string& profile) {
  const bool may_repeat = text.find(secret) != std::string_view::npos;
  const ConfigurationReading reading = read_configuration(text, "/folder/bridge.json", profile, sources());
  require(reading.configuration.has_value() == reading.problems.empty(),
          "a configuration exactly if there are no problems");
  check_messages(reading.problems, may_repeat);
  check_messages(reading.hints, may_repeat);
  if (!reading.configuration) return;
  check_places(*reading.configuration);
  check_preferences(*reading.configuration, true);  // values of variables are settings like others
}

void check_variables(std::string_view text) {
  try {
    for (const auto& [name, value] : environment_from(text)) require(!name.empty(), "a variable has a name");
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  check_reading(text, "");
  check_reading(text, "careful");
  check_variables(text);
  try {
    (void)description_of(kind_of_document(parse_json(text)));
  } catch (const JsonError&) {
  }
  return 0;
}
