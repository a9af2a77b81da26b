#include "driver/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/schema.hpp>

#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

constexpr int deepest = 16;
constexpr double longest_text = 1e6;

Json value_for(const Json& root, const Json& unresolved, int depth);

/// A reference within the document; anything else is left as it is.
const Json& resolved(const Json& root, const Json& schema) {
  const std::string_view reference = text_of(get(schema, "$ref"));
  if (!reference.starts_with("#")) return schema;
  boost::system::error_code error;
  const Json* target = root.find_pointer(reference.substr(1), error);
  return target != nullptr ? *target : schema;
}

double number_or(const Json& value, double otherwise) {
  return value.is_number() ? value.to_number<double>() : otherwise;
}

Json number_for(const Json& schema, bool whole) {
  const double step = number_or(get(schema, "multipleOf"), whole ? 1.0 : 0.0);
  double value = number_or(get(schema, "minimum"), 1.0);
  value = std::max(value, number_or(get(schema, "exclusiveMinimum"), value - 1.0) + (whole ? 1.0 : 0.5));
  value = std::min(value, number_or(get(schema, "maximum"), value));
  if (const Json& below = get(schema, "exclusiveMaximum"); below.is_number())
    value = std::min(value, below.to_number<double>() - (whole ? 1.0 : 0.5));
  if (step > 0) value = std::ceil(value / step) * step;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json string_for(const Json& schema) {
  const std::string_view format = text_of(get(schema, "format"));
  if (format == "email") return "someone@example.com";
  if (format == "uri" || format == "url") return "https://example.com/";
  if (format == "date") return "2025-01-31";
  if (format == "date-time") return "2025-01-31T12:00:00Z";
  if (format == "time") return "12:00:00Z";
  if (format == "uuid") return "123e4567-e89b-42d3-a456-426614174000";
  std::string text = "text";
  const auto shortest = static_cast<std::size_t>(std::clamp(number_or(get(schema, "minLength"), 0), 0.0, longest_text));
  const auto longest =
      static_cast<std::size_t>(std::clamp(number_or(get(schema, "maxLength"), longest_text), 0.0, longest_text));
  while (text.size() < shortest) text += "x";
  if (text.size() > longest) text.resize(longest);
  return Json(text);
}

Json array_for(const Json& root, const Json& schema, int depth) {
  JsonArray array;
  const auto fewest = static_cast<std::size_t>(number_or(get(schema, "minItems"), 0));
  while (array.size() < fewest && array.size() < 1000) array.push_back(value_for(root, get(schema, "items"), depth));
  return array;
}

Json object_for(const Json& root, const Json& schema, int depth) {
  JsonObject object;
  if (const JsonArray* required = get(schema, "required").if_array()) {
    for (const Json& name : *required) {
      if (name.is_string())
        object[name.get_string()] = value_for(root, get(schema, "properties", text_of(name)), depth);
    }
  }
  return object;
}

std::string_view type_of(const Json& schema) {
  const Json& type = get(schema, "type");
  if (type.is_array() && !type.get_array().empty()) return text_of(type.get_array().front());
  if (type.is_string()) return text_of(type);
  return get(schema, "properties").is_object() || get(schema, "required").is_array() ? "object" : "string";
}

Json value_for(const Json& root, const Json& unresolved, int depth) {
  const Json& schema = resolved(root, unresolved);
  if (depth > deepest) return nullptr;
  const JsonObject* members = schema.if_object();
  if (members != nullptr && members->contains("const")) return members->at("const");
  if (members != nullptr && members->contains("default")) return members->at("default");
  for (std::string_view list : {"examples", "enum"}) {
    const JsonArray* values = get(schema, list).if_array();
    if (values != nullptr && !values->empty()) return values->front();
  }
  for (std::string_view choice : {"oneOf", "anyOf", "allOf"}) {
    const JsonArray* schemas = get(schema, choice).if_array();
    if (schemas != nullptr && !schemas->empty() && get(schema, "type").is_null())
      return value_for(root, schemas->front(), depth + 1);
  }
  const std::string_view type = type_of(schema);
  if (type == "object") return object_for(root, schema, depth + 1);
  if (type == "array") return array_for(root, schema, depth + 1);
  if (type == "integer" || type == "number") return number_for(schema, type == "integer");
  if (type == "boolean") return true;
  return type == "null" ? Json(nullptr) : string_for(schema);
}

/// Searches a schema for one that leads back to itself.
class Loop {
 public:
  explicit Loop(const Json& root) : root_(root) {}

  /// False if there is none.
  bool find() { return search(root_); }

  /// JSON text; see deep_arguments.
  std::string text(std::size_t levels, const JsonObject& given) const {
    std::string before, after, opening, closing;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const bool repeats = i >= begin_;
      add(steps_[i], i == 0 ? given : JsonObject(), repeats ? opening : before, repeats ? closing : after);
    }
    std::string all = std::move(before);
    for (std::size_t i = 0; i < levels; ++i) all += opening;
    all += to_json_text(value_for(root_, *again_, 0));
    for (std::size_t i = 0; i < levels; ++i) all += closing;
    return all + after;
  }

 private:
  /// From a schema into the value of a member, or an item of a list, if there is no name.
  struct Step {
    const Json* from = nullptr;
    std::string_view name = {};
    bool is_item = false;
  };
  static constexpr std::size_t max_path = 100;
  static constexpr std::string_view any_name = "any";

  /// One that the search is in, and how many steps lead to it.
  struct Entered {
    const Json* schema = nullptr;
    std::size_t steps = 0;
  };

  bool search(const Json& unresolved) {
    const Json& schema = resolved(root_, unresolved);
    const auto again = std::ranges::find(path_, &schema, &Entered::schema);
    if (again != path_.end()) {
      begin_ = again->steps;
      again_ = &schema;
      return begin_ < steps_.size();
    }
    if (!schema.is_object() || path_.size() == max_path || !seen_.insert(&schema).second) return false;
    path_.push_back({&schema, steps_.size()});
    if (search_in(schema)) return true;
    path_.pop_back();
    return false;
  }

  bool search_in(const Json& schema) {
    if (const JsonObject* properties = get(schema, "properties").if_object()) {
      for (const auto& [name, property] : *properties) {
        if (search_below({&schema, name}, property)) return true;
      }
    }
    if (search_below({.from = &schema, .is_item = true}, get(schema, "items"))) return true;
    if (search_below({&schema, any_name}, get(schema, "additionalProperties"))) return true;
    for (const std::string_view choice : {"anyOf", "oneOf", "allOf"}) {
      const JsonArray* const schemas = get(schema, choice).if_array();
      if (schemas != nullptr && std::ranges::any_of(*schemas, [this](const Json& one) { return search(one); }))
        return true;
    }
    return false;
  }

  bool search_below(const Step& step, const Json& schema) {
    steps_.push_back(step);
    if (search(schema)) return true;
    steps_.pop_back();
    return false;
  }

  /// What stands before and behind the value that the step leads to.
  void add(const Step& step, const JsonObject& given, std::string& before, std::string& after) const {
    after.insert(0, step.is_item ? "]" : "}");
    if (step.is_item) {
      before += '[';
      return;
    }
    JsonObject members(object_for(root_, *step.from, 0).get_object());
    for (const auto& [name, value] : given) members[name] = value;
    members.erase(step.name);
    std::string others = to_json_text(Json(std::move(members)));
    others.pop_back();
    before += others + (others == "{" ? "" : ",") + to_json_text(Json(step.name)) + ":";
  }

  const Json& root_;
  std::vector<Entered> path_;
  std::vector<Step> steps_;
  std::size_t begin_ = 0;  // of those that lead back
  const Json* again_ = nullptr;
  std::set<const Json*> seen_;
};

