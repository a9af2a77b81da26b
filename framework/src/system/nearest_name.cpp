#include <toolwire/system/nearest_name.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace toolwire::system {
namespace {

constexpr std::size_t max_name = 48;

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '_' || c == '-') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours, in three rows.
std::size_t distance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, max_name + 1>;
  Row before{};
  Row previous{};
  Row current{};
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({replaced, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before = previous;
    previous = current;
  }
  return previous[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view written, std::span<const std::string_view> known) {
  if (written.size() > max_name) return {};
  const std::string wanted = folded(written);
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string_view name : known) {
    if (name.size() > max_name) continue;
    const std::string candidate = folded(name);
    const std::size_t difference = distance(wanted, candidate);
    if (difference >= least || difference >= candidate.size()) continue;
    least = difference;
    nearest = name;
  }
  return nearest;
}

}  // namespace toolwire::system
