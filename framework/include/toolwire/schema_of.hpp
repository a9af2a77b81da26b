// The JSON Schema of a C++ type, derived from describe(): for tools, and for the forms users are asked to fill in.
// Independent of validation: what a schema says, convert.hpp enforces itself.
#pragma once

#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "toolwire/detail/type_table_of.hpp"
#include "toolwire/json.hpp"

namespace toolwire {
namespace detail {

template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

template <class T>
inline constexpr bool fits_form =
    std::is_same_v<T, bool> || std::is_same_v<T, std::string> || WholeNumber<T> || RealNumber<T> || ScopedEnum<T>;

template <class T>
inline constexpr bool is_choices = false;
template <ScopedEnum E>
inline constexpr bool is_choices<std::vector<E>> = true;

template <class... F>
consteval bool all_fit_question(const Fields<F...>*) {
  return ((fits_form<typename F::Content> || is_choices<typename F::Content>)&&...);
}

template <class... F>
consteval bool all_fit_form(const Fields<F...>*) {
  return (fits_form<typename F::Content> && ...);
}

Json schema_of(const Shape& shape);
Json form_schema_of(const ObjectShape& shape);

}  // namespace detail

/// The schema of T, in the subset every host takes: nested types inlined, no `$ref`, no lists of types, members in the
/// order of describe(), `additionalProperties: false`. Throws std::invalid_argument when the initializer of an optional
/// member breaks the member's own constraints, as it would be published as `default`.
template <class T>
Json schema_of() {
  static_assert(!detail::is_variant<typename detail::Content<T>::Type>,
                "toolwire: a variant cannot be the root of a schema, as hosts refuse it; make it a member of a struct");
  return detail::schema_of(detail::ShapeOf<T>::value);
}

/// The schema of a form for the user (elicitation): a flat struct of strings, numbers, booleans, enums and vectors of
/// enums (several choices: from 2025-11-25 on; clients of before cannot be asked), each optional or not. Throws like
/// schema_of.
template <class T>
Json form_schema_of() {
  static_assert(
      Described<T>,
      "toolwire: a form is a struct; add `static constexpr auto describe()` to it (see toolwire/describe.hpp)");
  static_assert(detail::all_fit_question(static_cast<const decltype(T::describe())*>(nullptr)),
                "toolwire: a form is flat: its members are strings, numbers, booleans, enums or vectors of enums, or "
                "optionals of these");
  return detail::form_schema_of(detail::ShapeOf<T>::value);
}

}  // namespace toolwire
