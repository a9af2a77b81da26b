#include "templates/body_template.hpp"

#include <functional>
#include <optional>
#include <utility>

#include "templates/template_text.hpp"

namespace toolwire::bridge {
namespace {

void for_each_text(const Json& value, const std::string& pointer,
                   const std::function<void(std::string_view text, const std::string& pointer)>& take) {
  if (const JsonObject* object = value.if_object()) {
    for (const auto& [name, member] : *object) for_each_text(member, below(pointer, name), take);
  } else if (const JsonArray* array = value.if_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) for_each_text((*array)[i], below(pointer, i), take);
  } else if (value.is_string()) {
    take(value.get_string(), pointer);
  }
}

/// Nothing if an optional value is absent.
std::optional<Json> filled(const Json& value, const Json& parameters);

std::optional<Json> filled_text(std::string_view text, const Json& parameters) {
  const TemplateText parsed(text, TemplatePlace::field);
  if (parsed.is_one_parameter()) {
    const Json* value = value_of(parsed.pieces().front(), parameters);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }
  std::string whole;
  std::vector<std::string> no_secrets;
  if (!fill(parsed, parameters, whole, no_secrets)) return std::nullopt;
  return Json(whole);
}

Json filled_object(const JsonObject& object, const Json& parameters) {
  JsonObject result;
  for (const auto& [name, member] : object) {
    if (auto value = filled(member, parameters)) result.emplace(name, std::move(*value));
  }
  return result;
}

Json filled_array(const JsonArray& array, const Json& parameters) {
  JsonArray result;
  for (const Json& element : array) {
    if (auto value = filled(element, parameters)) result.push_back(std::move(*value));
  }
  return result;
}

std::optional<Json> filled(const Json& value, const Json& parameters) {
  if (const JsonObject* object = value.if_object()) return filled_object(*object, parameters);
  if (const JsonArray* array = value.if_array()) return filled_array(*array, parameters);
  if (value.is_string()) return filled_text(value.get_string(), parameters);
  return value;
}

}  // namespace

BodyTemplate::BodyTemplate(Json body, const std::string& pointer, Findings& findings) : body_(std::move(body)) {
  for_each_text(body_, pointer, [&](std::string_view text, const std::string& place) {
    try {
      const TemplateText parsed(text, TemplatePlace::field);
    } catch (const TemplateError& error) {
      findings.problem(place, error.what());
    }
  });
}

Json BodyTemplate::expand(const Json& parameters) const { return filled(body_, parameters).value_or(Json()); }

void BodyTemplate::add_names_to(std::vector<std::string>& names) const {
  for_each_text(body_, "", [&](std::string_view text, const std::string&) {
    TemplateText(text, TemplatePlace::field).add_names_to(names);
  });
}

}  // namespace toolwire::bridge
