#include "words.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <toolwire/system/find_program.hpp>
#include <toolwire/system/nearest_name.hpp>
#include <toolwire/text.hpp>

namespace toolwire::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view start = "toolwire-";
constexpr std::size_t shown_bytes = 100;

bool can_be_word(std::string_view word) {
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !word.empty() && word.front() != '-' && std::ranges::all_of(word, is_part);
}

std::vector<std::string> folders_of(const std::string& own_program, const std::string& path) {
  std::vector<std::string> folders{fs::path(own_program).parent_path().string()};
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    if (std::string folder = path.substr(begin, end - begin); folder.starts_with('/')) folders.push_back(folder);
    begin = end + 1;
  }
  return folders;
}

}  // namespace

std::optional<std::string> program_of_word(const std::string& word, const std::string& own_program,
                                           const std::string& path) {
  if (!can_be_word(word)) return std::nullopt;
  for (const std::string& folder : folders_of(own_program, path)) {
    if (auto found = system::find_program(std::string(start) + word, folder, system::RelativeFolders::skipped))
      return found;
  }
  return std::nullopt;
}

std::vector<std::string> words_with_programs(const std::string& own_program, const std::string& path) {
  std::set<std::string> words;
  for (const std::string& folder : folders_of(own_program, path)) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (!name.starts_with(start) || !can_be_word(name.substr(start.size()))) continue;
      if (system::find_program(name, folder, system::RelativeFolders::skipped)) words.insert(name.substr(start.size()));
    }
  }
  return {words.begin(), words.end()};
}

std::string unknown_word(const std::string& word, std::vector<std::string> known, const std::string& own_program,
                         const std::string& path) {
  for (std::string& other : words_with_programs(own_program, path)) known.push_back(std::move(other));
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string near(system::nearest_name(word, views));
  return "there is no word \"" + text::visible(text::head(word, shown_bytes)) + "\"" +
         (near.empty() ? "" : ", did you mean " + near + "?") + "; see --help";
}

}  // namespace toolwire::tools
