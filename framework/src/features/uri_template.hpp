// URI templates (RFC 6570 up to level 3), read backwards: which values of its variables a URI was made from.
// Independent of resources.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/json.hpp"

namespace re2 {
class RE2;
}

namespace toolwire::features {

/// Immutable; copies share what was compiled. Matching takes time linear in the length of the URI.
class UriTemplate {
 public:
  /// Throws std::invalid_argument saying what is wrong, or not supported (prefixes `{x:3}` and explosion `{x*}`).
  explicit UriTemplate(std::string_view text);

  /// In the order of the template; each once.
  const std::vector<std::string>& variables() const { return variables_; }
  /// Whether a URI may leave the variable out: those of {?…}, {&…}, {;…}, {/…}, {.…} and {#…}.
  bool may_be_absent(std::string_view variable) const;

  /// The values by variable, percent-decoded; nothing if the URI does not fit, or a value would not be UTF-8 or hold a
  /// NUL. Members of {?…}, {&…} and {;…} may come in any order.
  std::optional<JsonObject> match(std::string_view uri) const;

 private:
  /// What one group of the regular expression has caught: the value of a variable, or `name=value` pairs.
  struct Capture {
    std::vector<std::string> variables;
    char separator = 0;  // of pairs; 0: one value
    bool optional = false;
  };
  class Compiler;

  std::vector<std::string> variables_;
  std::vector<Capture> captures_;
  std::shared_ptr<const re2::RE2> regex_;
};

}  // namespace toolwire::features
