// The rules of a .gitignore file (git's documentation, gitignore): which paths below its folder git ignores.
// Independent of where the file was read.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/names/glob.hpp"

namespace workspace {

/// What a file of rules says about a path: nothing, or what its last rule that fits says.
enum class Verdict { none, ignored, kept };

/// Immutable; any number of threads may use one.
class IgnoreRules {
 public:
  /// `folder`: where the file is, "" or ending in a slash, relative to the root. Rules that are malformed are passed
  /// over, as git does.
  IgnoreRules(std::string folder, std::string_view text);

  /// `path` is below the folder, relative to the root.
  Verdict verdict(std::string_view path, bool is_directory) const;

 private:
  enum class Form { name, ending, pattern };
  struct Rule {
    Form form = Form::pattern;
    std::string text = {};  // of a name or an ending
    std::unique_ptr<Glob> glob = {};
    bool only_directories = false;
    bool keeps = false;
  };

  void add(std::string_view line);
  static bool fits(const Rule& rule, std::string_view below, std::string_view name);

  std::string folder_;
  std::vector<Rule> rules_;
};

}  // namespace workspace
