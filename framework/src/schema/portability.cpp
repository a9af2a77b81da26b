// What each family of hosts refuses in the schema of a tool, as measured with them and read from their reports.
#include <algorithm>

#include "schema/uri.hpp"
#include "toolwire/schema.hpp"

namespace toolwire {
namespace {

std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

bool names_type(const JsonObject& schema, std::string_view name) {
  const Json* type = schema.if_contains("type");
  return type && type->is_string() && view(type->get_string()) == name;
}

class Lint {
 public:
  std::vector<PortabilityFinding> run(const Json& schema) {
    const auto* members = schema.if_object();
    if (!members) {
      refuse("TypeScript SDK", "the root is not an object schema", "write {\"type\": \"object\"}");
      return std::move(found_);
    }
    root(*members);
    visit(schema);
    return std::move(found_);
  }

 private:
  static constexpr int deepest = 128;

  void report(std::string_view host, bool refused, std::string problem, std::string rewrite) {
    found_.push_back({std::string(host), refused, pointer_, std::move(problem), std::move(rewrite)});
  }
  void refuse(std::string_view host, std::string problem, std::string rewrite) {
    report(host, true, std::move(problem), std::move(rewrite));
  }
  void note(std::string_view host, std::string problem, std::string rewrite) {
    report(host, false, std::move(problem), std::move(rewrite));
  }

  void root(const JsonObject& schema) {
    if (!names_type(schema, "object")) {
      refuse("TypeScript SDK", "the root has no \"type\": \"object\"; the whole tool list becomes invalid",
             "add \"type\": \"object\" at the root");
    }
    for (const char* choice : {"oneOf", "anyOf", "allOf"}) {
      if (!schema.contains(choice)) continue;
      refuse("Claude", std::string("\"") + choice + "\" at the root",
             "merge the alternatives into one object, or move them below a member");
    }
    if (schema.contains("$schema")) note("Gemini", "dislikes \"$schema\"", "leave it out; 2020-12 is the default");
  }

  void visit(const Json& value) {
    const auto* schema = value.if_object();
    if (!schema || depth_ >= deepest) return;
    ++depth_;
    check_references(*schema);
    check_types(*schema);
    check_object(*schema);
    for (const auto& member : *schema) descend(view(member.key()), member.value());
    --depth_;
  }

  void check_references(const JsonObject& schema) {
    for (const char* name : {"$ref", "$defs", "definitions"}) {
      if (!schema.contains(name)) continue;
      const std::string problem = std::string("\"") + name + "\"";
      refuse("Gemini", problem, "write the definition in place");
      if (name[1] == 'r')
        note("Cursor", problem + " is not resolved, so the model guesses the form", "write the definition in place");
    }
  }

  void check_types(const JsonObject& schema) {
    const Json* type = schema.if_contains("type");
    if (type && type->is_array()) {
      refuse("Gemini", "a list of types",
             "use one type; make the member optional instead of nullable, or use \"anyOf\"");
      refuse("Cursor", "a list of types: it refuses values of each of them", "use one type, or \"anyOf\"");
    }
    if (names_type(schema, "array") && !schema.contains("items")) {
      refuse("VS Code", "an array without \"items\"", "add \"items\"");
      refuse("Gemini", "an array without \"items\"", "add \"items\"");
      note("OpenAI strict", "an array without \"items\"", "add \"items\"");
    }
    if (const Json* items = schema.if_contains("items"); items && items->is_array()) {
      refuse("Claude", "\"items\" as an array is not JSON Schema 2020-12", "use \"prefixItems\"");
    }
  }

  // OpenAI's strict mode asks for the opposite of what Gemini likes, so both are notes.
  void check_object(const JsonObject& schema) {
    const Json* properties = schema.if_contains("properties");
    if (!names_type(schema, "object") && !properties) return;
    const Json* additional = schema.if_contains("additionalProperties");
    if (additional) note("Gemini", "dislikes \"additionalProperties\"", "harmless; leave it out for Gemini alone");
    if (!additional || *additional != Json(false)) {
      note("OpenAI strict", "the object is open", "add \"additionalProperties\": false for strict mode");
    }
    if (!properties || !properties->is_object()) return;
    const Json* required = schema.if_contains("required");
    const std::size_t listed = required && required->is_array() ? required->get_array().size() : 0;
    if (listed < properties->get_object().size()) {
      note("OpenAI strict", "not every property is required",
           "for strict mode require all, and let optional ones be null");
    }
  }

  void descend(std::string_view keyword, const Json& value) {
    static constexpr std::string_view maps[] = {"properties", "patternProperties", "$defs", "definitions",
                                                "dependentSchemas"};
    static constexpr std::string_view lists[] = {"oneOf", "anyOf", "allOf", "prefixItems", "items"};
    static constexpr std::string_view schemas[] = {
        "items",         "additionalProperties",  "contains",        "not", "if", "then", "else",
        "propertyNames", "unevaluatedProperties", "unevaluatedItems"};
    const auto among = [&](const auto& names) {
      return std::find(std::begin(names), std::end(names), keyword) != std::end(names);
    };
    const std::size_t before = pointer_.size();
    schema::append_pointer(pointer_, keyword);
    if (value.is_object() && among(maps)) {
      for (const auto& member : value.get_object()) below(view(member.key()), member.value());
    } else if (value.is_array() && among(lists)) {
      for (std::size_t index = 0; index < value.get_array().size(); ++index)
        below(std::to_string(index), value.get_array()[index]);
    } else if (among(schemas)) {
      visit(value);
    }
    pointer_.resize(before);
  }

  void below(std::string_view token, const Json& value) {
    const std::size_t before = pointer_.size();
    schema::append_pointer(pointer_, token);
    visit(value);
    pointer_.resize(before);
  }

  std::vector<PortabilityFinding> found_;
  std::string pointer_ = "#";
  int depth_ = 0;
};

}  // namespace

std::vector<PortabilityFinding> schema_portability(const Json& schema) { return Lint().run(schema); }

}  // namespace toolwire
