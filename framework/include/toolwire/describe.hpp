// What an author says about the members of a struct: their descriptions, constraints and names on the wire; and Codec,
// for types without members. Independent of JSON; what is derived from it is in convert.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "toolwire/detail/described_member.hpp"
#include "toolwire/detail/names.hpp"

namespace toolwire {

/// What describe() says about one member, whatever its type. The texts are not copied: use string literals.
struct FieldInfo {
  // The bounds of every kind of number are kept as long double, which holds each int64, uint64 and double exactly
  // where its mantissa has 64 bits; so one comparison serves all, and no value is rounded on the way.
  static_assert(std::numeric_limits<long double>::digits >= 64);
  static constexpr long double unbounded = std::numeric_limits<long double>::infinity();
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  std::string_view name;  // on the wire
  std::string_view description;
  std::string_view title = {};  // for people; empty: none
  bool required = true;
  long double minimum = -unbounded;
  long double maximum = unbounded;
  std::size_t min_size = 0;  // characters (code points) of a string, items of a vector
  std::size_t max_size = unlimited;
  std::string_view pattern = {};  // what some part of a string matches; empty: anything
  std::string_view format = {};   // what a string is, as JSON Schema names it; empty: anything
};

/// The description of one member; a value, made by `field<&T::m>("…")`. Each function returns a changed copy.
template <auto Member>
struct Field : FieldInfo {
  using Owner = typename detail::MemberPointer<decltype(Member)>::Owner;
  using Value = typename detail::MemberPointer<decltype(Member)>::Value;
  using Content = typename detail::Content<Value>::Type;
  static constexpr auto pointer = Member;

  /// Callers may leave the member out; the struct's own initializer then stands and is published as `default`.
  constexpr Field optional() const {
    Field changed = *this;
    changed.required = false;
    return changed;
  }

  /// The name on the wire, where it is not the name of the member.
  constexpr Field named(std::string_view wire_name) const {
    Field changed = *this;
    changed.name = wire_name;
    return changed;
  }

  /// A name for people, shown by hosts instead of the name on the wire.
  constexpr Field title(std::string_view text) const {
    Field changed = *this;
    changed.FieldInfo::title = text;
    return changed;
  }

  /// Both bounds are included.
  template <class Low, class High>
  constexpr Field between(Low low, High high) const {
    static_assert(
        detail::is_number<Content>,
        "toolwire: between(low, high) limits numbers; use length(lo, hi) for a string, items(lo, hi) for a vector");
    return at_least(low).at_most(high);
  }

  /// The bound is included, as that of `at_most`.
  template <class Low>
  constexpr Field at_least(Low low) const {
    static_assert(detail::is_number<Content>, "toolwire: at_least(low) limits numbers");
    Field changed = *this;
    changed.minimum = bound(low);
    return changed.checked();
  }

  template <class High>
  constexpr Field at_most(High high) const {
    static_assert(detail::is_number<Content>, "toolwire: at_most(high) limits numbers");
    Field changed = *this;
    changed.maximum = bound(high);
    return changed.checked();
  }

  /// How many characters (code points) the string may have, both bounds included.
  constexpr Field length(std::size_t low, std::size_t high) const {
    static_assert(std::is_same_v<Content, std::string>, "toolwire: length(lo, hi) limits strings");
    return sized(low, high);
  }

  /// A regular expression (ECMA-262) that matches somewhere in the string; with ^ and $, the whole of it. What cannot
  /// run in linear time, look-around and back-references, is refused with std::invalid_argument when the schema is
  /// made.
  constexpr Field pattern(std::string_view regular_expression) const {
    static_assert(std::is_same_v<Content, std::string>, "toolwire: pattern(regular expression) limits strings");
    Field changed = *this;
    changed.FieldInfo::pattern = regular_expression;
    return changed;
  }

  /// What the string is, by one of the names of JSON Schema 2020-12, all of which are checked: date-time, date, time,
  /// duration, email, idn-email, hostname, ipv4, ipv6, uri, uri-reference, iri, iri-reference, uri-template, uuid,
  /// json-pointer, relative-json-pointer, regex. Others: std::invalid_argument when the schema is made.
  constexpr Field format(std::string_view name_of_format) const {
    static_assert(std::is_same_v<Content, std::string>,
                  "toolwire: format(name) is for strings; times, durations, paths and bytes have types of their own");
    Field changed = *this;
    changed.FieldInfo::format = name_of_format;
    return changed;
  }

