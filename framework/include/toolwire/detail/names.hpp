// Names of members and enumerators, read from the compiler, so that no author writes a name twice. Independent of JSON
// and descriptions.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace toolwire {

/// An enumeration that does not convert to int (`enum class`). On the wire its values are the names of its enumerators.
template <class T>
concept ScopedEnum = std::is_enum_v<T> && !std::is_convertible_v<T, int>;

/// One value of an enumeration and the name it has on the wire.
template <class E>
struct Enumerator {
  E value;
  std::string_view name;
};

/// The values among which enumerators are looked for, both included.
struct EnumeratorRange {
  long long first = 0;
  long long last = 127;
};

namespace detail {

// Called while compiling only; `constexpr` because clang 14 refuses a consteval call with a local variable even inside
// a consteval function. The last identifier in the compiler's rendering of an entity, "&ns::Search::query" -> "query".
constexpr std::string_view last_identifier(std::string_view text) {
  return text.substr(text.rfind(':') + 1);  // npos + 1 == 0: an unqualified name stays whole
}

template <auto Member>
consteval std::string_view member_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("Member = ") + 9);
  return last_identifier(text.substr(0, text.find_first_of(";]")));
}

struct Probe {
  int known_name;
};
static_assert(member_name<&Probe::known_name>() == "known_name",
              "toolwire: this compiler renders member pointers in a way names.hpp cannot read");

// One function for all candidate values: a function per value costs 128 instantiations per enumeration.
template <auto... Values>
consteval std::string_view rendered_values() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("Values = ") + 10);
  return text;
}

// Length of the first item of a list separated by commas that ends at the closing bracket; brackets inside are skipped.
constexpr std::size_t item_length(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (depth == 0 && (c == ',' || c == '}' || c == '>')) return i;
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
  }
  return list.size();
}

// A value without an enumerator is rendered as a cast, "(Sort)17" or "(ns::Sort)17": its last part holds a bracket.
constexpr std::string_view enumerator_in(std::string_view item) {
  const std::string_view name = last_identifier(item);
  return name.find(')') == std::string_view::npos ? name : std::string_view{};
}

template <ScopedEnum E>
consteval EnumeratorRange searched_range() {
  using Underlying = std::underlying_type_t<E>;
  using Number = std::conditional_t<(sizeof(Underlying) < sizeof(long long)), long long, Underlying>;
  constexpr Number lowest = std::numeric_limits<Underlying>::min();
  constexpr Number highest = std::numeric_limits<Underlying>::max();
  EnumeratorRange range;
  if constexpr (requires { enumerator_range(E{}); }) range = enumerator_range(E{});
  if (std::cmp_less(range.first, lowest)) range.first = static_cast<long long>(lowest);
  if (std::cmp_greater(range.last, highest)) range.last = static_cast<long long>(highest);
  return range;
}

template <ScopedEnum E, std::size_t Count>
struct Candidates {
  std::array<Enumerator<E>, Count> all{};
  std::size_t named = 0;
};

template <ScopedEnum E, std::size_t... I>
consteval auto candidates(std::index_sequence<I...>) {
  constexpr long long first = searched_range<E>().first;
  Candidates<E, sizeof...(I)> found;
  std::string_view list = rendered_values<static_cast<E>(first + static_cast<long long>(I))...>();
  for (const E value : {static_cast<E>(first + static_cast<long long>(I))...}) {
    const std::size_t length = item_length(list);
    const std::string_view name = enumerator_in(list.substr(0, length));
    if (!name.empty()) found.all[found.named++] = {value, name};
    list.remove_prefix(length + 2 < list.size() ? length + 2 : list.size());
  }
  return found;
}

template <ScopedEnum E>
consteval auto find_enumerators() {
  constexpr EnumeratorRange range = searched_range<E>();
  constexpr auto found =
      candidates<E>(std::make_index_sequence<static_cast<std::size_t>(range.last - range.first + 1)>{});
  static_assert(found.named > 0, "toolwire: no enumerator of this enumeration lies in 0..127; see enumerators<E>()");
  std::array<Enumerator<E>, found.named> names{};
  for (std::size_t i = 0; i < found.named; ++i) names[i] = found.all[i];
  return names;
}

template <ScopedEnum E>
consteval auto named_enumerators() {
  if constexpr (requires { enumerator_names(E{}); }) {
    return enumerator_names(E{});
  } else {
    return find_enumerators<E>();
  }
}

template <ScopedEnum E>
inline constexpr auto enumerators_of = named_enumerators<E>();

}  // namespace detail

/// The enumerators of E with their names, in the order of their values, as a `std::array<Enumerator<E>, n>`.
///
/// Enumerators are looked for among the values 0..127. An enumeration with others declares, beside itself,
///     constexpr toolwire::EnumeratorRange enumerator_range(Level) { return {-1, 300}; }
/// and one whose names on the wire are not those of its enumerators lists them all:
///     constexpr auto enumerator_names(Level) {
///       return std::to_array<toolwire::Enumerator<Level>>({{Level::low, "low-level"}, {Level::high, "high-level"}});
///     }
template <ScopedEnum E>
constexpr const auto& enumerators() {
  return detail::enumerators_of<E>;
}

}  // namespace toolwire
