#include <toolwire/bridge/tool_files.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <utility>

#include <toolwire/bridge/tool_registry.hpp>

#include "manifest/file_text.hpp"

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

class Reading {
 public:
  void read(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return read_file(path);
    std::error_code error;
    std::vector<std::string> files;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().string();
      if (name.ends_with(".json") && !name.ends_with(".bindings.json")) files.push_back(name);
    }
    if (error) problem(path + ": cannot be read: " + error.message());
    std::ranges::sort(files);
    for (const std::string& file : files) read_file(file);
  }

  ToolFiles finish() {
    if (!problems_.empty()) throw std::invalid_argument(problems_);
    return std::move(found_);
  }

 private:
  void problem(const std::string& text) { problems_.append(problems_.empty() ? "" : "\n").append(text); }

  void read_file(const std::string& path) {
    const auto text = text_of_file(path);
    if (!text) return problem(path + ": cannot be read: " + std::strerror(errno));
    if (text->size() > max_manifest)
      return problem(path + ": longer than " + std::to_string(max_manifest >> 20) + " MiB");
    try {
      read_document(path, *text, parse_json(*text, {.duplicate_keys = DuplicateKeys::refuse}));
    } catch (const JsonError& error) {
      problem(path + ": " + error.what());
    }
  }

  void read_document(const std::string& path, const std::string& text, const Json& document) {
    if (document.is_array()) {
      std::size_t index = 0;
      for (const Json& schema : document.get_array()) read_schema(path + "/" + std::to_string(index++), schema, "");
    } else if (document.is_object() && document.get_object().contains("tools")) {
      read_manifest_text(path, text);
    } else {
      read_schema(path, document, fs::path(path).stem().string());
    }
  }

  void read_manifest_text(const std::string& path, const std::string& text) {
    ManifestReading reading = read_manifest(text, path);
    for (const ManifestProblem& found : reading.problems) problem(found.message());
    if (!reading.manifest) return;
    std::ranges::move(std::exchange(reading.manifest->tools, {}), std::back_inserter(found_.tools));
    std::ranges::move(std::exchange(reading.manifest->categories, {}), std::back_inserter(found_.categories));
    found_.manifests.push_back(std::move(*reading.manifest));
  }

  /// A schema that names no tool gets the name of its file.
  void read_schema(const std::string& place, const Json& schema, const std::string& name) {
    try {
      found_.tools.push_back(definition_from_schema(schema, names_itself(schema) ? std::string_view() : name));
    } catch (const std::invalid_argument& error) {
      problem(place + ": " + error.what());
    }
  }

  static bool names_itself(const Json& schema) {
    const JsonObject* object = schema.if_object();
    const Json* properties = object == nullptr ? nullptr : object->if_contains("properties");
    return properties != nullptr && properties->is_object() && properties->get_object().contains("_tool");
  }

  ToolFiles found_;
  std::string problems_;
};

}  // namespace

ToolFiles read_tool_files(const std::vector<std::string>& paths) {
  Reading reading;
  for (const std::string& path : paths) reading.read(path);
  return reading.finish();
}

}  // namespace toolwire::bridge
