#include <map>

#include "types/generated_types.hpp"
#include "types/words.hpp"

namespace toolwire::bridge {
namespace {

using types::TypeNames;

std::string indented(std::size_t depth) { return std::string(2 * depth, ' '); }

void add_comment(std::string& text, const std::vector<std::string>& lines, std::size_t depth) {
  if (lines.empty()) return;
  if (lines.size() == 1) {
    text += indented(depth) + "/** " + lines.front() + " */\n";
    return;
  }
  text += indented(depth) + "/**\n";
  for (const std::string& line : lines) text += indented(depth) + " *" + (line.empty() ? "" : " " + line) + "\n";
  text += indented(depth) + " */\n";
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
  if (texts.empty()) return "never";
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : between) + text;
  return texts.size() == 1 ? all : "(" + all + ")";
}

/// The types of one schema document; what it refers to in itself gets names of its own.
class Document {
 public:
  Document(const Json& schema, std::string name, TypeNames& names)
      : schema_(schema), name_(std::move(name)), names_(names) {
    references_["#"] = name_;
  }

  /// Declarations, each a whole text.
  std::string declarations() {
    std::string text;
    if (schema_.is_object()) add_comment(text, types::comment_lines(schema_.get_object()), 0);
    text += "export type " + name_ + " = " + type(schema_, 0) + ";\n\n";
    while (!pending_.empty()) {
      const auto [name, target] = pending_.back();
      pending_.pop_back();
      if (target->is_object()) add_comment(text, types::comment_lines(target->get_object()), 0);
      text += "export type " + name + " = " + type(*target, 0) + ";\n\n";
    }
    return text;
  }

 private:
  std::string type(const Json& schema, std::size_t depth) {
    if (schema.is_bool()) return schema.get_bool() ? "unknown" : "never";
    if (!schema.is_object()) return "unknown";
    const JsonObject& object = schema.get_object();
    if (const Json* value = object.if_contains("const")) return to_json_text(*value);
    if (const Json* values = object.if_contains("enum"); values != nullptr && values->is_array())
      return literals(values->get_array());
    std::vector<std::string> parts;
    if (const Json* to = object.if_contains("$ref"); to != nullptr && to->is_string())
      parts.push_back(reference(std::string(to->get_string())));
    if (std::string own = own_type(object, depth); own != "unknown") parts.push_back(std::move(own));
    for (const char* const keyword : {"anyOf", "oneOf"}) add_branches(parts, object, keyword, " | ", depth);
    add_branches(parts, object, "allOf", " & ", depth);
    return parts.empty() ? "unknown" : joined(parts, " & ");
  }

  static std::string literals(const JsonArray& values) {
    std::vector<std::string> all;
    for (const Json& value : values) all.push_back(to_json_text(value));
    return joined(all, " | ");
  }

  void add_branches(std::vector<std::string>& parts, const JsonObject& object, const char* keyword, const char* between,
                    std::size_t depth) {
    const Json* const branches = object.if_contains(keyword);
    if (branches == nullptr || !branches->is_array()) return;
    std::vector<std::string> all;
    for (const Json& branch : branches->get_array()) all.push_back(type(branch, depth));
    parts.push_back(joined(all, between));
  }

  std::string reference(const std::string& to) {
    if (const auto known = references_.find(to); known != references_.end()) return known->second;
    const Json* const target = types::target_of(schema_, to);
    if (target == nullptr) return "unknown";
    std::string name = names_.make(name_, types::last_step(to));
    references_.emplace(to, name);
    pending_.emplace_back(name, target);
    return name;
  }

  std::string own_type(const JsonObject& object, std::size_t depth) {
    const Json* const stated = object.if_contains("type");
    if (stated == nullptr) return object.contains("properties") ? members(object, depth) : "unknown";
    if (stated->is_string()) return named_type(stated->get_string(), object, depth);
    std::vector<std::string> all;
    if (stated->is_array()) {
      for (const Json& one : stated->get_array())
        if (one.is_string()) all.push_back(named_type(one.get_string(), object, depth));
    }
    return all.empty() ? "unknown" : joined(all, " | ");
  }

