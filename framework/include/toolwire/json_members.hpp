// Reads members of JSON that may have any shape: what is missing, or of another type, gives an empty answer and never
// an error. Pointers, references and views that are returned belong to the value that was given, and live as long.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <utility>

namespace toolwire {

/// The member; a null pointer if there is none, or if `value` is no object.
inline const Json* find_member(const JsonObject& object, std::string_view name) { return object.if_contains(name); }
inline const Json* find_member(const Json& value, std::string_view name) {
  const JsonObject* const object = value.if_object();
  return object == nullptr ? nullptr : object->if_contains(name);
}

/// The member, or the member of that member, and so on; the JSON value null where one is missing.
template <class Object, class... More>
const Json& member_or_null(const Object& object, std::string_view name, More... more) {
  static const Json none;
  const Json* const found = find_member(object, name);
  if (found == nullptr) return none;
  if constexpr (sizeof...(more) == 0)
    return *found;
  else
    return member_or_null(*found, more...);
}

/// The member if it is an object, else null.
template <class Object>
const JsonObject* object_member(const Object& object, std::string_view name) {
  const Json* const found = find_member(object, name);
  return found == nullptr ? nullptr : found->if_object();
}

/// The member if it is an array, else null.
template <class Object>
const JsonArray* array_member(const Object& object, std::string_view name) {
  const Json* const found = find_member(object, name);
  return found == nullptr ? nullptr : found->if_array();
}

/// The member if it is true or false, else no value.
template <class Object>
std::optional<bool> bool_member(const Object& object, std::string_view name) {
  const Json* const found = find_member(object, name);
  return found == nullptr || !found->is_bool() ? std::nullopt : std::optional(found->get_bool());
}

/// The text of the member if it is a string, else empty.
template <class Object>
std::string_view text_member(const Object& object, std::string_view name) {
  const Json* const found = find_member(object, name);
  return found == nullptr || !found->is_string() ? std::string_view() : std::string_view(found->get_string());
}

/// The text of the member as a string of its own, or `otherwise` if the member is no string.
template <class Object>
std::string text_or(const Object& object, std::string_view name, std::string otherwise = {}) {
  const Json* const found = find_member(object, name);
  return found == nullptr || !found->is_string() ? std::move(otherwise)
                                                 : std::string(std::string_view(found->get_string()));
}

}  // namespace toolwire
