// Which names a listing or a search is about: several globs, some of which take away, and kinds of files. Independent
// of directories or files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workspace/names/glob.hpp"

namespace workspace {

/// As a caller writes it.
struct NameChoice {
  std::string glob = {};     // *.cpp or *.py,!test_* (the last that fits decides) or src/ (what is below); empty: all
  std::string type = {};     // cpp or cpp,cmake or !md; empty: all
  bool ignore_case = false;  // of globs
  std::string_view argument = "glob";  // what the caller calls the globs
};

/// Immutable; any number of threads may use one.
class NameFilter {
 public:
  /// Throws ToolError for what cannot be meant, saying what is expected; for an unknown type with the nearest one.
  explicit NameFilter(const NameChoice& choice);

  bool is_empty() const { return names_.empty() && types_.empty(); }

  /// Whether an entry is wanted. Directories are of no type.
  bool takes(std::string_view path, bool is_directory) const;

  /// Whether a directory is left out with all that is below it.
  bool passes_by(std::string_view directory) const;

 private:
  struct Rule {
    Glob glob;
    bool takes_away = false;
    bool is_folder = false;  // of a directory, and of all below it
  };
  using Rules = std::vector<Rule>;

  static void add_glob(Rules& rules, std::string_view text, const NameChoice& choice);
  static void add_type(Rules& rules, std::string_view text);
  static const Rule* last_that_fits(const Rules& rules, std::string_view path, bool is_directory);
  static bool are_in_favour(const Rules& rules, std::string_view path, bool is_directory);

  Rules names_;
  Rules types_;
};

}  // namespace workspace
