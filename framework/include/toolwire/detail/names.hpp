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

namespace detail {

// Values of an enumeration without a fixed type may not be tried out: it has those of its enumerators, and few more.
template <class T>
inline constexpr bool has_fixed_type = requires {
  T{0};
};
template <class T>
inline constexpr bool lists_names = requires {
  enumerator_names(T{});
};

}  // namespace detail

/// An enumeration whose values are, on the wire, the names of its enumerators: an `enum class`, an `enum` that states
/// its underlying type (`enum Order : int`), or any other whose names are listed, see enumerators<E>().
template <class T>
concept NamedEnum =
    std::is_enum_v<T> && !std::is_same_v<T, std::byte> && (detail::has_fixed_type<T> || detail::lists_names<T>);

/// One value of an enumeration, the name it has on the wire, and one for people, which hosts show; empty: none.
template <class E>
struct Enumerator {
  E value;
  std::string_view name;
  std::string_view title = {};
};

/// The values among which enumerators are looked for, both included.
struct EnumeratorRange {
  long long first = -128;
  long long last = 255;
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

// The name of a class without namespaces and template arguments.
template <class T>
consteval std::string_view type_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  if (text.ends_with('>')) {
    std::size_t open = 0;
    do {
      if (text.back() == '>') ++open;
      if (text.back() == '<') --open;
      text.remove_suffix(1);
    } while (open > 0 && !text.empty());
  }
  return last_identifier(text);
}

struct Probe {
  int known_name;
};
template <class>
struct ProbeOf {};
static_assert(member_name<&Probe::known_name>() == "known_name",
              "toolwire: this compiler renders member pointers in a way names.hpp cannot read");
static_assert(type_name<Probe>() == "Probe" && type_name<ProbeOf<ProbeOf<int>>>() == "ProbeOf",
              "toolwire: this compiler renders types in a way names.hpp cannot read");

// One function for many candidate values: a function per value costs an instantiation for each.
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

template <NamedEnum E>
inline constexpr bool states_range = requires {
  enumerator_range(E{});
};

template <NamedEnum E>
consteval EnumeratorRange searched_range() {
  using Underlying = std::underlying_type_t<E>;
  using Number = std::conditional_t<(sizeof(Underlying) < sizeof(long long)), long long, Underlying>;
  constexpr Number lowest = std::numeric_limits<Underlying>::min();
  constexpr Number highest = std::numeric_limits<Underlying>::max();
  EnumeratorRange range;
  if constexpr (states_range<E>) range = enumerator_range(E{});
  if (std::cmp_less(range.first, lowest)) range.first = static_cast<long long>(lowest);
  if (std::cmp_greater(range.last, highest)) range.last = static_cast<long long>(highest);
  return range;
}

template <NamedEnum E, std::size_t Count>
struct Named {
  std::array<Enumerator<E>, Count> all{};
  std::size_t count = 0;
};

template <NamedEnum E, E... Values>
consteval auto named_among() {
  Named<E, sizeof...(Values)> found;
  std::string_view list = rendered_values<Values...>();
  for (const E value : {Values...}) {
    const std::size_t length = item_length(list);
    const std::string_view name = enumerator_in(list.substr(0, length));
    if (!name.empty()) found.all[found.count++] = {value, name, {}};
    list.remove_prefix(length + 2 < list.size() ? length + 2 : list.size());
  }
  return found;
}

// Each row is evaluated by itself, because compilers bound the steps of one evaluation.
inline constexpr std::size_t row_length = 128;

template <NamedEnum E, long long First, std::size_t... I>
consteval auto named_from(std::index_sequence<I...>) {
  return named_among<E, static_cast<E>(First + static_cast<long long>(I))...>();
}
template <NamedEnum E, long long First, std::size_t Length>
inline constexpr auto row = named_from<E, First>(std::make_index_sequence<Length>{});

template <NamedEnum E, std::size_t FirstBit, std::size_t... I>
consteval auto named_flags(std::index_sequence<I...>) {
  return named_among<E, static_cast<E>(1ULL << (FirstBit + I))...>();
}
template <NamedEnum E, std::size_t FirstBit, std::size_t Length>
inline constexpr auto flags = named_flags<E, FirstBit>(std::make_index_sequence<Length>{});

template <NamedEnum E, const auto&... Parts>
consteval auto joined() {
  constexpr std::size_t total = (Parts.count + ... + 0);
  static_assert(
      total > 0,
      "toolwire: no enumerator of this enumeration lies in -128..255 or is a power of two; see enumerators<E>()");
  std::array<Enumerator<E>, total> names{};
  std::size_t next = 0;
  const auto append = [&](const auto& part) {
    for (std::size_t i = 0; i < part.count; ++i) names[next++] = part.all[i];
  };
  (append(Parts), ...);
  return names;
}

constexpr std::size_t length_of_row(std::size_t row, std::size_t values) {
  const std::size_t left = values - row * row_length;
  return left < row_length ? left : row_length;
}

template <NamedEnum E, std::size_t... Row>
consteval auto find_enumerators(std::index_sequence<Row...>) {
  constexpr EnumeratorRange range = searched_range<E>();
  constexpr auto values = static_cast<std::size_t>(range.last - range.first + 1);
  constexpr std::size_t first_bit = 8;  // of the flags above 255
  constexpr std::size_t bits = std::numeric_limits<std::underlying_type_t<E>>::digits;
  if constexpr (states_range<E> || bits <= first_bit) {
    return joined<E, row<E, range.first + static_cast<long long>(Row * row_length), length_of_row(Row, values)>...>();
  } else {
    return joined<E, row<E, range.first + static_cast<long long>(Row * row_length), length_of_row(Row, values)>...,
                  flags<E, first_bit, bits - first_bit>>();
  }
}

template <NamedEnum E>
consteval std::size_t rows_to_search() {
  constexpr EnumeratorRange range = searched_range<E>();
  return static_cast<std::size_t>(range.last - range.first) / row_length + 1;
}

template <NamedEnum E>
consteval auto named_enumerators() {
  if constexpr (lists_names<E>) {
    return enumerator_names(E{});
  } else {
    return find_enumerators<E>(std::make_index_sequence<rows_to_search<E>()>{});
  }
}

template <NamedEnum E>
inline constexpr auto enumerators_of = named_enumerators<E>();

}  // namespace detail

/// The enumerators of E with their names, in the order of their values, as a `std::array<Enumerator<E>, n>`.
///
/// Enumerators are looked for among the values -128..255 and, above these, the powers of two. C++ cannot tell that
/// there are others, so an enumeration with others declares, beside itself,
///     constexpr toolwire::EnumeratorRange enumerator_range(Level) { return {-1, 300}; }
/// and one whose names on the wire are not those of its enumerators, which has titles for people, or is a plain `enum`
/// that does not state its type, lists them all:
///     constexpr auto enumerator_names(Level) {
///       return std::to_array<toolwire::Enumerator<Level>>({{Level::low, "low", "Low level"}, {Level::high, "high"}});
///     }
template <NamedEnum E>
constexpr const auto& enumerators() {
  return detail::enumerators_of<E>;
}

}  // namespace toolwire
