#include "toolwire/detail/standard_codecs.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "schema/formats.hpp"
#include "types/base64.hpp"

namespace toolwire::detail {
namespace {

// Holds the nanoseconds of every count of ticks, and of every text below, exactly.
__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): only thus without a warning

constexpr Wide second = 1'000'000'000;
constexpr Wide hour = 3600 * second;
constexpr Wide day = 24 * hour;
constexpr Wide largest = Wide{1} << 126;
constexpr std::size_t max_digits = 25;  // of one number in a text: the hours of the longest duration

[[noreturn]] void refuse(const char* expected) { throw std::invalid_argument(expected); }

constexpr const char* expected_duration =
    "expected a duration as ISO 8601 has it, in weeks, days, hours, minutes or seconds, such as \"PT1H30M\"";
constexpr const char* expected_time =
    "expected a time with its distance from UTC as RFC 3339 has it, such as \"2026-11-23T22:40:00Z\"";

Wide nanoseconds_of(std::int64_t ticks, SecondsPerTick unit) {
  const Wide nanoseconds = Wide{ticks} * unit.numerator * second;
  if (nanoseconds % unit.denominator != 0) refuse("a time is no whole number of nanoseconds");
  return nanoseconds / unit.denominator;
}

std::int64_t ticks_of(Wide nanoseconds, SecondsPerTick unit) {
  if (nanoseconds > largest / unit.denominator || nanoseconds < -largest / unit.denominator) refuse_ticks();
  const Wide scaled = nanoseconds * unit.denominator;
  const Wide tick = unit.numerator * second;
  if (scaled % tick != 0) refuse("expected no finer time: it is kept in larger units");
  const Wide ticks = scaled / tick;
  if (ticks < std::numeric_limits<std::int64_t>::min() || ticks > std::numeric_limits<std::int64_t>::max()) {
    refuse_ticks();
  }
  return static_cast<std::int64_t>(ticks);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits from the front of `text`.
std::string_view take_digits(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && is_digit(text[size])) ++size;
  const std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

/// Of at most `max_digits`.
Wide number(std::string_view digits) {
  Wide value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

/// Nanoseconds of the digits behind a decimal point; nothing for what is finer.
std::optional<Wide> fraction(std::string_view digits) {
  Wide value = 0;
  for (std::size_t i = 0; i < std::max<std::size_t>(digits.size(), 9); ++i) {
    const char digit = i < digits.size() ? digits[i] : '0';
    if (i >= 9 && digit != '0') return std::nullopt;
    if (i < 9) value = value * 10 + (digit - '0');
  }
  return value;
}

std::string digits_of(Wide number) {
  std::string digits;
  for (; number > 0; number /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
  return digits.empty() ? "0" : digits;
}

/// "" or "." and as few digits as needed.
std::string fraction_text(Wide nanoseconds) {
  if (nanoseconds == 0) return {};
  std::string text = fmt::format(".{:09}", static_cast<std::int64_t>(nanoseconds));
  text.resize(text.find_last_not_of('0') + 1);
  return text;
}

/// A unit of a duration, in the order in which they have to stand.
struct Unit {
  char letter;
  bool is_of_time;  // behind the T
  Wide nanoseconds;
};
constexpr std::array<Unit, 5> units{
    {{'W', false, 7 * day}, {'D', false, day}, {'H', true, hour}, {'M', true, 60 * second}, {'S', true, second}}};

/// One number and its unit, which has to stand behind `next` in the table; moves both on.
std::optional<Wide> take_part(std::string_view& text, std::size_t& next, bool is_of_time) {
  const std::string_view whole = take_digits(text);
  std::optional<Wide> part;
  if (!text.empty() && (text.front() == '.' || text.front() == ',')) {
    text.remove_prefix(1);
    const std::string_view digits = take_digits(text);
    if (digits.empty() || text != "S") return std::nullopt;
    part = fraction(digits);
    if (!part) refuse("expected a duration that is no finer than a nanosecond");
  }
  if (whole.empty() || whole.size() > max_digits || text.empty()) return std::nullopt;
  while (next < units.size() && !(units[next].letter == text.front() && units[next].is_of_time == is_of_time)) ++next;
  if (next == units.size()) return std::nullopt;
  text.remove_prefix(1);
  const Wide unit = units[next++].nanoseconds;
  const Wide count = number(whole);
  if (count > largest / unit) refuse_ticks();
  return count * unit + part.value_or(0);
}

std::optional<Wide> parse_duration(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  if (!text.starts_with('P') || text.size() < 3 || text.back() == 'T') return std::nullopt;
  text.remove_prefix(1);
  Wide sum = 0;
  std::size_t next = 0;
  for (bool is_of_time = false; !text.empty();) {
    if (!is_of_time && text.front() == 'T') {
      is_of_time = true;
      text.remove_prefix(1);
    }
    const auto part = take_part(text, next, is_of_time);
    if (!part) return std::nullopt;
    if (*part > largest - sum) refuse_ticks();
    sum += *part;
  }
  return is_negative ? -sum : sum;
}

int digits_at(std::string_view text, std::size_t at, std::size_t count) {
  return static_cast<int>(number(text.substr(at, count)));
}

Wide days_since_epoch(std::string_view date) {
  const std::chrono::year_month_day day_of{std::chrono::year{digits_at(date, 0, 4)},
                                           std::chrono::month{static_cast<unsigned>(digits_at(date, 5, 2))},
                                           std::chrono::day{static_cast<unsigned>(digits_at(date, 8, 2))}};
  return std::chrono::sys_days(day_of).time_since_epoch().count();
}

/// Of a text that is_date_time.
Wide zone_seconds(std::string_view zone) {
  if (zone.size() < 6) return 0;  // Z
  const int seconds = digits_at(zone, 1, 2) * 3600 + digits_at(zone, 4, 2) * 60;
  return zone.front() == '-' ? -seconds : seconds;
}

}  // namespace

void refuse_ticks() { refuse("expected a time that is nearer: it has more digits than are kept"); }

std::string duration_text(std::int64_t ticks, SecondsPerTick unit) {
  Wide rest = nanoseconds_of(ticks, unit);
  std::string text = rest < 0 ? "-PT" : "PT";
  if (rest < 0) rest = -rest;
  const auto take = [&rest](Wide of) {
    const Wide count = rest / of;
    rest %= of;
    return count;
  };
  if (const Wide hours = take(hour); hours != 0) text += digits_of(hours) + "H";
  if (const Wide minutes = take(60 * second); minutes != 0) text += digits_of(minutes) + "M";
  const Wide seconds = take(second);
  if (seconds != 0 || rest != 0 || text.back() == 'T') text += digits_of(seconds) + fraction_text(rest) + "S";
  return text;
}

std::int64_t ticks_of_duration(std::string_view text, SecondsPerTick unit) {
  const auto nanoseconds = parse_duration(text);
  if (!nanoseconds) refuse(expected_duration);
  return ticks_of(*nanoseconds, unit);
}

std::string time_text(std::int64_t ticks, SecondsPerTick unit) {
  const Wide nanoseconds = nanoseconds_of(ticks, unit);
  Wide days = nanoseconds / day;
  if (nanoseconds % day < 0) --days;
  // RFC 3339 has the years 0000 to 9999; the two bounds are their first and last day.
  if (days < -719'528 || days > 2'932'896) refuse("a time is not in the years 0 to 9999");
  const Wide of_day = nanoseconds - days * day;
  const auto seconds = static_cast<int>(of_day / second);
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), seconds / 3600,
                     seconds / 60 % 60, seconds % 60, fraction_text(of_day % second));
}

std::int64_t ticks_of_time(std::string_view text, SecondsPerTick unit) {
  if (!schema::is_date_time(text)) refuse(expected_time);
  std::string_view rest = text.substr(19);
  std::optional<Wide> part = 0;
  if (rest.front() == '.') {
    rest.remove_prefix(1);
    part = fraction(take_digits(rest));
    if (!part) refuse("expected a time that is no finer than a nanosecond");
  }
  const Wide seconds = days_since_epoch(text) * 86'400 + digits_at(text, 11, 2) * 3600 + digits_at(text, 14, 2) * 60 +
                       digits_at(text, 17, 2) - zone_seconds(rest);
  return ticks_of(seconds * second + *part, unit);
}

Json time_schema() { return {{"type", "string"}, {"format", "date-time"}}; }

std::string base64_text(const std::vector<std::byte>& bytes) {
  return types::base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::vector<std::byte> base64_bytes(std::string_view text) {
  if (text.empty()) return {};  // sodium takes no null pointer
  std::vector<std::byte> bytes(text.size());
  std::size_t size = 0;
  const int failed = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                                       text.size(), nullptr, &size, nullptr, sodium_base64_VARIANT_ORIGINAL);
  if (failed != 0) refuse("expected base64 with padding, such as \"aGVsbG8=\"");
  bytes.resize(size);
  return bytes;
}

}  // namespace toolwire::detail
