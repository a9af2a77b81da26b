#include <toolwire/http/detail/retry_after.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include <toolwire/http/detail/header_text.hpp>
#include "fetch/curl_library.hpp"

namespace toolwire {
namespace {

constexpr std::chrono::seconds longest = std::chrono::hours(24);

std::optional<std::chrono::seconds> seconds_in(std::string_view text) {
  std::uint64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (text.empty() || end != text.data() + text.size()) return std::nullopt;
  const auto most = static_cast<std::uint64_t>(longest.count());
  return std::chrono::seconds(error == std::errc() ? std::min(seconds, most) : most);
}

/// All three forms of a date that HTTP has.
std::optional<std::chrono::system_clock::time_point> date_in(std::string_view text) {
  if (text.find(':') == std::string_view::npos) return std::nullopt;  // without a time it is none of them
  const std::time_t seconds = curl().getdate(std::string(text).c_str(), nullptr);
  if (seconds < 0) return std::nullopt;
  return std::chrono::system_clock::from_time_t(seconds);
}

}  // namespace

std::optional<std::chrono::seconds> retry_after(const HttpResponse& answer, std::chrono::system_clock::time_point now) {
  const std::string_view text = header_text::trimmed(answer.header("retry-after").value_or(""));
  if (const auto seconds = seconds_in(text)) return seconds;
  const auto date = date_in(text);
  if (!date) return std::nullopt;
  const auto now_there = date_in(header_text::trimmed(answer.header("date").value_or(""))).value_or(now);
  return std::clamp(std::chrono::ceil<std::chrono::seconds>(*date - now_there), std::chrono::seconds(0), longest);
}

}  // namespace toolwire
