// Regular expressions of `pattern` and `patternProperties`: ECMA-262 syntax, run by RE2 in linear time. Independent of
// schemas. RE2 itself is named in the source only.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace toolwire::schema {

/// A regular expression that cannot be run. `unsupported`: valid ECMA-262, but not expressible in linear time.
struct PatternError : std::runtime_error {
  PatternError(const std::string& message, bool is_unsupported)
      : std::runtime_error(message), unsupported(is_unsupported) {}
  bool unsupported;
};

/// ECMA-262 (with its `u` flag) rewritten in RE2's syntax. Throws PatternError.
std::string translate_pattern(std::string_view ecma);

/// A compiled pattern; immutable, threads may share it.
class Pattern {
 public:
  Pattern() = default;

  /// Throws PatternError.
  explicit Pattern(std::string_view ecma);

  /// Whether the pattern matches anywhere in the text (UTF-8).
  bool matches(std::string_view text) const;

 private:
  std::shared_ptr<const re2::RE2> regex_;
};

}  // namespace toolwire::schema
