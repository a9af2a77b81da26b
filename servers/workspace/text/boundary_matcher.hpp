// Matches expressions with \b and \B where they mean the words of any language, which RE2 cannot; in time linear in
// the text, times the size of the expression.
#pragma once

#include <re2/re2.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "workspace/text/boundary_program.hpp"

namespace workspace {

/// Immutable; any number of threads may use one.
class BoundaryMatcher {
 public:
  /// `expression` as for `boundary_program`. `loose`, which must outlive this, is the same without \b and \B: it says
  /// where a match can begin.
  BoundaryMatcher(std::string_view expression, bool ignore_case, const re2::RE2& loose);

  /// False: the expression is too large.
  bool is_ok() const { return !program_.steps.empty(); }

  /// The first match that begins at or after `from`, as RE2 prefers them; `groups` gets the match and what its groups
  /// took.
  bool match(std::string_view text, std::size_t from, std::span<re2::StringPiece> groups) const;

 private:
  class Run;

  BoundaryProgram program_;
  const re2::RE2& loose_;
};

}  // namespace workspace
