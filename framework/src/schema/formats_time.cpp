#include <array>

#include "schema/formats.hpp"

namespace toolwire::schema {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `count` digits at `from`, or -1.
int number_at(std::string_view text, std::size_t from, std::size_t count) {
  if (from + count > text.size()) return -1;
  int number = 0;
  for (const char c : text.substr(from, count)) {
    if (!is_digit(c)) return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

int days_in(int year, int month) {
  static constexpr std::array<int, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : days[static_cast<std::size_t>(month - 1)];
}

// Minutes east of UTC for "Z" or "+hh:mm"; nothing for anything else.
std::optional<int> zone_minutes(std::string_view zone) {
  if (zone == "Z" || zone == "z") return 0;
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return std::nullopt;
  const int hours = number_at(zone, 1, 2);
  const int minutes = number_at(zone, 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  return (zone[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
}

// Digits followed by one of the letters, in their order, each at most once; `at` ends behind the last.
// RFC 3339 allows no gaps: hours may be followed by minutes, not by seconds.
bool take_units(std::string_view text, std::size_t& at, std::string_view letters) {
  std::size_t next = letters.npos;
  while (at < text.size() && is_digit(text[at])) {
    while (at < text.size() && is_digit(text[at])) ++at;
    const auto unit = at < text.size() ? letters.find(text[at]) : letters.npos;
    if (unit == letters.npos || (next != letters.npos && unit != next)) return false;
    next = unit + 1;
    ++at;
  }
  return next != letters.npos;
}

}  // namespace

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int year = number_at(text, 0, 4);
  const int month = number_at(text, 5, 2);
  const int day = number_at(text, 8, 2);
  return year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= days_in(year, month);
}

bool is_time(std::string_view text) {
  if (text.size() < 9 || text[2] != ':' || text[5] != ':') return false;
  const int hour = number_at(text, 0, 2);
  const int minute = number_at(text, 3, 2);
  const int second = number_at(text, 6, 2);
  std::size_t at = 8;
  if (text[at] == '.') {
    do ++at;
    while (at < text.size() && is_digit(text[at]));
    if (at == 9) return false;
  }
  const auto zone = zone_minutes(text.substr(at));
  if (!zone || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  constexpr int day = 24 * 60;
  return second < 60 || (hour * 60 + minute - *zone + 2 * day) % day == day - 1;
}

bool is_date_time(std::string_view text) {
  return text.size() > 11 && (text[10] == 'T' || text[10] == 't') && is_date(text.substr(0, 10)) &&
         is_time(text.substr(11));
}

bool is_duration(std::string_view text) {
  if (text.size() < 3 || text[0] != 'P') return false;
  std::size_t at = 1;
  if (text.back() == 'W') return take_units(text, at, "W") && at == text.size();
  const bool has_date = is_digit(text[1]);
  if (has_date && !take_units(text, at, "YMD")) return false;
  if (at == text.size()) return has_date;
  if (text[at] != 'T') return false;
  ++at;
  return take_units(text, at, "HMS") && at == text.size();
}

}  // namespace toolwire::schema
