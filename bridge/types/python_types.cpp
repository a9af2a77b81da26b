#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>

#include "types/generated_types.hpp"
#include "types/words.hpp"

namespace toolwire::bridge {
namespace {

using types::TypeNames;

constexpr std::array<std::string_view, 35> keywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool is_name(std::string_view text) {
  return types::is_identifier(text) && std::ranges::find(keywords, text) == keywords.end();
}

/// JSON's strings are Python's, but for characters beyond the first plane, which are written as they are.
std::string literal(const Json& value) {
  if (value.is_bool()) return value.get_bool() ? "True" : "False";
  return value.is_null() ? "None" : to_json_text(value);
}

/// Any beside other types is Any.
std::string union_of(const std::vector<std::string>& all) {
  if (std::ranges::find(all, "Any") != all.end()) return "Any";
  std::vector<std::string> once;
  for (const std::string& one : all)
    if (std::ranges::find(once, one) == once.end()) once.push_back(one);
  if (once.empty()) return "Any";
  std::string text;
  for (const std::string& one : once) text += (text.empty() ? "" : ", ") + one;
  return once.size() == 1 ? text : "Union[" + text + "]";
}

void add_comment(std::string& text, const std::vector<std::string>& lines, const char* before) {
  for (const std::string& line : lines) text += std::string(before) + (line.empty() ? "#" : "# " + line) + "\n";
}

bool contains(const Json* list, std::string_view text) {
  if (list == nullptr || !list->is_array()) return false;
  return std::ranges::any_of(list->get_array(), [&](const Json& one) { return one == Json(text); });
}

/// The types of one schema document. Every object with members becomes a TypedDict with a name.
class Document {
 public:
  Document(const Json& schema, const std::string& name, TypeNames& names)
      : schema_(schema), name_(name), names_(names) {
    references_["#"] = name;
    pending_.emplace_back(name, &schema);
  }

  std::string declarations() {
    std::string text;
    while (!pending_.empty()) {
      const auto [name, stated] = pending_.back();
      pending_.pop_back();
      const Json* const schema =
          stated->is_object() && stated->get_object().contains("allOf") ? &merged(*stated) : stated;
      if (schema->is_object()) add_comment(text, types::comment_lines(schema->get_object()), "");
      text += is_record(*schema) ? record(name, schema->get_object()) : name + " = " + type(*schema, name) + "\n";
      text += "\n";
    }
    return text;
  }

  std::string type(const Json& schema, const std::string& context) {
    if (!schema.is_object()) return schema == false ? "NoReturn" : "Any";
    const JsonObject& object = schema.get_object();
    if (const Json* value = object.if_contains("const")) return literals(JsonArray{*value});
    if (const Json* values = object.if_contains("enum"); values != nullptr && values->is_array())
      return literals(values->get_array());
    if (const Json* to = object.if_contains("$ref"); to != nullptr && to->is_string())
      return reference(std::string(to->get_string()));
    for (const char* const keyword : {"anyOf", "oneOf"}) {
      const Json* const branches = object.if_contains(keyword);
      if (branches == nullptr || !branches->is_array()) continue;
      if (std::string all = branch_types(branches->get_array(), context); all != "Any") return all;
    }
    return own_type(object.contains("allOf") ? merged(schema) : schema, context);
  }

 private:
  /// Python's types cannot be intersected: one object with the members of all.
  const Json& merged(const Json& schema) {
    JsonObject whole;
    add_members(whole, schema, 0);
    return owned_.emplace_back(std::move(whole));
  }

  void add_members(JsonObject& whole, const Json& schema, int depth) {
    constexpr int most = 16;  // parts may refer to each other
    if (!schema.is_object() || depth > most) return;
    for (const auto& [keyword, value] : schema.get_object()) {
      if (keyword == "properties" && value.is_object()) {
        add_all(whole.emplace(keyword, JsonObject{}).first->value().get_object(), value.get_object());
      } else if (keyword == "required" && value.is_array()) {
        add_all(whole.emplace(keyword, JsonArray{}).first->value().get_array(), value.get_array());
      } else if (keyword == "allOf" && value.is_array()) {
        for (const Json& part : value.get_array()) add_members(whole, part, depth + 1);
      } else if (keyword == "$ref" && value.is_string()) {
        if (const Json* const target = types::target_of(schema_, value.get_string()))
          add_members(whole, *target, depth + 1);
      } else if (keyword != "$defs" && keyword != "definitions") {
        whole.emplace(keyword, value);
      }
    }
  }

  static void add_all(JsonObject& to, const JsonObject& from) {
    for (const auto& [name, member] : from) to[name] = member;
  }
  static void add_all(JsonArray& to, const JsonArray& from) { to.insert(to.end(), from.begin(), from.end()); }

  static bool is_record(const Json& schema) {
    if (!schema.is_object()) return false;
    const JsonObject& object = schema.get_object();
    const Json* const properties = object.if_contains("properties");
    const Json* const stated = object.if_contains("type");
    const bool is_object = stated == nullptr || *stated == "object";
    return is_object && properties != nullptr && properties->is_object() && !properties->get_object().empty();
  }

  static std::string literals(const JsonArray& values) {
    std::string all;
    for (const Json& value : values) {
      if (value.is_double() || value.is_array() || value.is_object()) return "Any";  // no Literal of those
      all += (all.empty() ? "" : ", ") + literal(value);
    }
    return all.empty() ? "NoReturn" : "Literal[" + all + "]";
  }

