#include "activities/runtime/source_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "system/file_state.hpp"

namespace toolwire::bridge::runtimes {
namespace {

namespace fs = std::filesystem;

constexpr int max_depth = 4;
constexpr std::size_t max_folders = 64;

bool is_source(const fs::path& path) {
  static constexpr std::array<std::string_view, 7> endings{".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"};
  return std::ranges::find(endings, path.extension().string()) != endings.end() || path.filename() == "package.json";
}

bool is_left_out(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name == "__pycache__" || name == "node_modules";
}

template <class Take>
void walk(const std::string& directory, Take take) {
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const bool is_folder = entry->is_directory(ignored);
    if (is_folder && (is_left_out(entry->path()) || entry.depth() + 1 >= max_depth)) entry.disable_recursion_pending();
    take(entry->path(), is_folder);
  }
}

}  // namespace

std::map<std::string, std::string> source_files(const std::string& directory) {
  std::map<std::string, std::string> files;
  walk(directory, [&](const fs::path& path, bool is_folder) {
    if (!is_folder && is_source(path))
      files.emplace(path.lexically_relative(directory).string(), file_state(path.string()));
  });
  return files;
}

std::vector<std::string> source_folders(const std::string& directory) {
  std::vector<std::string> folders{directory};
  walk(directory, [&](const fs::path& path, bool is_folder) {
    if (is_folder && !is_left_out(path) && folders.size() < max_folders) folders.push_back(path.string());
  });
  return folders;
}

}  // namespace toolwire::bridge::runtimes
