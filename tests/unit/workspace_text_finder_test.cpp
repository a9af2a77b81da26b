#include "workspace/search/text_finder.hpp"

#define BOOST_TEST_MODULE workspace_text_finder_test
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

using workspace::Case;
using workspace::TextFinder;

namespace {

class Chance {
 public:
  std::string text(const std::string& of, std::size_t least, std::size_t most) {
    std::string made;
    for (auto left = least + random_() % (most - least + 1); left > 0; --left) made += of[random_() % of.size()];
    return made;
  }

  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

 private:
  std::mt19937 random_{5};
};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  return text;
}

std::size_t first_of(const std::string& in, const std::vector<std::string>& texts, std::size_t from) {
  std::size_t best = std::string::npos;
  for (const std::string& text : texts) best = std::min(best, in.find(text, from));
  return best;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_text_is_found_wherever_it_stands) {
  Chance chance;
  for (int i = 0; i < 20'000; ++i) {
    const std::string in = chance.text("abc", 0, 90), wanted = chance.text("abc", 1, 6);
    const std::size_t from = chance.below(in.size());
    BOOST_REQUIRE(TextFinder{{wanted}}.find(in, from) == in.find(wanted, from));
  }
}

BOOST_AUTO_TEST_CASE(of_several_texts_the_first_place_is_found) {
  Chance chance;
  for (int i = 0; i < 2'000; ++i) {
    const std::string in = chance.text("abcdefgh", 0, 3000);
    std::vector<std::string> texts;
    for (auto left = 1 + chance.below(TextFinder::most_texts); left > 0; --left)
      texts.push_back(chance.text("abcdefgh", 3, 5));
    const std::size_t from = chance.below(in.size());
    BOOST_REQUIRE(TextFinder{texts}.find(in, from) == first_of(in, texts, from));
  }
}

BOOST_AUTO_TEST_CASE(case_can_be_ignored_and_then_only_that_of_letters) {
  Chance chance;
  for (int i = 0; i < 20'000; ++i) {
    const std::string in = chance.text("aAbBzZ@`[{_", 0, 90), wanted = chance.text("aAbBzZ@`[{_", 1, 4);
    BOOST_REQUIRE(TextFinder({wanted}, Case::ignored).find(in, 0) == lower(in).find(lower(wanted)));
  }
}
