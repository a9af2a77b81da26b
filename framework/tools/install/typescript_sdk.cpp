#include "typescript_sdk.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <toolwire/json_members.hpp>
#include <toolwire/schema.hpp>
#include <utility>

namespace toolwire::install {
namespace {

// Written from what the SDK does. Its names for these types, each of which is there with "Schema" behind it as well:
//   meta            RequestMeta, RelatedTaskMetadata, which Result has as "_meta"
//   icons           Icons, Icon
//   container       AssertObject: also takes arrays
//   capabilities    ServerCapabilities, ServerTasksCapability
//   software        Implementation, BaseMetadata
//   greeting        InitializeResult
//   hints           ToolAnnotations
//   tool            Tool, ToolExecution
//   tools           ListToolsResult, PaginatedResult, Cursor; its items are judged one by one, to name them
// A member that may be missing may not be null.
constexpr std::string_view definitions = R"({
  "meta": {"type": "object", "properties": {
    "progressToken": {"type": ["string", "integer"]},
    "io.modelcontextprotocol/related-task":
      {"type": "object", "required": ["taskId"], "properties": {"taskId": {"type": "string"}}}}},
  "icons": {"type": "array", "items": {"type": "object", "required": ["src"], "properties": {
    "src": {"type": "string"}, "mimeType": {"type": "string"},
    "sizes": {"type": "array", "items": {"type": "string"}}, "theme": {"enum": ["light", "dark"]}}}},
  "container": {"type": ["object", "array"]},
  "containers": {"type": "object", "additionalProperties": {"$ref": "#/$defs/container"}},
  "changes": {"type": "object", "properties": {"listChanged": {"type": "boolean"}}},
  "capabilities": {"type": "object", "properties": {
    "experimental": {"$ref": "#/$defs/containers"},
    "extensions": {"$ref": "#/$defs/containers"},
    "logging": {"$ref": "#/$defs/container"},
    "completions": {"$ref": "#/$defs/container"},
    "prompts": {"$ref": "#/$defs/changes"},
    "tools": {"$ref": "#/$defs/changes"},
    "resources": {"$ref": "#/$defs/changes", "properties": {"subscribe": {"type": "boolean"}}},
    "tasks": {"type": "object", "properties": {
      "list": {"$ref": "#/$defs/container"},
      "cancel": {"$ref": "#/$defs/container"},
      "requests": {"type": "object", "properties": {
        "tools": {"type": "object", "properties": {"call": {"$ref": "#/$defs/container"}}}}}}}}},
  "software": {"type": "object", "required": ["name", "version"], "properties": {
    "name": {"type": "string"}, "title": {"type": "string"}, "version": {"type": "string"},
    "websiteUrl": {"type": "string"}, "description": {"type": "string"}, "icons": {"$ref": "#/$defs/icons"}}},
  "greeting": {"type": "object", "required": ["protocolVersion", "capabilities", "serverInfo"], "properties": {
    "_meta": {"$ref": "#/$defs/meta"}, "protocolVersion": {"type": "string"},
    "capabilities": {"$ref": "#/$defs/capabilities"}, "serverInfo": {"$ref": "#/$defs/software"},
    "instructions": {"type": "string"}}},
  "hints": {"type": "object", "properties": {
    "title": {"type": "string"}, "readOnlyHint": {"type": "boolean"}, "destructiveHint": {"type": "boolean"},
    "idempotentHint": {"type": "boolean"}, "openWorldHint": {"type": "boolean"}}},
  "members": {"properties": {
    "properties": {"$ref": "#/$defs/containers"}, "required": {"type": "array", "items": {"type": "string"}}}},
  "tool": {"type": "object", "required": ["name"], "properties": {
    "name": {"type": "string"}, "title": {"type": "string"}, "description": {"type": "string"},
    "icons": {"$ref": "#/$defs/icons"}, "inputSchema": {"$ref": "#/$defs/members"},
    "outputSchema": {"$ref": "#/$defs/members", "type": "object", "required": ["type"],
                     "properties": {"type": {"const": "object"}}},
    "annotations": {"$ref": "#/$defs/hints"},
    "execution": {"type": "object",
                  "properties": {"taskSupport": {"enum": ["required", "optional", "forbidden"]}}},
    "_meta": {"type": "object"}}},
  "tools": {"type": "object", "required": ["tools"], "properties": {
    "_meta": {"$ref": "#/$defs/meta"}, "nextCursor": {"type": "string"}, "tools": {"type": "array"}}}
})";

