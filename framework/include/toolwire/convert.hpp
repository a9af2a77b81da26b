// From C++ types to JSON and back, derived from describe(): the schema of a type (for tools, and for the forms users
// are asked to fill in), reading a value, writing one. Independent of calls and replies. Reading needs no validation
// before it: it enforces what the schema says.
//
// Types with a JSON form: bool, numbers up to 64 bits, std::string, std::string_view (only to write), enumerations that
// are NamedEnum (detail/names.hpp), Json, std::optional, std::unique_ptr (as an optional), std::vector, std::array,
// std::tuple (an array), maps and unordered maps with keys of std::string, sets and unordered sets (an array; what
// occurs twice counts once), std::pair (`first` and `second`), std::variant, std::filesystem::path (without NUL),
// std::vector<std::byte> (base64), std::chrono::duration (ISO 8601: "PT1H30M"; read in weeks and below) and time points
// of std::chrono::system_clock (RFC 3339), neither ever rounded but to nanoseconds; structs with describe() or a
// Describe, which may lie in themselves by way of a vector, a map or a pointer; all that has a Codec.
//
// The alternatives of a variant are told apart by what they are in JSON: one bool, one whole number, one double or
// float, one string (or enumeration, or what is written as text), one list, and one map or any number of structs, of
// which the first that fits is taken. Beside a double, a number without a fraction is the whole number if that can hold
// it, also if it was written from the double.
#pragma once

#include <string>

#include "toolwire/detail/conversion.hpp"
#include "toolwire/json.hpp"

namespace toolwire {

/// The schema of T, in the subset every host takes: nested types inlined, no lists of types, members in the order of
/// describe(), `additionalProperties: false`; a `$ref`, to `$defs` at the root, for structs that lie in themselves
/// alone. Throws std::invalid_argument for a pattern that cannot run or a format there is not, and when the initializer
/// of an optional member breaks the member's own constraints, as it would be published as `default`.
template <class T>
Json schema_of() {
  return detail::schema_of(detail::root_shape<T>());
}

/// The same for a T that is returned: without the bounds and initializers of its members, which hold for arguments.
template <class T>
Json returned_schema_of() {
  return detail::returned_schema_of(detail::root_shape<T>());
}

/// The schema of a form for the user (elicitation): a flat struct of strings, numbers, booleans, enums and vectors of
/// enums (several choices: from 2025-11-25 on; earlier clients cannot be asked), each optional or not. Titles of
/// enumerators take the place of their names. Of formats a form has email, uri, date and date-time, and it has no
/// patterns; answers are held to all. Throws like schema_of.
template <class T>
Json form_schema_of() {
  static_assert(
      Described<T>,
      "toolwire: a form is a struct; add `static constexpr auto describe()` to it (see toolwire/describe.hpp)");
  static_assert(detail::all_fit_question(static_cast<const detail::Description<T>*>(nullptr)),
                "toolwire: a form is flat: its members are strings, numbers, booleans, enums or vectors of enums, or "
                "optionals of these");
  return detail::form_schema_of(detail::ShapeOf<T>::value);
}

/// Reads `json` into `out`, a value with its initializers: members that are left out keep them. Adds every violation,
/// with its path below `path`, to `violations`; if there are any, `out` is incomplete. A whole number may be written
/// as 1.0. Members that are not described are violations. For a member that may be left out, null counts as left out.
/// Structs that lie in themselves are read down to `greatest_json_depth` of them, and where they fit several
/// alternatives of variants, up to a bound. Throws as schema_of for a pattern or a format.
template <class T>
void decode(const Json& json, T& out, const std::string& path, Violations& violations) {
  detail::decode(detail::readable_shape<T>(), json, &out, path, violations);
}

/// The JSON of a value; empty optionals are left out. Throws std::invalid_argument for what JSON cannot express: NaN,
/// an infinity, a value of an enumeration that has no name, structs in each other below `greatest_json_depth`.
template <class T>
Json encode(const T& value) {
  return detail::encode(detail::ShapeOf<T>::value, &value);
}

}  // namespace toolwire
