#include "workspace/names/name_filter.hpp"

#include <algorithm>
#include <cctype>
#include <toolwire/error.hpp>
#include <toolwire/system/nearest_name.hpp>

#include "workspace/names/file_types.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t most_patterns = 100;

[[noreturn]] void refuse_glob(std::string_view argument, std::string_view text, std::string_view reason) {
  throw toolwire::ToolError(std::string(argument) + ": \"" + valid_utf8_prefix(text, 200).text + "\" " +
                            std::string(reason) +
                            "; expected patterns such as *.cpp, src/**/*.{hpp,cpp} or src/ (all below it), several "
                            "separated by commas, with ! before one that leaves out");
}

// At commas outside braces and sets; a backslash takes the next character as it is.
std::vector<std::string_view> at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int braces = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') ++at;
    if (c == '{') ++braces;
    if (c == '}' && braces > 0) --braces;
    if (c == '[') {
      const std::size_t size = size_of_set(text.substr(at));
      at = size == std::string_view::npos ? text.size() : at + size - 1;
    }
    if (c != ',' || braces > 0) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::string_view trimmed(std::string_view part) {
  while (part.starts_with(' ')) part.remove_prefix(1);
  return part;
}

bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Other ways to write a choice of files that would be taken for a name no file has.
void check_meant(std::string_view argument, std::string_view glob) {
  if (glob.starts_with('^') || glob.ends_with('$') || glob.find(".*\\.") != std::string_view::npos)
    refuse_glob(argument, glob, "seems to be a regular expression");
  if (glob.find("|*") != std::string_view::npos || glob.find(";*") != std::string_view::npos)
    refuse_glob(argument, glob, "seems to be several patterns");
  if (glob == ".." || glob.starts_with("../") || glob.find("/../") != std::string_view::npos)
    refuse_glob(argument, glob, "leads up, which no path of the workspace does");
  for (std::size_t at = glob.find('\\'); at != std::string_view::npos; at = glob.find('\\', at + 2)) {
    if (at + 1 < glob.size() && is_plain(glob[at + 1]))
      refuse_glob(argument, glob, "has a backslash before a letter; directories are separated by /");
  }
}

std::string_view type_of_ending(std::string_view ending) {
  for (const FileType& type : file_types) {
    for (const std::string_view glob : at_commas(type.globs)) {
      if (glob.starts_with("*.") && glob.substr(2) == ending) return type.name;
    }
  }
  return {};
}

[[noreturn]] void refuse_type(std::string_view written) {
  std::vector<std::string_view> known;
  known.reserve(std::size(file_types));
  for (const FileType& type : file_types) known.push_back(type.name);
  std::string_view bare = written;
  while (bare.starts_with('*') || bare.starts_with('.')) bare.remove_prefix(1);
  std::string_view meant = type_of_ending(bare);
  if (meant.empty()) meant = toolwire::system::nearest_name(written, known);
  throw toolwire::ToolError(
      "type: there is no type \"" + valid_utf8_prefix(written, 200).text + '"' +
      (meant.empty() ? std::string() : "; did you mean \"" + std::string(meant) + "\"?") +
      (meant.empty() ? "; e" : " E") +
      "xpected the name of a kind of files, such as cpp, py, js, rust, cmake or markdown, several "
      "separated by commas, with ! before one that is left out; for other names use a glob");
}

std::string_view globs_of_type(std::string_view written) {
  std::string lower;
  for (const char c : written) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const FileTypeAlias& alias : file_type_aliases)
    if (alias.written == lower) lower = alias.name;
  for (const FileType& type : file_types)
    if (type.name == lower) return type.globs;
  refuse_type(written);
}

}  // namespace

NameFilter::NameFilter(const NameChoice& choice) {
  if (!choice.glob.empty()) {
    const std::vector<std::string_view> parts = at_commas(choice.glob);
    if (parts.size() > most_patterns) refuse_glob(choice.argument, choice.glob, "has more than 100 patterns");
    for (const std::string_view part : parts) add_glob(names_, trimmed(part), choice);
  }
  if (!choice.type.empty()) {
    const std::vector<std::string_view> parts = at_commas(choice.type);
    if (parts.size() > most_patterns) refuse_type(choice.type);
    for (const std::string_view part : parts) add_type(types_, trimmed(part));
  }
}

void NameFilter::add_glob(Rules& rules, std::string_view text, const NameChoice& choice) {
  const std::string_view whole = text;
  const bool takes_away = text.starts_with('!');
  if (takes_away) text.remove_prefix(1);
  while (text.starts_with("./")) text.remove_prefix(2);
  const bool is_folder = text.size() > 1 && text.ends_with('/');
  while (text.size() > 1 && text.ends_with('/')) text.remove_suffix(1);
  if (text.empty() || text == "/" || text.starts_with('!'))
    refuse_glob(choice.argument, whole, text.starts_with('!') ? "has more than one !" : "has an empty pattern");
  check_meant(choice.argument, text);
  rules.push_back(
      {Glob{text, choice.ignore_case ? Case::ignored : Case::matters, choice.argument}, takes_away, is_folder});
}

void NameFilter::add_type(Rules& rules, std::string_view text) {
  const bool takes_away = text.starts_with('!');
  if (takes_away) text.remove_prefix(1);
  rules.push_back({Glob{'{' + std::string(globs_of_type(text)) + '}'}, takes_away});
}

const NameFilter::Rule* NameFilter::last_that_fits(const Rules& rules, std::string_view path, bool is_directory) {
  const auto folders_fit = [path](const Rule& rule) {
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
      if (rule.glob.matches(path.substr(0, slash))) return true;
    return false;
  };
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    if ((is_directory || !rule->is_folder) && rule->glob.matches(path)) return &*rule;
    if (rule->is_folder && folders_fit(*rule)) return &*rule;
  }
  return nullptr;
}

bool NameFilter::are_in_favour(const Rules& rules, std::string_view path, bool is_directory) {
  if (const Rule* const rule = last_that_fits(rules, path, is_directory)) return !rule->takes_away;
  return std::all_of(rules.begin(), rules.end(), [](const Rule& rule) { return rule.takes_away; });
}

bool NameFilter::takes(std::string_view path, bool is_directory) const {
  if (!types_.empty() && (is_directory || !are_in_favour(types_, path, false))) return false;
  return are_in_favour(names_, path, is_directory);
}

bool NameFilter::passes_by(std::string_view directory) const {
  const Rule* const rule = last_that_fits(names_, directory, true);
  return rule != nullptr && rule->takes_away;
}

}  // namespace workspace
