// Reading members of JSON whose shape nobody vouches for: what is missing, or of another type, is an empty answer and
// never an error. What is read is borrowed from the value that is looked into.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <utility>

namespace toolwire {

/// The member; null (a pointer) where there is none, or no object.
inline const Json* find_member(const JsonObject& object, std::string_view name) { return object.if_contains(name); }
inline const Json* find_member(const Json& value, std::string_view name) {
  const JsonObject* const object = value.if_object();
  return object == nullptr ? nullptr : object->if_contains(name);
}

/// The member, or the member of that member, and so on; null (the JSON value) where there is none, or no object.
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

/// The member if it is true or false.
template <class Object>
std::optional<bool> bool_member(const Object& object, std::string_view name) {
  const Json* const found = find_member(object, name);
  return found == nullptr || !found->is_bool() ? std::nullopt : std::optional(found->get_bool());
}

/// The text of the member if it is a string, else empty. Lives as long as the object.
template <class Object>
std::string_view text_member(const Object& object, std::string_view name) {
  const Json* const found = find_member(object, name);
  return found == nullptr || !found->is_string() ? std::string_view() : std::string_view(found->get_string());
}

/// The same as a string of its own, `otherwise` if it is no string.
template <class Object>
std::string text_or(const Object& object, std::string_view name, std::string otherwise = {}) {
  const Json* const found = find_member(object, name);
  return found == nullptr || !found->is_string() ? std::move(otherwise)
                                                 : std::string(std::string_view(found->get_string()));
}

}  // namespace toolwire
