// The sources of this repository and what they include, for tests that hold the code to its layers.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::test {

struct Source {
  std::filesystem::path path;  // relative to the folder that was read
  std::vector<std::string> lines;
};

inline Source read_source(const std::filesystem::path& file, const std::filesystem::path& root) {
  Source source{std::filesystem::relative(file, root), {}};
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) source.lines.push_back(line);
  return source;
}

/// All C++ files below `root`; none if there is no such folder.
inline std::vector<Source> sources_below(const std::filesystem::path& root) {
  std::vector<Source> sources;
  if (!std::filesystem::exists(root)) return sources;
  for (auto entry = std::filesystem::recursive_directory_iterator(root); entry != std::filesystem::end(entry);
       ++entry) {
    if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
    const auto extension = entry->path().extension();
    if (entry->is_regular_file() && (extension == ".hpp" || extension == ".cpp"))
      sources.push_back(read_source(entry->path(), root));
  }
  return sources;
}

/// What stands between the quotes or angle brackets of an include directive.
inline std::optional<std::string> included_name(std::string_view line) {
  const auto hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#') return std::nullopt;
  const auto word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string_view::npos || !line.substr(word).starts_with("include")) return std::nullopt;
  const auto open = line.find_first_of("\"<", word);
  const auto close = open == std::string_view::npos ? open : line.find_first_of("\">", open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(open + 1, close - open - 1));
}

inline std::vector<std::string> includes_of(const Source& source) {
  std::vector<std::string> names;
  for (const std::string& line : source.lines) {
    if (auto name = included_name(line)) names.push_back(*name);
  }
  return names;
}

}  // namespace toolwire::test
