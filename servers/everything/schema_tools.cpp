// Schemas of every dialect: some that clients must receive unchanged, and some that a server must refuse.
#include <cstdlib>
#include <string>

#include "everything/everything.hpp"

namespace everything {
namespace {

using namespace toolwire;

template <class F>
void add_with_schema(Server& server, std::string name, std::string description, std::string_view schema, F handler) {
  ToolInfo info = harmless(std::move(name), std::move(description));
  info.input_schema = parse_json(schema);
  server.tool(std::move(info), std::move(handler));
}

constexpr std::string_view newest = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
    }
  },
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}
  },
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false
})";

constexpr std::string_view older = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "definitions": {"count": {"type": "integer", "minimum": 0}},
  "properties": {
    "count": {"$ref": "#/definitions/count"},
    "pair": {"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false}
  },
  "required": ["count"]
})";

constexpr std::string_view unheard_of = R"({
  "$schema": "https://example.org/schemas/of-nobody",
  "type": "object",
  "properties": {"value": {"type": "string"}}
})";

constexpr std::string_view recursive = R"({
  "type": "object",
  "$defs": {
    "node": {
      "type": "object",
      "properties": {"name": {"type": "string"}, "child": {"$ref": "#/$defs/node"}},
      "additionalProperties": false
    }
  },
  "properties": {"tree": {"$ref": "#/$defs/node"}},
  "required": ["tree"]
})";

constexpr std::string_view routed = R"({
  "type": "object",
  "properties": {
    "region": {"type": "string", "x-mcp-header": "Region"},
    "priority": {"type": "integer", "x-mcp-header": "Priority"}
  },
  "required": ["region"]
})";

/// A test suite can listen on the port in the reference to see whether anyone follows it.
std::string reference() {
  const char* port = std::getenv("TOOLWIRE_CONFORMANCE_PORT");
  return "http://127.0.0.1:" + std::string(port != nullptr ? port : "9") + "/value.json";
}

}  // namespace

void add_schema_tools(Server& server) {
  const auto tell = [](const Json& arguments) {
    return "JSON Schema 2020-12 tool called with: " + to_json_text(arguments);
  };
  add_with_schema(server, "json_schema_2020_12_tool", "A schema with keywords of 2020-12 of many kinds", newest, tell);
  add_with_schema(server, "test_schema_draft07", "A schema of draft-07, where items may be a list", older,
                  [](const Json& arguments) { return "draft-07: " + to_json_text(arguments); });
  add_with_schema(server, "test_schema_unknown_dialect", "A schema of a dialect nobody knows: calls are refused",
                  unheard_of, [](const Json&) { return "never called"; });
  add_with_schema(server, "test_schema_recursive", "A tree whose schema refers to itself", recursive,
                  [](const Json&) { return "a tree"; });
  add_with_schema(server, "test_echo_json", "Says the same, whatever it is",
                  R"({"type": "object", "properties": {"value": {}}, "required": ["value"]})",
                  [](const Json& arguments) { return to_json_text(arguments.at("value")); });
  add_with_schema(server, "test_header_parameters", "Over HTTP, its parameters are repeated in header fields", routed,
                  [](const Json& arguments) { return "routed to " + to_json_text(arguments.at("region")); });
  const Json elsewhere =
      JsonObject{{"type", "object"}, {"properties", JsonObject{{"value", JsonObject{{"$ref", reference()}}}}}};
  add_with_schema(server, "test_schema_network_ref", "A reference to a server elsewhere: calls are refused",
                  to_json_text(elsewhere), [](const Json&) { return "never called"; });
}

}  // namespace everything
