#include "workspace/names/secrets.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "workspace/names/secret_names.hpp"

namespace workspace {
namespace {

constexpr std::array<std::string_view, 16> made_to_be_shown{
    "example", "examples", "sample", "samples",  "template", "templates", "tmpl", "tpl",
    "dist",    "defaults", "schema", "baseline", "pub",      "md",        "rst",  "adoc"};
constexpr std::array<std::string_view, 38> source_code{
    "c",    "h",   "cc",  "cpp", "cxx", "hpp", "cs",   "go",  "rs",   "py", "pyi",    "js",    "jsx",
    "mjs",  "cjs", "ts",  "tsx", "mts", "cts", "java", "kt",  "kts",  "rb", "php",    "swift", "scala",
    "dart", "ex",  "exs", "erl", "lua", "vue", "html", "css", "scss", "tf", "svelte", "proto"};
constexpr std::array<std::string_view, 21> data{"json", "jsonc", "json5", "yml", "yaml",       "toml", "ini",
                                                "txt",  "csv",   "tsv",   "xml", "properties", "conf", "cfg",
                                                "db",   "plist", "enc",   "gpg", "config",     "env",  "sqlite"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

template <class Names>
bool has(const Names& names, std::string_view text) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// Calls `test` with each word of a name until it returns true.
template <class Test>
bool any_word(std::string_view name, Test test) {
  while (!name.empty()) {
    const auto end = std::find_if_not(name.begin(), name.end(), is_of_word);
    const auto size = static_cast<std::size_t>(end - name.begin());
    if (size > 0 && test(name.substr(0, size))) return true;
    name.remove_prefix(std::min(size + 1, name.size()));
  }
  return false;
}

bool is_made_to_be_shown(std::string_view suffix) {
  return any_word(suffix, [](std::string_view word) { return has(made_to_be_shown, word); });
}

bool is_source_code(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string_view::npos && has(source_code, name.substr(dot + 1));
}

// What may follow a name that is secret, so that all of it is.
bool is_secret_suffix(std::string_view suffix, bool is_of_hidden_file) {
  if (suffix.empty()) return true;
  if (is_of_word(suffix.front()) || is_made_to_be_shown(suffix)) return false;
  return is_of_hidden_file || !is_source_code(suffix);
}

// A pattern without "/" against one part of a path. A "*" takes as much as lets the rest match.
bool matches_file(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  const std::string_view start = pattern.substr(0, star);
  if (!name.starts_with(start)) return false;
  const bool is_hidden = pattern.front() == '.';
  if (star == std::string_view::npos) return is_secret_suffix(name.substr(start.size()), is_hidden);
  const std::string_view rest = pattern.substr(star + 1);
  if (rest.empty()) return !is_made_to_be_shown(name);
  for (std::size_t at = name.find(rest, start.size()); at != std::string_view::npos; at = name.find(rest, at + 1)) {
    if (is_secret_suffix(name.substr(at + rest.size()), is_hidden)) return true;
  }
  return false;
}

// `word` has "-" where names have any of "-_. ".
bool is_word_at(std::string_view name, std::size_t at, std::string_view word) {
  if (name.size() - at < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = name[at + i];
    const bool is_gap = word[i] == '-' && (c == '_' || c == '.' || c == ' ');
    if (c != word[i] && !is_gap) return false;
  }
  const std::size_t end = at + word.size();
  return (at == 0 || !is_of_word(name[at - 1])) && (end == name.size() || !is_of_word(name[end]));
}

// Whether a ".json" or the like stands in the text, also before further suffixes.
bool has_data_ending(std::string_view text) {
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    const std::string_view rest = text.substr(dot + 1);
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_of_word);
    if (has(data, rest.substr(0, static_cast<std::size_t>(end - rest.begin())))) return true;
  }
  return false;
}

bool matches_data(std::string_view word, std::string_view name) {
  if (name.size() < word.size()) return false;
  for (std::size_t at = 0; at + word.size() <= name.size(); ++at) {
    if (name[at] != word.front() || !is_word_at(name, at, word)) continue;
    const std::string_view rest = name.substr(at + word.size());
    if (has_data_ending(rest) && !is_made_to_be_shown(name) && !is_source_code(rest)) return true;
  }
  return false;
}

// A pattern with "/" against the end of a path, part by part.
bool matches_path(std::string_view pattern, std::string_view path) {
  while (true) {
    const std::size_t pattern_slash = pattern.rfind('/'), path_slash = path.rfind('/');
    const bool has_folder = pattern_slash != std::string_view::npos;
    const std::string_view wanted = has_folder ? pattern.substr(pattern_slash + 1) : pattern;
    const std::string_view part = path_slash == std::string_view::npos ? path : path.substr(path_slash + 1);
    if (!matches_file(wanted, part)) return false;
    if (!has_folder) return true;
    if (path_slash == std::string_view::npos) return false;
    pattern = pattern.substr(0, pattern_slash);
    path = path.substr(0, path_slash);
  }
}

/// Whether the folder ends as the pattern's does: a look at one byte.
bool may_lie_in(std::string_view pattern, std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return false;
  return lower(path.substr(slash - 1, 1)).front() == pattern[pattern.rfind('/') - 1];
}

bool matches(const SecretName& row, std::string_view path, std::string_view name) {
  switch (row.kind) {
    case SecretKind::folder:
      return name == row.pattern;
    case SecretKind::file:
      return row.pattern.find('/') == std::string_view::npos ? matches_file(row.pattern, name)
                                                             : matches_path(row.pattern, path);
    case SecretKind::data:
      return matches_data(row.pattern, name);
  }
  return false;
}

/// The rows by a byte without which a name cannot match them, as a walk asks for every name and few match any.
class RowsByByte {
 public:
  RowsByByte() {
    for (const SecretName& row : secret_names) {
      const std::string_view last = row.pattern.substr(row.pattern.rfind('/') + 1);
      if (row.kind == SecretKind::data) {
        with_word_[place(last.front())].push_back(&row);
      } else if (last.starts_with("*.")) {
        with_ending_[place(last[2])].push_back(&row);
      } else if (last.starts_with('*')) {
        of_any_name_.push_back(&row);
      } else {
        with_start_[place(last.front())].push_back(&row);
      }
    }
  }

