#include "policy/secrets.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string_view>

#include <toolwire/json_members.hpp>
#include <toolwire/redact.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::size_t min_secret = 4;

bool marked(const Json& schema) {
  const JsonObject* const object = schema.if_object();
  if (object == nullptr) return false;
  const Json* const write_only = object->if_contains("writeOnly");
  const Json* const format = object->if_contains("format");
  return (write_only != nullptr && write_only->is_bool() && write_only->get_bool()) ||
         (format != nullptr && format->is_string() && format->get_string() == "password");
}

/// Visits every value with its schema (null where there is none) and whether it is a secret; depth is the parser's.
void walk(Json& value, const Json& schema, bool secret, const std::function<void(Json&)>& found) {
  if (auto* const object = value.if_object()) {
    const Json& properties = member_or_null(schema, "properties");
    for (auto& [name, item] : *object) {
      const Json& described = member_or_null(properties, name);
      walk(item, described, secret || marked(described) || names_a_secret(name), found);
    }
  } else if (auto* const array = value.if_array()) {
    const Json& described = member_or_null(schema, "items");
    for (Json& item : *array) walk(item, described, secret || marked(described), found);
  } else if (secret) {
    found(value);
  }
}

}  // namespace

std::string without_secrets(const Json& arguments, const Json& input_schema) {
  Json clean = arguments;
  walk(clean, input_schema, false, [](Json& secret) {
    if (!secret.is_null() && !secret.is_bool()) secret = redacted_text;
  });
  return redact(to_json_text(clean));
}

std::vector<std::string> secrets_in(const Json& arguments, const Json& input_schema) {
  std::vector<std::string> secrets;
  Json copy = arguments;
  walk(copy, input_schema, false, [&](Json& secret) {
    if (secret.is_string() && secret.get_string().size() >= min_secret) secrets.emplace_back(secret.get_string());
  });
  std::ranges::sort(secrets, std::greater<>{}, &std::string::size);
  return secrets;
}

}  // namespace toolwire::bridge