/// Those that may not be missing, so that nobody can leave them out.
constexpr std::string_view needed[] = {"/name",         "/version",    "/protocolVersion",
                                       "/capabilities", "/serverInfo", "/outputSchema/type",
                                       "/tools",        "/src",        "/taskId"};

Schema compiled(std::string_view definition) {
  return Schema::compile(
      JsonObject{{"$defs", parse_json(definitions)}, {"$ref", "#/$defs/" + std::string(definition)}});
}

/// Whether the member of an object at the path may be missing. Elements of arrays may not.
bool may_be_missing(std::string_view path) {
  const bool is_member = !path.empty() && (path.back() < '0' || path.back() > '9');
  return is_member && std::ranges::none_of(needed, [&](std::string_view name) { return path.ends_with(name); });
}

/// What to do about it, where that is not to write what is expected.
std::string advice_for(const Json& value, const SchemaViolation& violation) {
  boost::system::error_code error;
  const std::string_view path = violation.instance_path;
  const Json* const found = value.find_pointer(path, error);
  if (found == nullptr) return {};
  if (*found == true && path.find("Schema/properties/") != std::string_view::npos) return "; write {} instead of true";
  return found->is_null() && may_be_missing(path) ? "; leave it out instead of null" : "";
}

void judge(const Schema& schema, const Json& value, const std::string& before, std::vector<std::string>& faults) {
  for (const SchemaViolation& violation : schema.validate(value))
    faults.push_back(before + violation.text() + advice_for(value, violation));
}

/// The first of them, and how many more there are.
std::vector<std::string> shortened(std::vector<std::string> faults) {
  constexpr std::size_t most = 5;
  if (faults.size() <= most) return faults;
  const std::size_t more = faults.size() - most;
  faults.resize(most);
  faults.back() += " (and " + std::to_string(more) + " more like these)";
  return faults;
}

}  // namespace

std::vector<std::string> faults_of_greeting(const Json& result) {
  static const Schema schema = compiled("greeting");
  std::vector<std::string> faults;
  judge(schema, result, "hosts with the TypeScript SDK refuse its answer to initialize: ", faults);
  return shortened(std::move(faults));
}

std::vector<std::string> faults_of_tools(const Json& result) {
  static const Schema schema = compiled("tools"), tool_schema = compiled("tool");
  const std::string before = "hosts with the TypeScript SDK see none of its tools, because of ";
  std::vector<std::string> faults;
  judge(schema, result, before, faults);
  std::size_t number = 0;
  if (const JsonArray* const tools = array_member(result, "tools")) {
    for (const Json& tool : *tools) {
      ++number;
      const std::string name = text_or(tool, "name");
      judge(tool_schema, tool,
            before + (name.empty() ? "its tool number " + std::to_string(number) : "its tool \"" + name + "\"") + ": ",
            faults);
    }
  }
  return shortened(std::move(faults));
}

std::string fault_of_line(std::string_view line) {
  const std::string before = "hosts with the TypeScript SDK do not see its answers: ";
  try {
    const Json value = parse_json(line);  // JSONRPCMessage; with a result JSONRPCResultResponse
    if (value.is_array()) return before + "they stand in an array; write each on a line of its own";
    const JsonObject* const message = value.if_object();
    if (message == nullptr || !message->contains("result")) return {};
    constexpr std::string_view members[] = {"jsonrpc", "id", "result"};
    for (const auto& member : *message) {
      if (std::ranges::find(members, std::string_view(member.key())) == std::end(members))
        return before + "\"" + std::string(member.key()) + "\" stands beside \"result\"; leave it out";
    }
  } catch (const JsonError&) {  // no message at all
    return {};
  }
  return {};
}

}  // namespace toolwire::install
