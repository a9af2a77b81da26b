// Where a line ends for a reader: before "\n" or "\r\n". Independent of files and searches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace workspace {

/// Whether a pattern speaks of carriage returns, as an expression or as plain text; one that does not sees none at the
/// end of a line.
bool speaks_of_returns(std::string_view pattern, bool literal);

/// A text with "\n" in the place of each "\r\n".
class BareText {
 public:
  explicit BareText(std::string_view text);

  const std::string& text() const { return bare_; }
  /// Where in the text it was made from the byte stands that is here at `at`, of a line end its first.
  std::size_t place(std::size_t at) const;

 private:
  std::string bare_;
  std::vector<std::size_t> shortened_;  // line ends, ascending
};

/// How lines of a text end, "\n" or "\r\n". Places that are asked for in ascending order are looked for once.
class NearbyLineEnds {
 public:
  explicit NearbyLineEnds(std::string_view text) : text_(text) {}
  /// The end of the line in which `place` stands, or, if it is the last and has none, of the one before.
  std::string_view at(std::size_t place);

 private:
  std::string_view text_, known_;
  std::size_t from_ = 1, to_ = 0;  // where it is known
};

/// `text`, whose lines end with "\n", with the line ends of what it replaces, one by one; those beyond are as the last
/// of these, or `otherwise` if there is none. An end that has a return stays.
std::string with_line_ends_of(std::string_view replaced, std::string_view text, std::string_view otherwise);

}  // namespace workspace
