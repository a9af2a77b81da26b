// Patterns for paths: * ? [a-z] {a,b} and **, matched in time linear in the path. Independent of directories or files.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace re2 {
class RE2;
}

namespace workspace {

/// Whether upper and lower case differ.
enum class Case { matters, ignored };

/// How long the set "[…]" at the front of `text` is; npos if it does not end. In a set a backslash takes the next
/// character as it is, and [:alpha:] and the like are classes.
std::size_t size_of_set(std::string_view text);

/// A compiled pattern. Without a slash it is matched against a path's last part, wherever it is; with one, against the
/// whole path from the root. Immutable; any number of threads may use one.
class Glob {
 public:
  /// Throws ToolError if `pattern`, the caller's argument of that name, is malformed, saying how patterns are written.
  explicit Glob(std::string_view pattern, Case letters = Case::matters, std::string_view argument = "glob");
  Glob(Glob&&) noexcept;
  ~Glob();

  bool matches(std::string_view path) const;

 private:
  bool whole_path_ = false;
  std::unique_ptr<re2::RE2> expression_;
};

}  // namespace workspace
