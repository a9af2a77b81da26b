// What tests of editors hold every edit to, and texts that are changed at random.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace toolwire_test {

/// Whether `whole` is `part` with bytes added, and none changed or moved.
inline bool only_adds(std::string_view part, std::string_view whole) {
  std::size_t at = 0;
  for (const char byte : whole) {
    if (at < part.size() && part[at] == byte) ++at;
  }
  return at == part.size();
}

/// Choices that are the same in each run.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  /// 0 … sides - 1
  std::size_t roll(std::size_t sides) { return std::uniform_int_distribution<std::size_t>(0, sides - 1)(engine_); }
  bool one_in(std::size_t sides) { return roll(sides) == 0; }
  template <class Options>
  auto pick(const Options& options) {
    return options[roll(options.size())];
  }

 private:
  std::mt19937 engine_;
};

/// A few bytes removed, doubled, swapped, or taken from `alphabet`.
inline std::string mutated(std::string text, Dice& dice, std::string_view alphabet) {
  for (std::size_t count = 1 + dice.roll(4); count > 0 && !text.empty(); --count) {
    const std::size_t at = dice.roll(text.size());
    switch (dice.roll(5)) {
      case 0:
        text.erase(at, 1 + dice.roll(3));
        break;
      case 1:
        text.insert(at, text.substr(dice.roll(text.size()), dice.roll(12)));
        break;
      case 2:
        text[at] = static_cast<char>(dice.roll(256));
        break;
      default:
        text.insert(at, 1, alphabet[dice.roll(alphabet.size())]);
        break;
    }
  }
  return text;
}

}  // namespace toolwire_test
