// Whole numbers on a command line.
#pragma once

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace toolwire::bridge {

/// Nothing but digits, within bounds. Throws std::invalid_argument that names the option and what was expected.
inline std::int64_t whole_number(const std::string& option, const std::string& text, std::int64_t least,
                                 std::int64_t most) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && number >= least && number <= most) return number;
  throw std::invalid_argument(option + ": expected a whole number from " + std::to_string(least) + " to " +
                              std::to_string(most) + ", not \"" + text + "\"");
}

}  // namespace toolwire::bridge
