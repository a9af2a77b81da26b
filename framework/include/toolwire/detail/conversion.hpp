// What convert.hpp asks about a type, and the conversions by its table, which are compiled once for all types.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "toolwire/detail/type_table_of.hpp"
#include "toolwire/detail/violations.hpp"
#include "toolwire/json.hpp"

namespace toolwire::detail {

// Follows the tables, which have an end.
constexpr bool holds_view(const Shape& shape) {
  switch (shape.kind) {
    case Kind::string_view:
      return true;
    case Kind::optional:
      return holds_view(*static_cast<const OptionalShape&>(shape).content);
    case Kind::list:
    case Kind::array:
      return holds_view(*static_cast<const ListShape&>(shape).item);
    case Kind::tuple:
      for (std::size_t i = 0; i < static_cast<const TupleShape&>(shape).count; ++i)
        if (holds_view(*static_cast<const TupleShape&>(shape).items[i].shape)) return true;
      return false;
    case Kind::map:
      return holds_view(*static_cast<const MapShape&>(shape).value);
    case Kind::variant:
      for (std::size_t i = 0; i < static_cast<const VariantShape&>(shape).count; ++i)
        if (holds_view(*static_cast<const VariantShape&>(shape).alternatives[i])) return true;
      return false;
    case Kind::coded:
      return holds_view(*static_cast<const CodedShape&>(shape).wire);
    case Kind::object:
      for (const FieldShape& field : static_cast<const ObjectShape&>(shape))
        if (holds_view(*field.shape)) return true;
      return false;
    case Kind::reference:
      return static_cast<const ReferenceShape&>(shape).holds_view;
    default:
      return false;
  }
}

void decode(const Shape& shape, const Json& json, void* out, const std::string& path, Violations& violations);
/// Throws InvalidArguments with every violation and its path below `path`.
void decode_or_throw(const Shape& shape, const Json& json, void* out, std::string_view path = {});
Json encode(const Shape& shape, const void* value);

/// The table of a T that is read from JSON.
template <class T>
constexpr const auto& readable_shape() {
  static_assert(!holds_view(ShapeOf<T>::value),
                "toolwire: a std::string_view cannot be read from JSON, as nothing would own its text; use "
                "std::string");
  return ShapeOf<T>::value;
}

template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
/// The table of a T that has a schema of its own.
template <class T>
constexpr const auto& root_shape() {
  static_assert(!is_variant<typename Content<T>::Type>,
                "toolwire: a variant cannot be the root of a schema, as hosts refuse it; make it a member of a struct");
  return ShapeOf<T>::value;
}

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;

template <class T>
inline constexpr bool fits_form =
    std::is_same_v<T, bool> || std::is_same_v<T, std::string> || WholeNumber<T> || RealNumber<T> || NamedEnum<T>;
template <Coded T>
inline constexpr bool fits_form<T> = fits_form<WireOf<T>>;

template <class T>
inline constexpr bool is_choices = false;
template <NamedEnum E>
inline constexpr bool is_choices<std::vector<E>> = !Coded<E>;

template <class... F>
consteval bool all_fit_question(const Fields<F...>*) {
  return ((fits_form<typename F::Content> || is_choices<typename F::Content>)&&...);
}

template <class... F>
consteval bool all_fit_form(const Fields<F...>*) {
  return (fits_form<typename F::Content> && ...);
}

Json schema_of(const Shape& shape);
Json returned_schema_of(const Shape& shape);
Json form_schema_of(const ObjectShape& shape);

}  // namespace toolwire::detail