  /// Calls `test` with the rows that may match a name until it returns true.
  template <class Test>
  bool any_of(std::string_view name, Test test) const {
    const auto any = [&](const Rows& rows) {
      return std::any_of(rows.begin(), rows.end(), [&](const SecretName* row) { return test(*row); });
    };
    if (name.empty()) return false;
    if (any(with_start_[place(name.front())]) || any(of_any_name_)) return true;
    for (std::size_t at = 0; at < name.size(); ++at) {
      if (at > 0 && is_of_word(name[at - 1])) continue;
      if (any(with_word_[place(name[at])])) return true;
      if (at > 0 && name[at - 1] == '.' && any(with_ending_[place(name[at])])) return true;
    }
    return false;
  }

 private:
  using Rows = std::vector<const SecretName*>;

  static std::size_t place(char c) { return static_cast<unsigned char>(c); }

  std::array<Rows, 256> with_start_;
  std::array<Rows, 256> with_ending_;  // behind a dot
  std::array<Rows, 256> with_word_;
  Rows of_any_name_;
};

}  // namespace

bool last_part_holds_secrets(std::string_view path) {
  static const RowsByByte rows;
  const std::string name = lower(path.substr(path.rfind('/') + 1));
  std::string known;  // all of the path, where a row asks for it
  return rows.any_of(name, [&](const SecretName& row) {
    const bool needs_path = row.pattern.find('/') != std::string_view::npos;
    if (needs_path && !may_lie_in(row.pattern, path)) return false;
    if (needs_path && known.empty()) known = lower(path);
    return matches(row, needs_path ? known : name, name);
  });
}

bool holds_secrets(std::string_view path) {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    if (last_part_holds_secrets(path.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
  }
}

}  // namespace workspace
