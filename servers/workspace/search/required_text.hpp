// A text that every match of a regular expression contains, so that most of the input need only be searched for that
// text. Independent of how it is searched.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace workspace {

struct RequiredText {
  std::string text = {};  // empty: none is known
  bool is_all = false;    // the expression is just this text
};

/// Of an RE2 expression without flags. Finds plain runs of characters outside groups; what it does not understand, it
/// gives up on.
RequiredText required_text(std::string_view expression);

/// The first place of a text in others: a fast search for its rarest byte, then a look around. Immutable.
class TextFinder {
 public:
  explicit TextFinder(std::string text);

  const std::string& text() const { return text_; }
  /// npos if it is not there.
  std::size_t find(std::string_view in, std::size_t from) const;

 private:
  std::string text_;
  std::size_t rarest_ = 0;  // where in the text
};

}  // namespace workspace
