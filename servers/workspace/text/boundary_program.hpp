// An expression as steps that a matcher takes, for those in which \b and \B mean the words of any language.
#pragma once

#include <re2/re2.h>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace workspace {

/// What takes one character: RE2 says which, for one piece of the expression.
class CharacterTest {
 public:
  /// `piece`: a character, an escape or a class, with the flags that hold for it.
  explicit CharacterTest(const std::string& piece);

  /// Whether it takes this one, in UTF-8.
  bool takes(std::string_view character) const;

 private:
  static constexpr std::size_t ascii = 128;
  std::bitset<ascii> takes_ascii_;
  std::unique_ptr<re2::RE2> expression_;
};

struct BoundaryStep {
  enum class Kind : std::uint8_t {
    take,  // a character that test `first` takes
    save,  // the place, in slot `first`
    fork,  // to `first`, or if that fails to `second`
    jump,  // to `first`
    text_begin,
    text_end,
    line_begin,
    line_end,
    bound,
    no_bound,
    match
  };
  Kind kind = Kind::match;
  std::uint32_t first = 0, second = 0;
};

struct BoundaryProgram {
  std::vector<CharacterTest> tests;
  std::vector<BoundaryStep> steps;
};

/// Of an expression that RE2 has taken, in which \w, \d and \s do not occur. Empty steps if they would be more than
/// 100 000.
BoundaryProgram boundary_program(std::string_view expression, bool ignore_case);

}  // namespace workspace
