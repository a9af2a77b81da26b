#include "target/tool_arguments.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "catalogue/fixtures.hpp"
#include "driver/arguments.hpp"
#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

enum class Unit { none, seconds, milliseconds };

Unit unit_in(std::string_view text) {
  if (has_any(text, {"millisecond", "millis"}) || text == "ms" || ends_with_any(text, {"_ms", " ms", "(ms)"}))
    return Unit::milliseconds;
  return has_any(text, {"second", "secs"}) || text == "sec" || ends_with_any(text, {"_sec", "_s", " s", "(s)"})
             ? Unit::seconds
             : Unit::none;
}

/// Of an argument that says how long something takes, not how long it may take.
Unit unit_of(std::string_view name, const Json& property, const Json& description) {
  const std::string_view type = text_of(get(property, "type"));
  const std::string lower = lowered(name);
  if ((type != "number" && type != "integer") || has_any(lower, {"timeout", "max", "limit", "ttl", "since"}))
    return Unit::none;
  Unit unit = unit_in(lower);
  if (unit == Unit::none && std::string_view(name).ends_with("Ms")) unit = Unit::milliseconds;
  if (unit == Unit::none && has_any(lower, {"duration", "delay", "sleep", "wait"})) {
    unit = unit_in(lowered(text_of(get(property, "description"))));
    if (unit == Unit::none) unit = unit_in(lowered(text_of(description)));
    if (unit == Unit::none) unit = Unit::seconds;
  }
  return unit == Unit::seconds && type == "integer" ? Unit::none : unit;
}

}  // namespace

std::string text_argument(const Json& schema) {
  const JsonArray* required = get(schema, "required").if_array();
  if (required == nullptr || required->size() != 1) return "";
  const std::string_view name = text_of(required->front());
  const Json& property = get(schema, "properties", name);
  constexpr std::array narrower{"maxLength", "pattern", "format", "enum", "const", "oneOf", "anyOf", "allOf", "not"};
  const bool is_narrow =
      std::ranges::any_of(narrower, [&](const char* keyword) { return !get(property, keyword).is_null(); });
  return text_of(get(property, "type")) == "string" && !is_narrow ? std::string(name) : "";
}

std::string argument_of_any_kind(const Json& schema) {
  const JsonArray* required = get(schema, "required").if_array();
  if (required == nullptr || required->size() != 1) return "";
  const std::string_view name = text_of(required->front());
  const Json& property = get(schema, "properties", name);
  const bool takes_any = property == Json(true) || (property.is_object() && property.get_object().empty());
  return takes_any ? std::string(name) : "";
}

std::optional<JsonObject> sized_arguments(const Json& schema) {
  const JsonObject* properties = get(schema, "properties").if_object();
  if (properties == nullptr || properties->size() != 1) return std::nullopt;
  const std::string_view name = properties->begin()->key();
  if (text_of(get(schema, "properties", name, "type")) != "integer" ||
      !has_any(lowered(name), {"byte", "size", "length", "chars"}))
    return std::nullopt;
  const JsonObject arguments{{name, "<BYTES>"}};
  if (!may_fit(schema, filled(arguments, "BYTES", 3100))) return std::nullopt;
  return arguments;
}

bool is_called_echo(const Json& tool) {
  return has_any(lowered(text_of(get(tool, "name"))), {"echo"}) ||
         has_any(lowered(text_of(get(tool, "description"))), {"echo"});
}

std::optional<JsonObject> timed_arguments(const Json& schema, const Json& description) {
  const auto made = arguments_for(schema);
  const JsonObject* properties = get(schema, "properties").if_object();
  if (!made || properties == nullptr) return std::nullopt;
  for (const auto& [name, property] : *properties) {
    const Unit unit = unit_of(name, property, description);
    if (unit == Unit::none) continue;
    JsonObject arguments = *made;
    arguments[name] = unit == Unit::seconds ? "<SECONDS>" : "<MILLISECONDS>";
    const bool admits_all = std::ranges::all_of(std::array{0.05, 0.5, 5.0}, [&](double seconds) {
      return may_fit(schema, filled(arguments, "SECONDS", seconds));
    });
    if (admits_all) return arguments;
  }
  return std::nullopt;
}

JsonObject quick_arguments(const Json& schema, const Json& description, const JsonObject& arguments) {
  const auto timed = timed_arguments(schema, description);
  return timed ? filled(*timed, "SECONDS", 0.05) : arguments;
}

}  // namespace toolwire::conformance
