// A regular expression of RE2 in which \w, \d, \s and \b mean the words, digits and spaces of any language, as ripgrep
// has them. What search_text finds and what replace_text replaces is matched here.
#pragma once

#include <re2/re2.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace workspace {

class BoundaryMatcher;

struct ExpressionOptions {
  bool ignore_case = false;
  bool literal = false;    // the pattern is plain text
  bool multiline = false;  // a match may have newlines in it
  bool captures = false;   // groups are wanted, not the match alone
};

enum class Letters { ascii, any };

/// What the characters of a text are.
Letters letters_of(std::string_view text);

/// Immutable; any number of threads may use one. ^ and $ are the bounds of a line.
class Expression {
 public:
  Expression(std::string_view pattern, ExpressionOptions options);
  Expression(Expression&&) noexcept;
  ~Expression();

  /// Why it cannot be used; empty if it can.
  const std::string& error() const { return error_; }

  /// Whether texts that are not in ASCII are matched in another way than those that are.
  bool depends_on_letters() const { return any_ != nullptr; }

  /// The first match in `text`, which has these letters, that begins at or after `from`; `groups` gets it and what its
  /// groups took.
  bool match(std::string_view text, std::size_t from, Letters letters, std::span<re2::StringPiece> groups) const;

  /// Where the next match in `text`, in any letters, may begin, at or after `from`; npos if there is none.
  std::size_t next_candidate(std::string_view text, std::size_t from) const;

  /// Whether that is where a match begins.
  bool candidates_are_matches() const { return bounds_ == nullptr; }

  /// For its groups.
  const re2::RE2& as_written() const { return *ascii_; }

 private:
  std::unique_ptr<re2::RE2> ascii_;          // for texts in ASCII
  std::unique_ptr<re2::RE2> any_;            // for others; without \b and \B. None: as for ASCII
  std::unique_ptr<BoundaryMatcher> bounds_;  // for others; if there is a \b or \B
  std::string error_;
};

}  // namespace workspace
