// Replaces what an expression matches in a text, as search_text finds it. Independent of files.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/text/expression.hpp"

namespace workspace {

struct ReplacementOptions {
  bool ignore_case = false;
  bool literal = false;    // pattern and replacement are plain text
  bool multiline = false;  // a match may span lines
};

/// Immutable; any number of threads may use one.
class Replacement {
 public:
  /// In `replacement` $1 or ${name} is a group, $0 the match and $$ a dollar sign. Throws ToolError for an expression
  /// RE2 does not know and for a group it does not have.
  Replacement(std::string_view pattern, std::string_view replacement, ReplacementOptions options);
  Replacement(Replacement&&) noexcept;
  ~Replacement();

  /// The text with every match replaced; line ends stay as they are, and new ones are those of the text. Adds the
  /// number of replaced places to `places`. `shown`: the text as callers know it, of the same size; throws ToolError if
  /// a match covers what differs in it, and once a stop is requested.
  std::string apply(std::string_view text, std::string_view shown, std::size_t& places,
                    const std::stop_token& stop = {}) const;

 private:
  struct Piece {
    std::string text = {};
    int group = -1;  // then the text is that group's
  };
  class Run;

  void read(std::string_view replacement);
  void add_group(std::string_view replacement, std::string_view name);

  ReplacementOptions options_;
  bool sees_returns_ = false;
  std::vector<Piece> pieces_;
  Expression expression_;
};

}  // namespace workspace
