// Described structs from texts: parameters of resource templates and arguments of prompts are all strings on the wire.
// Independent of where the texts come from.
#pragma once

#include "toolwire/convert.hpp"
#include "toolwire/error.hpp"

namespace toolwire {
namespace detail {

/// The same object with numbers and booleans where the shape has some and the text is one.
Json typed_texts(const ObjectShape& shape, const Json& texts);

}  // namespace detail

/// Reads a flat struct of strings, numbers, booleans and enumerations (each optional or not) from an object of strings:
/// "10" for a number, "true" or "false", the name of an enumerator. Throws InvalidArguments with every violation and
/// its path.
template <class T>
T decode_texts(const Json& texts) {
  static_assert(Described<T>, "toolwire: such parameters are a struct with describe() (see toolwire/describe.hpp)");
  static_assert(detail::all_fit_form(static_cast<const detail::Description<T>*>(nullptr)),
                "toolwire: such parameters are texts on the wire: strings, numbers, booleans or enums, or optionals");
  T value{};
  detail::decode_or_throw(detail::readable_shape<T>(), detail::typed_texts(detail::ShapeOf<T>::value, texts), &value);
  return value;
}

}  // namespace toolwire