  std::string named_type(std::string_view name, const JsonObject& object, std::size_t depth) {
    if (name == "integer" || name == "number") return "number";
    if (name == "object") return members(object, depth);
    if (name == "array") return array(object, depth);
    return name == "string" || name == "boolean" || name == "null" ? std::string(name) : "unknown";
  }

  std::string array(const JsonObject& object, std::size_t depth) {
    const Json* const items = object.if_contains("items");
    const Json* first = object.if_contains("prefixItems");
    const bool is_old_tuple = items != nullptr && items->is_array();
    if (is_old_tuple) first = items;
    if (first == nullptr || !first->is_array()) return "Array<" + (items ? type(*items, depth) : "unknown") + ">";
    std::vector<std::string> all;
    const Json* const least = object.if_contains("minItems");
    const std::size_t needed = least != nullptr && least->is_number() ? least->to_number<std::size_t>() : 0;
    for (const Json& one : first->get_array()) all.push_back(type(one, depth) + (all.size() < needed ? "" : "?"));
    const Json* const rest = is_old_tuple ? object.if_contains("additionalItems") : items;
    if (rest == nullptr || *rest != false)
      all.push_back("..." + (rest ? "Array<" + type(*rest, depth) + ">" : "unknown[]"));
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
    return "[" + text + "]";
  }

  std::string members(const JsonObject& object, std::size_t depth) {
    const Json* const properties = object.if_contains("properties");
    const Json* const others = object.if_contains("additionalProperties");
    const std::vector<const Json*> patterns = types::patterns_of(object);
    const bool has_members = properties != nullptr && properties->is_object() && !properties->get_object().empty();
    if (!has_members) return dictionary(patterns, others, depth);
    std::string text = "{\n";
    for (const auto& [name, schema] : properties->get_object()) {
      if (schema.is_object()) add_comment(text, types::comment_lines(schema.get_object()), depth + 1);
      text += indented(depth + 1) + (types::is_identifier(name) ? std::string(name) : to_json_text(Json(name))) +
              (is_required(object, name) ? ": " : "?: ") + type(schema, depth + 1) + ";\n";
    }
    if (!patterns.empty() || (others != nullptr && others->is_object()))
      text += indented(depth + 1) + "[name: string]: unknown;\n";
    return text + indented(depth) + "}";
  }

  std::string dictionary(const std::vector<const Json*>& patterns, const Json* others, std::size_t depth) {
    if (others == nullptr || *others == true) return "{ [name: string]: unknown }";
    std::vector<std::string> all;
    all.reserve(patterns.size() + 1);
    for (const Json* const pattern : patterns) all.push_back(type(*pattern, depth));
    if (*others != false) all.push_back(type(*others, depth));
    return all.empty() ? "Record<string, never>" : "{ [name: string]: " + joined(all, " | ") + " }";
  }

  static bool is_required(const JsonObject& object, std::string_view name) {
    const Json* const required = object.if_contains("required");
    if (required == nullptr || !required->is_array()) return false;
    for (const Json& one : required->get_array())
      if (one == Json(name)) return true;
    return false;
  }

  const Json& schema_;
  const std::string name_;
  TypeNames& names_;
  std::map<std::string, std::string> references_;
  std::vector<std::pair<std::string, const Json*>> pending_;
};

}  // namespace

std::string typescript_types(const std::vector<ToolDefinition>& tools) {
  TypeNames names({"Tools", "Record", "Array", "Promise"});
  std::string text = "// Generated by `toolwire-bridge types`; edits are lost when it runs again.\n\n";
  std::string all;
  for (const ToolDefinition& tool : tools) {
    const std::string parameters = names.make(tool.name, "parameters");
    text += Document(tool.parameters, parameters, names).declarations();
    std::string result = "string";
    if (!tool.output.is_null()) {
      result = names.make(tool.name, "output");
      text += Document(tool.output, result, names).declarations();
    }
    add_comment(all, types::comment_lines(JsonObject{{"description", tool.description}}), 1);
    all += "  " + (types::is_identifier(tool.name) ? tool.name : to_json_text(Json(tool.name))) +
           "(parameters: " + parameters + "): Promise<" + result + ">;\n";
  }
  return text +
         "/** All tools, as they are called. Without a schema of its result a tool gives a text. */\nexport interface "
         "Tools {\n" +
         all + "}\n";
}

}  // namespace toolwire::bridge
