#include "commands/listen_settings.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "commands/http.hpp"
#include "manifest/members.hpp"
#include "manifest/settings_reader.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> members{"address", "token_file", "host_names", "origins"};

std::string token_file_of(SettingsReader& stated, const fs::path& directory) {
  const std::string written = stated.text("token_file");
  if (written.empty()) return {};
  const fs::path file = (directory / written).lexically_normal();
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    stated.problem("token_file", "expected a file with a token in its first line: " + file.string());
  return file.string();
}

std::vector<std::string> names_of(SettingsReader& stated, const std::string& member,
                                  std::optional<std::string> (*wrong_name)(std::string_view)) {
  std::vector<std::string> names = stated.texts(member).value_or(std::vector<std::string>());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (auto wrong = wrong_name(names[i])) stated.problem(member, i, *wrong);
  }
  return names;
}

ListenSettings read(SettingsReader& stated, const fs::path& directory) {
  stated.refuse_unknown(members);
  ListenSettings made;
  made.address = stated.needed_text("address", "127.0.0.1:15000");
  made.token_file = token_file_of(stated, directory);
  made.host_names = names_of(stated, "host_names", wrong_host_name);
  made.origins = names_of(stated, "origins", wrong_origin);
  return made;
}

/// Why nobody can listen there, or nothing.
std::string wrong_place(const std::string& address) try {
  if (!address.empty()) listen_address(address);
  return {};
} catch (const std::invalid_argument& error) {
  return error.what();
}

}  // namespace

ListenSettings read_listen_settings(const Json& json, const std::string& directory,
                                    const std::function<std::string(const std::string&)>& place_of,
                                    Findings& findings) {
  ListenSettings made;
  std::string place = "/listen";
  if (const JsonObject* const object = json.if_object()) {
    SettingsReader stated(*object, place, place_of, findings);
    made = read(stated, directory);
    place += "/address";
  } else if (json.is_string()) {
    made.address = std::string(json.get_string());
  } else {
    findings.problem(place_of(place), "expected HOST:PORT or an object, found " + std::string(kind_of(json)));
  }
  if (std::string wrong = wrong_place(made.address); !wrong.empty())
    findings.problem(place_of(place), std::move(wrong));
  return made;
}

}  // namespace toolwire::bridge
