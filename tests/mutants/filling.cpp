#include "filling.hpp"

#include "pointers.hpp"

namespace mutants {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;

Json filled(const Json& pattern, const Event& event, const Notes& notes) {
  const auto at = [](const Json& json, std::string_view pointer) {
    const Json* found = find(json, pointer);
    return found != nullptr ? *found : Json(nullptr);
  };
  if (const JsonArray* array = pattern.if_array()) {
    JsonArray result;
    for (const Json& it : *array) result.push_back(filled(it, event, notes));
    return result;
  }
  if (const JsonObject* object = pattern.if_object()) {
    JsonObject result;
    for (const auto& member : *object) result[member.key()] = filled(member.value(), event, notes);
    return result;
  }
  if (!pattern.is_string()) return pattern;
  const std::string_view text = pattern.get_string();
  if (text.starts_with("$$")) return Json(text.substr(1));
  if (text == "$id") return at(event.message, "/id");
  if (text.starts_with("$request")) return at(event.request, text.substr(8));
  if (text.starts_with("$message")) return at(event.message, text.substr(8));
  if (text.starts_with("$note/")) {
    auto note = notes.find(std::string(text.substr(6)));
    return note != notes.end() ? note->second : Json(nullptr);
  }
  return pattern;
}

}  // namespace mutants
