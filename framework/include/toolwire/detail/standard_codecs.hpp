// The JSON forms of classes of the standard library that are no containers of members: by Codec and Describe, as a user
// would give them. Includes none of the headers that are costly to compile. Nobody but type_table_of.hpp includes this.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "toolwire/describe.hpp"
#include "toolwire/json.hpp"

namespace toolwire {
namespace detail {

/// std::filesystem::path, which is known by what it has, so that <filesystem> need not be included.
template <class T>
concept PathLike = requires(const T& path) {
  typename T::string_type;
  T::preferred_separator;
  path.native();
  path.lexically_normal();
};

/// std::set, std::unordered_set, and those of other libraries.
template <class T>
concept SetLike = requires(T& set, typename T::value_type item) {
  requires std::same_as<typename T::key_type, typename T::value_type>;
  set.insert(std::move(item));
  set.begin();
};

/// Of how many seconds a duration counts: `numerator` / `denominator`.
struct SecondsPerTick {
  std::int64_t numerator, denominator;
};
template <class Period>
inline constexpr SecondsPerTick seconds_per_tick{Period::num, Period::den};

// All throw std::invalid_argument for a text in another form, for what is finer than a tick, and for what does not fit
// into the count.
std::string duration_text(std::int64_t ticks, SecondsPerTick unit);  // ISO 8601, hours and below: "PT36H5.25S"
std::int64_t ticks_of_duration(std::string_view text, SecondsPerTick unit);
std::string time_text(std::int64_t ticks, SecondsPerTick unit);  // RFC 3339, in UTC: "2026-11-23T22:40:00.5Z"
std::int64_t ticks_of_time(std::string_view text, SecondsPerTick unit);
Json time_schema();
std::string base64_text(const std::vector<std::byte>& bytes);  // RFC 4648 §4
std::vector<std::byte> base64_bytes(std::string_view text);

[[noreturn]] void refuse_ticks();

/// The whole number of ticks, of which a floating one is rounded to nanoseconds first.
template <class Rep, class Period>
std::int64_t whole_ticks(const std::chrono::duration<Rep, Period>& duration) {
  static_assert(std::is_floating_point_v<Rep> || (std::is_integral_v<Rep> && sizeof(Rep) <= sizeof(std::int64_t)),
                "toolwire: the ticks of a duration are a built-in number");
  static_assert(Period::den <= 1'000'000'000 && Period::num <= 1'000'000'000,
                "toolwire: a duration in JSON counts in nanoseconds at the least, and in thirty years at the most");
  if constexpr (std::is_integral_v<Rep>) {
    if (!std::in_range<std::int64_t>(duration.count())) refuse_ticks();
    return static_cast<std::int64_t>(duration.count());
  } else {
    const auto nanoseconds = std::chrono::duration<double, std::nano>(duration).count();
    if (!(nanoseconds > -9.2e18 && nanoseconds < 9.2e18)) refuse_ticks();
    return static_cast<std::int64_t>(nanoseconds < 0 ? nanoseconds - 0.5 : nanoseconds + 0.5);
  }
}

template <class Duration>
inline constexpr SecondsPerTick unit_of =
    std::is_floating_point_v<typename Duration::rep> ? seconds_per_tick<std::nano>
                                                     : seconds_per_tick<typename Duration::period>;

template <class Duration>
Duration from_ticks(std::int64_t ticks) {
  using Rep = typename Duration::rep;
  if constexpr (std::is_integral_v<Rep>) {
    if (!std::in_range<Rep>(ticks)) refuse_ticks();
    return Duration(static_cast<Rep>(ticks));
  } else {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::nano>(static_cast<double>(ticks)));
  }
}

}  // namespace detail

template <detail::PathLike P>
struct Codec<P> {
  static std::string to(const P& path) { return path.string(); }
  /// The system would take what stands before a NUL for the path, whatever a tool has found behind it.
  static P from(std::string&& text) {
    if (text.find('\0') != std::string::npos) throw std::invalid_argument("expected a path without a NUL character");
    return P(std::move(text));
  }
};

template <detail::SetLike S>
struct Codec<S> {
  using Items = std::vector<typename S::value_type>;
  static Items to(const S& set) { return Items(set.begin(), set.end()); }
  static S from(Items&& items) {
    S set;
    for (auto&& item : items) set.insert(std::move(item));
    return set;
  }
};

template <>
struct Codec<std::vector<std::byte>> {
  static std::string to(const std::vector<std::byte>& bytes) { return detail::base64_text(bytes); }
  static std::vector<std::byte> from(const std::string& text) { return detail::base64_bytes(text); }
};

template <class Rep, class Period>
struct Codec<std::chrono::duration<Rep, Period>> {
  using Duration = std::chrono::duration<Rep, Period>;
  static std::string to(const Duration& duration) {
    return detail::duration_text(detail::whole_ticks(duration), detail::unit_of<Duration>);
  }
  static Duration from(const std::string& text) {
    return detail::from_ticks<Duration>(detail::ticks_of_duration(text, detail::unit_of<Duration>));
  }
};

template <class Duration>
struct Codec<std::chrono::time_point<std::chrono::system_clock, Duration>> {
  using Time = std::chrono::time_point<std::chrono::system_clock, Duration>;
  static std::string to(const Time& time) {
    return detail::time_text(detail::whole_ticks(time.time_since_epoch()), detail::unit_of<Duration>);
  }
  static Time from(const std::string& text) {
    return Time(detail::from_ticks<Duration>(detail::ticks_of_time(text, detail::unit_of<Duration>)));
  }
  static Json schema() { return detail::time_schema(); }
};

template <class First, class Second>
struct Describe<std::pair<First, Second>> {
  static constexpr auto describe() {
    return fields(field<&std::pair<First, Second>::first>({}), field<&std::pair<First, Second>::second>({}));
  }
};

}  // namespace toolwire
