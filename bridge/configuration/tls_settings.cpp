#include "configuration/tls_settings.hpp"

#include <array>
#include <filesystem>
#include <string_view>

#include "manifest/members.hpp"
#include "manifest/settings_reader.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::array<std::string_view, 4> members{"ca_file", "certificate_file", "key_file", "server_name"};

std::string file_at(SettingsReader& stated, std::string_view member, const std::filesystem::path& directory) {
  const std::string file = stated.text(member);
  return file.empty() ? file : (directory / file).lexically_normal().string();
}

}  // namespace

std::optional<TlsSettings> read_tls_settings(const Json& json, const std::string& pointer, const std::string& directory,
                                             const std::function<std::string(const std::string&)>& place_of,
                                             Findings& findings) {
  const JsonObject* const object = json.if_object();
  if (object == nullptr) {
    findings.problem(place_of(pointer), "expected an object, found " + std::string(kind_of(json)));
    return std::nullopt;
  }
  SettingsReader stated(*object, pointer, place_of, findings);
  stated.refuse_unknown(members);
  TlsSettings made{.ca_file = file_at(stated, "ca_file", directory),
                   .certificate_file = file_at(stated, "certificate_file", directory),
                   .key_file = file_at(stated, "key_file", directory),
                   .server_name = stated.text("server_name")};
  if (stated.has("certificate_file") != stated.has("key_file"))
    stated.problem(stated.has("key_file") ? "key_file" : "certificate_file",
                   "expected both \"certificate_file\" and its \"key_file\", or neither of them");
  return stated.is_fine() ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace toolwire::bridge