  /// How many items the vector may have, both bounds included.
  constexpr Field items(std::size_t low, std::size_t high) const {
    static_assert(detail::is_vector<Content>, "toolwire: items(lo, hi) limits vectors");
    return sized(low, high);
  }

 private:
  template <class Bound>
  static constexpr long double bound(Bound value) {
    static_assert(detail::is_number<Bound>, "toolwire: a bound is a number");
    static_assert(!std::is_integral_v<Content> || std::is_integral_v<Bound>,
                  "toolwire: the bounds of a whole number are whole numbers");
    const auto wide = static_cast<long double>(value);
    if constexpr (detail::is_number<Content>) {
      using Range = std::numeric_limits<Content>;
      // Written so that NaN fails too.
      if (!(wide >= static_cast<long double>(Range::lowest()) && wide <= static_cast<long double>(Range::max())))
        detail::the_bound_does_not_fit_the_type_of_the_member();
    }
    return wide;
  }

  constexpr Field checked() const {
    if (minimum > maximum) detail::the_lower_bound_is_above_the_upper_bound();
    return *this;
  }

  constexpr Field sized(std::size_t low, std::size_t high) const {
    if (low > high) detail::the_lower_bound_is_above_the_upper_bound();
    Field changed = *this;
    changed.min_size = low;
    changed.max_size = high;
    return changed;
  }
};

/// The descriptions of all members of a struct, in the order in which they are published.
template <class... F>
struct Fields : F... {};

/// Describes a member; its name is taken from the compiler. A std::optional or std::unique_ptr member may be left out
/// by callers.
template <auto Member>
constexpr Field<Member> field(std::string_view description) {
  static_assert(!std::is_const_v<typename Field<Member>::Value>,
                "toolwire: a member that is described is not const, as what callers send is written into it");
  Field<Member> described{};
  described.name = detail::member_name<Member>();
  described.description = description;
  described.required = !detail::Content<typename Field<Member>::Value>::is_optional;
  return described;
}

/// What `describe()` returns. Listing a member twice, or two members under one name, does not compile.
template <class... F>
constexpr Fields<F...> fields(F... described) {
  const std::array<std::string_view, sizeof...(F)> names{described.name...};
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j)
      if (names[i] == names[j]) detail::two_fields_have_the_same_name();
  return Fields<F...>{described...};
}

/// The description of a struct that cannot have a describe() of its own, because it belongs to somebody else. To be
/// specialised before the struct is used:
///     template <>
///     struct toolwire::Describe<vendor::Point> {
///       static constexpr auto describe() { return toolwire::fields(toolwire::field<&vendor::Point::x>("Right")); }
///     };
/// Where there are both, this one counts.
template <class T>
struct Describe {};

namespace detail {

template <class T>
concept DescribedOutside = requires {
  Describe<T>::describe();
};

template <class T>
constexpr auto description_of() {
  if constexpr (DescribedOutside<T>) {
    return Describe<T>::describe();
  } else {
    return T::describe();
  }
}

}  // namespace detail

/// A struct that says what its members are:
///     static constexpr auto describe() { return toolwire::fields(toolwire::field<&Add::a>("First number")); }
/// or whose members Describe<T> tells.
template <class T>
concept Described = detail::DescribedOutside<T> || requires {
  T::describe();
};

namespace detail {

template <Described T>
using Description = decltype(description_of<T>());

}  // namespace detail

/// The JSON form of a type that is no struct with members: that of another type, its wire type, which has a form. To be
/// specialised before the type is used; then the type can stand wherever the wire type can, but as the key of a map:
///     template <>
///     struct toolwire::Codec<Money> {
///       static std::string to(const Money& money) { return money.text(); }           // the wire type: std::string
///       static Money from(const std::string& text) { return Money::parse(text); }
///       static toolwire::Json schema() { return {{"type", "string"}, {"pattern", "^[0-9]+ [A-Z]{3}$"}}; }
///     };
/// `from` refuses a value by std::invalid_argument; its text says what was expected, and is what the caller reads. Only
/// a wire type of Json has to have a `schema`; it is published, and nobody but `from` checks it. T needs a default
/// constructor.
template <class T>
struct Codec;

/// A type whose JSON form a Codec gives.
template <class T>
concept Coded = requires(const T& value) {
  Codec<T>::to(value);
};

}  // namespace toolwire
