// Looking into messages whose shape nobody vouches for.
#pragma once

#include <toolwire/json.hpp>

#include <string>
#include <string_view>

namespace toolwire::client {

/// A member of an object; null if there is none, or no object.
inline const Json* member(const Json& object, std::string_view name) {
  const JsonObject* members = object.if_object();
  return members == nullptr ? nullptr : members->if_contains(name);
}

/// The text of a member; empty if it is no string.
inline std::string text_of(const Json& object, std::string_view name) {
  const Json* value = member(object, name);
  return value != nullptr && value->is_string() ? std::string{value->get_string()} : std::string{};
}

}  // namespace toolwire::client
