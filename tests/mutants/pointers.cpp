#include "pointers.hpp"

#include <charconv>
#include <stdexcept>
#include <string>

namespace mutants {
namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;

struct Step {
  std::string segment;
  std::string_view rest;
};

Step first_step(std::string_view pointer) {
  if (pointer.front() != '/') throw std::invalid_argument("a pointer begins with /: " + std::string(pointer));
  pointer.remove_prefix(1);
  const std::size_t slash = pointer.find('/');
  Step step{std::string(pointer.substr(0, slash)),
            slash == std::string_view::npos ? std::string_view{} : pointer.substr(slash)};
  for (std::size_t at = 0; (at = step.segment.find('~', at)) != std::string::npos; ++at)
    step.segment.replace(at, 2, step.segment.compare(at, 2, "~1") == 0 ? "/" : "~");
  return step;
}

/// Null if there is no such element.
Json* element(JsonArray& array, std::string_view segment) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(segment.data(), segment.data() + segment.size(), index);
  return error == std::errc{} && end == segment.data() + segment.size() && index < array.size() ? &array[index]
                                                                                                : nullptr;
}

template <class Look>
void each_child(Json& json, const std::string& segment, Look look) {
  if (JsonArray* array = json.if_array()) {
    if (segment == "*") {
      for (Json& child : *array) look(child);
    } else if (Json* child = element(*array, segment)) {
      look(*child);
    }
  } else if (JsonObject* object = json.if_object()) {
    if (segment == "*") {
      for (auto& member : *object) look(member.value());
    } else if (Json* child = object->if_contains(segment)) {
      look(*child);
    }
  }
}

}  // namespace

void each(Json& json, std::string_view pointer, const std::function<void(Json&)>& look) {
  if (pointer.empty()) return look(json);
  const Step step = first_step(pointer);
  each_child(json, step.segment, [&](Json& child) { each(child, step.rest, look); });
}

const Json* find(const Json& json, std::string_view pointer) {
  const Json* found = nullptr;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): looking changes nothing; one walk serves both
  each(const_cast<Json&>(json), pointer, [&](Json& value) {
    if (found == nullptr) found = &value;
  });
  return found;
}

void set(Json& json, std::string_view pointer, const Json& value) {
  if (pointer.empty()) {
    json = value;
    return;
  }
  const Step step = first_step(pointer);
  if (JsonArray* array = json.if_array(); array != nullptr && step.segment == "-") {
    array->push_back(nullptr);
    return set(array->back(), step.rest, value);
  }
  if (JsonObject* object = json.if_object(); object != nullptr && step.segment != "*") {
    Json& child = (*object)[step.segment];
    if (child.is_null() && !step.rest.empty()) child = JsonObject{};
    return set(child, step.rest, value);
  }
  each_child(json, step.segment, [&](Json& child) { set(child, step.rest, value); });
}

void remove(Json& json, std::string_view pointer) {
  const std::size_t slash = pointer.rfind('/');
  const std::string name = first_step(pointer.substr(slash)).segment;
  each(json, pointer.substr(0, slash), [&](Json& parent) {
    if (JsonObject* object = parent.if_object()) {
      if (name == "*")
        object->clear();
      else
        object->erase(name);
    } else if (JsonArray* array = parent.if_array()) {
      if (name == "*")
        array->clear();
      else if (Json* child = element(*array, name))
        array->erase(array->begin() + (child - array->data()));
    }
  });
}

}  // namespace mutants
