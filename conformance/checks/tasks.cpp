#include "checks/tasks.hpp"

#include <algorithm>

namespace toolwire::conformance {

bool is_terminal(std::string_view status) {
  return status == "completed" || status == "failed" || status == "cancelled";
}

bool is_timestamp(const Json& json) {
  const std::string_view text = text_of(json);
  return text.size() >= 19 && text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':' && text[16] == ':';
}

bool look_guessable(const std::vector<std::string>& ids) {
  constexpr std::size_t shortest = 16;  // characters, for 96 bits in base64
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const std::string& a = ids[i - 1];
    const std::string& b = ids[i];
    if (b.size() < shortest) return true;
    const auto differing = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (static_cast<std::size_t>(b.end() - differing.second) < shortest / 2) return true;
  }
  return false;
}

}  // namespace toolwire::conformance
