#include "traces/trace_id.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "system/random_text.hpp"

namespace toolwire::bridge::traces {
namespace {

constexpr std::size_t whole = 55;  // bytes of a traceparent of version 00
/// Of Trace Context: whether it is sampled, and whether its id is random.
constexpr unsigned known_flags = 3;

std::uint64_t number_in(std::string_view digits) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

/// Of so many parts of eight digits. All zero is no id.
std::string new_id(std::size_t parts) {
  std::string id = random_text(parts);
  while (id.find_first_not_of('0') == std::string::npos) id = random_text(parts);
  return id;
}

}  // namespace

std::string TraceId::traceparent() const {
  char flag_digits[3];
  std::snprintf(flag_digits, sizeof flag_digits, "%02x", flags & 0xffU);
  return "00-" + trace + "-" + parent + "-" + flag_digits;
}

std::optional<TraceId> trace_id_in(std::string_view traceparent) {
  if (traceparent.size() < whole) return std::nullopt;
  return TraceId{.trace = std::string(traceparent.substr(3, 32)),
                 .parent = std::string(traceparent.substr(36, 16)),
                 .flags = static_cast<unsigned>(number_in(traceparent.substr(53, 2))) & known_flags};
}

std::string new_trace_id() { return new_id(4); }
std::string new_span_id() { return new_id(2); }

/// By the last 56 bits, which are the random ones (Trace Context level 2).
bool is_within(std::string_view trace, double ratio) {
  if (ratio >= 1 || ratio <= 0) return ratio >= 1;
  constexpr int bits = 56;
  const auto most = std::ldexp(1.0, bits);
  return static_cast<double>(number_in(trace.substr(trace.size() - bits / 4))) >= (1 - ratio) * most;
}

}  // namespace toolwire::bridge::traces
