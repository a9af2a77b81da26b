#include "passive/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

using Misfit = std::optional<std::string>;

bool is_integer(const Json& json) {
  return json.is_int64() || json.is_uint64() ||
         (json.is_double() && std::floor(json.get_double()) == json.get_double());
}

struct Simple {
  std::string_view name, words;
  bool (*fits)(const Json& json);
};

constexpr Simple simple_types[] = {
    {"any", "anything", [](const Json&) { return true; }},
    {"string", "a string", [](const Json& json) { return json.is_string(); }},
    {"integer", "an integer", is_integer},
    {"natural", "an integer that is not negative",
     [](const Json& json) { return is_integer(json) && json.to_number<double>() >= 0; }},
    {"number", "a number", [](const Json& json) { return json.is_number(); }},
    {"share", "a number from 0 to 1",
     [](const Json& json) {
       return json.is_number() && json.to_number<double>() >= 0 && json.to_number<double>() <= 1;
     }},
    {"boolean", "a boolean", [](const Json& json) { return json.is_bool(); }},
    {"object", "an object", [](const Json& json) { return json.is_object(); }},
    {"null", "null", [](const Json& json) { return json.is_null(); }},
    {"role", "\"user\" or \"assistant\"",
     [](const Json& json) { return text_of(json) == "user" || text_of(json) == "assistant"; }},
    {"id", "a string or an integer", [](const Json& json) { return json.is_string() || is_integer(json); }},
};

const Simple* simple_type(std::string_view name) {
  const auto found = std::find_if(std::begin(simple_types), std::end(simple_types),
                                  [&](const Simple& type) { return type.name == name; });
  return found != std::end(simple_types) ? found : nullptr;
}

std::string text_of_kind(const Json& json) {
  return json.is_object() ? "an object" : json.is_array() ? "an array" : shown(json);
}

std::string not_this(const std::string& path, std::string_view expected, const Json& json) {
  return (path.empty() ? "it" : path) + ": expected " + std::string(expected) + ", found " + text_of_kind(json);
}

std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

/// The walk of one value; `revision` is the same for all of it.
class Walk {
 public:
  explicit Walk(std::string_view revision) : revision_(revision) {}

  Misfit type(const Json& json, std::string_view type, const std::string& path) const {
    if (const std::size_t bar = type.find('|'); bar != std::string_view::npos) return one_of(json, type, path);
    if (type.ends_with("[]")) return items(json, type.substr(0, type.size() - 2), path);
    if (type.ends_with("{}")) return values(json, type.substr(0, type.size() - 2), path);
    if (type.starts_with('\'')) {
      const std::string_view text = type.substr(1, type.size() - 2);
      return json.is_string() && text_of(json) == text ? Misfit()
                                                       : not_this(path, "\"" + std::string(text) + "\"", json);
    }
    if (const Simple* simple = simple_type(type))
      return simple->fits(json) ? Misfit() : not_this(path, simple->words, json);
    return shape(json, type, path);
  }

 private:
  Misfit one_of(const Json& json, std::string_view types, const std::string& path) const {
    for (std::string_view rest = types; !rest.empty();) {
      const std::string_view first = rest.substr(0, rest.find('|'));
      if (!type(json, first, path)) return std::nullopt;
      rest.remove_prefix(std::min(rest.size(), first.size() + 1));
    }
    return not_this(path, types, json);
  }

  Misfit items(const Json& json, std::string_view item, const std::string& path) const {
    const JsonArray* array = json.if_array();
    if (array == nullptr) return not_this(path, "an array", json);
    for (std::size_t i = 0; i < array->size(); ++i) {
      if (auto misfit = type((*array)[i], item, path + "[" + std::to_string(i) + "]")) return misfit;
    }
    return std::nullopt;
  }

  Misfit values(const Json& json, std::string_view value, const std::string& path) const {
    const JsonObject* object = json.if_object();
    if (object == nullptr) return not_this(path, "an object", json);
    for (const auto& [name, member] : *object) {
      if (auto misfit = type(member, value, below(path, name))) return misfit;
    }
    return std::nullopt;
  }

  Misfit shape(const Json& json, std::string_view name, const std::string& path) const {
    if (!json.is_object()) return not_this(path, "an object", json);
    if (const Variant* first = first_variant(name)) {
      const Variant* variant = variant_of(name, text_of(get(json, "type")));
      if (variant == nullptr)
        return not_this(below(path, "type"), "a type like \"" + std::string(first->type) + "\"", get(json, "type"));
      return variant->since > revision_ ? Misfit() : shape(json, variant->is, path);
    }
    for (const Shape& candidate : shapes()) {
      if (candidate.name == name) return members(json.get_object(), candidate.members, path);
    }
    return std::nullopt;
  }

  static const Variant* first_variant(std::string_view shape) { return variant_of(shape, ""); }
  /// The first of them for no type.
  static const Variant* variant_of(std::string_view shape, std::string_view type) {
    for (const Variant& variant : variants()) {
      if (variant.shape == shape && (type.empty() || variant.type == type)) return &variant;
    }
    return nullptr;
  }

  Misfit members(const JsonObject& object, std::span<const Member> all, const std::string& path) const {
    for (const Member& each : all) {
      if (revision_ < each.since || revision_ > each.until) continue;
      if (auto misfit = member(object, each, path)) return misfit;
    }
    return std::nullopt;
  }

  Misfit member(const JsonObject& object, const Member& member, const std::string& path) const {
    const bool optional = member.name.ends_with('?');
    std::string_view names = member.name.substr(0, member.name.size() - (optional ? 1 : 0));
    bool found = false;
    for (std::string_view rest = names; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find('|'));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      const Json* value = object.if_contains(name);
      if (value == nullptr) continue;
      found = true;
      if (auto misfit = type(*value, member.type, below(path, name))) return misfit;
    }
    if (found || optional) return std::nullopt;
    return below(path, names) + " is missing";
  }

  const std::string_view revision_;
};

}  // namespace

std::optional<std::string> misfit(const Json& json, std::string_view type, std::string_view revision) {
  return Walk(revision).type(json, type, "");
}

}  // namespace toolwire::conformance
