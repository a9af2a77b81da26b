#include "play/settings.hpp"

#include <fstream>
#include <stdexcept>
#include <system_error>

#include <toolwire/json.hpp>
#include <toolwire/system/file_text.hpp>

#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

std::chrono::milliseconds time_in(const Json& json, std::string_view name) {
  const Json& value = get(json, name);
  if (!value.is_int64()) throw std::runtime_error("no number of milliseconds: " + std::string(name));
  return std::chrono::milliseconds(value.get_int64());
}

Json read_json(const std::filesystem::path& file) {
  try {
    return parse_json(system::text_of_file(file.string()));
  } catch (const std::exception& error) {
    throw std::runtime_error("no settings for a played server: " + std::string(error.what()));
  }
}

}  // namespace

std::filesystem::path settings_file(const std::filesystem::path& folder) { return folder / "settings.json"; }

void write_settings(const std::filesystem::path& folder, const PlaySettings& settings) {
  const Json json = JsonObject{{"case", settings.played},
                               {"revision", settings.revision->name},
                               {"main", settings.main},
                               {"wait", settings.wait.count()},
                               {"watch", settings.watch.count()}};
  std::ofstream stream(settings_file(folder), std::ios::binary);
  stream << to_json_text(json);
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + settings_file(folder).string());
}

PlaySettings read_settings(const std::filesystem::path& folder) {
  const Json json = read_json(settings_file(folder));
  const Revision* revision = find_revision(text_of(get(json, "revision")));
  if (revision == nullptr) throw std::runtime_error("no revision: " + shown(get(json, "revision")));
  return {.played = std::string(text_of(get(json, "case"))),
          .revision = revision,
          .main = std::string(text_of(get(json, "main"))),
          .wait = time_in(json, "wait"),
          .watch = time_in(json, "watch")};
}

}  // namespace toolwire::conformance