  std::string branch_types(const JsonArray& branches, const std::string& context) {
    std::vector<std::string> all;
    for (const Json& branch : branches) all.push_back(type(branch, context));
    return union_of(all);
  }

  std::string reference(const std::string& to) {
    if (const auto known = references_.find(to); known != references_.end()) return known->second;
    const Json* const target = types::target_of(schema_, to);
    if (target == nullptr) return "Any";
    std::string name = names_.make(name_, types::last_step(to));
    references_.emplace(to, name);
    pending_.emplace_back(name, target);
    return name;
  }

  std::string own_type(const Json& schema, const std::string& context) {
    const JsonObject& object = schema.get_object();
    const Json* const stated = object.if_contains("type");
    if (stated != nullptr && stated->is_array()) {
      std::vector<std::string> all;
      for (const Json& one : stated->get_array())
        if (one.is_string()) all.push_back(named_type(one.get_string(), schema, context));
      return union_of(all);
    }
    if (stated != nullptr && stated->is_string()) return named_type(stated->get_string(), schema, context);
    return object.contains("properties") ? named_type("object", schema, context) : "Any";
  }

  std::string named_type(std::string_view name, const Json& schema, const std::string& context) {
    static const std::map<std::string_view, const char*> plain{
        {"string", "str"}, {"number", "float"}, {"integer", "int"}, {"boolean", "bool"}, {"null", "None"}};
    if (const auto found = plain.find(name); found != plain.end()) return found->second;
    const JsonObject& object = schema.get_object();
    if (name == "array") return "List[" + element_type(object, context + "Item") + "]";
    if (name != "object") return "Any";
    if (const Json* properties = object.if_contains("properties");
        properties != nullptr && properties->is_object() && !properties->get_object().empty()) {
      std::string own = names_.make(context);
      pending_.emplace_back(own, &schema);
      return own;
    }
    return "Dict[str, " + value_type(object, context + "Value") + "]";
  }

  /// Any of the types that elements have at their places: what JSON has as an array is no tuple in Python.
  std::string element_type(const JsonObject& object, const std::string& context) {
    const Json* const items = object.if_contains("items");
    const bool is_old_tuple = items != nullptr && items->is_array();
    const Json* const first = is_old_tuple ? items : object.if_contains("prefixItems");
    const Json* const rest = is_old_tuple ? object.if_contains("additionalItems") : items;
    std::vector<std::string> all;
    if (first != nullptr && first->is_array())
      for (const Json& one : first->get_array()) all.push_back(type(one, context));
    if (rest == nullptr) return "Any";
    if (*rest != false) all.push_back(type(*rest, context));
    return union_of(all);
  }

  std::string value_type(const JsonObject& object, const std::string& context) {
    const Json* const others = object.if_contains("additionalProperties");
    if (others == nullptr) return "Any";
    std::vector<std::string> all;
    for (const Json* const pattern : types::patterns_of(object)) all.push_back(type(*pattern, context));
    if (all.empty() || *others != false) all.push_back(type(*others, context));
    return union_of(all);
  }

  std::string record(const std::string& name, const JsonObject& object) {
    const JsonObject& properties = object.at("properties").get_object();
    const Json* const required = object.if_contains("required");
    const bool plain = std::ranges::all_of(properties, [](const auto& one) { return is_name(one.key()); });
    std::string text = plain ? "class " + name + "(TypedDict):\n" : name + " = TypedDict(\"" + name + "\", {\n";
    for (const auto& [member, schema] : properties) {
      if (schema.is_object()) add_comment(text, types::comment_lines(schema.get_object()), "    ");
      std::string kind = type(schema, name + "_" + std::string(member));
      if (!contains(required, member)) kind = "NotRequired[" + kind + "]";
      text += "    " + (plain ? std::string(member) + ": " + kind : literal(Json(member)) + ": " + kind + ",") + "\n";
    }
    return text + (plain ? "" : "})\n");
  }

  const Json& schema_;
  const std::string name_;
  TypeNames& names_;
  std::deque<Json> owned_;  // what pending_ may point into
  std::map<std::string, std::string> references_;
  std::vector<std::pair<std::string, const Json*>> pending_;
};

std::string function_of(const ToolDefinition& tool, const std::string& parameters, const std::string& result) {
  std::string text;
  add_comment(text, types::comment_lines(JsonObject{{"description", tool.description}}), "");
  if (!is_name(tool.name)) return text + "# \"" + tool.name + "\" is no name in Python.\n\n";
  return text + "def " + tool.name + "(parameters: " + parameters + ") -> " + result + ": ...\n\n";
}

}  // namespace

std::string python_types(const std::vector<ToolDefinition>& tools) {
  std::set<std::string> taken{"Any", "Dict", "List", "Literal", "NoReturn", "NotRequired", "TypedDict", "Union"};
  TypeNames names(std::move(taken));
  std::string text =
      "# Generated by `toolwire-bridge types`; edits are lost when it runs again.\n"
      "from typing import Any, Dict, List, Literal, NoReturn, TypedDict, Union\n"
      "from typing_extensions import NotRequired\n\n";
  std::string functions;
  for (const ToolDefinition& tool : tools) {
    const std::string parameters = names.make(tool.name, "parameters");
    text += Document(tool.parameters, parameters, names).declarations();
    std::string result = "str";
    if (!tool.output.is_null()) {
      result = names.make(tool.name, "output");
      text += Document(tool.output, result, names).declarations();
    }
    functions += function_of(tool, parameters, result);
  }
  return text + functions;
}

}  // namespace toolwire::bridge
