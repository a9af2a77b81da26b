// The first place of any of a few texts: what a search asks of every block before it runs an expression. Looks at two
// bytes of each text, the rarest, for 32 places at once. Independent of expressions and files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/names/glob.hpp"

namespace workspace {

/// Immutable; any number of threads may use one.
class TextFinder {
 public:
  static constexpr std::size_t most_texts = 8;

  /// One to `most_texts` texts, none of them empty. With Case::ignored the letters of ASCII are of either case.
  explicit TextFinder(std::vector<std::string> texts, Case letters = Case::matters);

  /// npos if none is there.
  std::size_t find(std::string_view in, std::size_t from) const;

  /// Of the only text.
  std::size_t size() const { return texts_.front().text.size(); }

  /// A byte at a distance from a text's start. `folded` is the bit in which the cases of a letter differ, or 0.
  struct Sign {
    std::size_t at = 0;
    unsigned char byte = 0;
    unsigned char folded = 0;
  };

 private:
  struct Text {
    std::string text;
    Sign first, second;
  };

  Sign sign(const std::string& text, std::size_t at) const;
  bool stands(const Text& text, std::string_view in, std::size_t at) const;
  std::size_t find_between(std::string_view in, std::size_t from, std::size_t end) const;
  std::size_t find_in_blocks(const Text& text, std::string_view in, std::size_t from) const;

  Case letters_;
  std::vector<Text> texts_;
};

}  // namespace workspace