/// `object` with a value for each property of the schema.
JsonObject all_members(const Json& schema, JsonObject object) {
  const JsonObject* properties = get(schema, "properties").if_object();
  for (const auto& [name, property] : properties != nullptr ? *properties : JsonObject{}) {
    if (!object.contains(name)) object[name] = value_for(schema, property, 0);
  }
  return object;
}

}  // namespace

std::optional<JsonObject> arguments_for(const Json& schema) {
  Json least = value_for(schema, schema, 0);
  if (!least.is_object()) return std::nullopt;
  try {
    const Schema compiled = Schema::compile(schema, {.unsupported_pattern = UnsupportedPattern::annotate});
    if (compiled.is_valid(least)) return std::move(least.get_object());
    Json most = all_members(schema, least.get_object());  // as where one of two is required
    if (compiled.is_valid(most)) return std::move(most.get_object());
  } catch (const SchemaError&) {
    return std::nullopt;  // the schema does not compile: the lint reports it
  }
  return std::nullopt;
}

std::optional<std::string> deep_arguments(const Json& schema, std::size_t levels, const JsonObject& given) {
  Loop loop(schema);
  return loop.find() ? std::optional(loop.text(levels, given)) : std::nullopt;
}

bool may_fit(const Json& schema, const JsonObject& arguments) {
  try {
    return Schema::compile(schema, {.unsupported_pattern = UnsupportedPattern::annotate}).is_valid(Json(arguments));
  } catch (const SchemaError&) {
    return true;
  }
}

}  // namespace toolwire::conformance
