#include "manifest/read_tool.hpp"

#include <fmt/format.h>

#include <optional>

#include <toolwire/schema.hpp>

#include "manifest/members.hpp"
#include "manifest/meta_fields.hpp"
#include "manifest/tool_name.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::int64_t max_timeout = std::int64_t{366} * 24 * 3600;
constexpr std::int64_t greatest_rate = 1'000'000'000;

void check_name(const std::string& name, const std::string& pointer, Findings& findings) {
  if (!is_tool_name(name)) {
    findings.problem(
        pointer, fmt::format("expected 1 to {} characters of [A-Za-z0-9_], found {}", max_tool_name, in_quotes(name)));
  } else if (!is_usual_tool_name(name)) {
    findings.hint(pointer, "names are usually of small letters, digits and underscores, beginning with a letter");
  }
}

/// The schema, compiled; nothing if it cannot be, or is none of an object, which is a problem.
std::optional<Schema> compile(const Json& document, const std::string& pointer, Findings& findings) {
  try {
    Schema schema = Schema::compile(document);
    for (const SchemaNote& note : schema.notes()) {
      findings.hint(pointer + note.pointer.substr(note.pointer.find('/') == 1 ? 1 : note.pointer.size()), note.text);
    }
    return schema;
  } catch (const SchemaError& error) {
    const bool within = error.pointer.starts_with("#/");
    const std::string text = std::string(error.what()).substr(error.pointer.size() + 2);
    findings.problem(within ? pointer + error.pointer.substr(1) : pointer, "not a usable JSON Schema: " + text);
    return {};
  }
}

std::optional<Schema> read_parameters(Members& members, ToolDefinition& tool, Findings& findings) {
  const Members::Found found = members.find("parameters");
  tool.parameters = JsonObject{{"type", "object"}, {"properties", JsonObject{}}};
  if (found.value == nullptr) {
    members.missing("parameters", "a JSON Schema with \"type\": \"object\"");
    return {};
  }
  const JsonObject* schema = found.value->if_object();
  if (schema == nullptr) {
    findings.problem(found.pointer, fmt::format("expected a JSON Schema, found {}", kind_of(*found.value)));
    return {};
  }
  const Json* type = schema->if_contains("type");
  if (type == nullptr || *type != Json("object")) {
    findings.problem(below(found.pointer, "type"), "expected \"object\": arguments go by name");
  }
  tool.parameters = *found.value;
  take_meta_fields(tool, found.pointer, findings);
  return compile(tool.parameters, found.pointer, findings);
}

void check_value(const std::optional<Schema>& schema, const Json& value, const std::string& pointer,
                 std::string_view which, Findings& findings) {
  if (!schema) return;
  for (const SchemaViolation& violation : schema->validate(value)) {
    findings.problem(pointer + violation.instance_path, fmt::format("does not fit {}: {}", which, violation.text()));
  }
}

struct Schemas {
  std::optional<Schema> parameters = {};
  std::optional<Schema> output = {};
};

void read_example(const Json& document, const std::string& pointer, const Schemas& schemas, Findings& findings) {
  if (!document.is_object()) {
    findings.problem(pointer, fmt::format("expected an object, found {}", kind_of(document)));
    return;
  }
  Members members(document.get_object(), pointer, findings);
  members.optional_text("description");
  const Members::Found input = members.find("input");
  if (input.value == nullptr) {
    members.missing("input", "an object of arguments");
  } else if (!input.value->is_object()) {
    findings.problem(input.pointer, fmt::format("expected an object of arguments, found {}", kind_of(*input.value)));
  } else {
    check_value(schemas.parameters, *input.value, input.pointer, "the parameters", findings);
  }
  const Members::Found output = members.find("expected_output");
  if (output.value != nullptr) check_value(schemas.output, *output.value, output.pointer, "_output", findings);
  members.note_unknown();
}

void read_examples(Members& members, ToolMetadata& metadata, const Schemas& schemas, Findings& findings) {
  const JsonArray* examples = members.array("examples");
  if (examples == nullptr) return;
  std::size_t index = 0;
  JsonArray renamed;
  for (const Json& example : *examples) {
    read_example(example, below(below(members.pointer(), "examples"), index++), schemas, findings);
    renamed.push_back(example.is_object() ? Json(with_snake_case(example.get_object(), tool_example_names()))
                                          : example);
  }
  metadata.examples = std::move(renamed);
}

/// A member that is always there. A fetched manifest may leave it out.
bool read_flag(Members& members, std::string_view name, bool otherwise, ManifestOrigin origin) {
  const Members::Found found = members.find(name);
  if (found.value == nullptr && origin == ManifestOrigin::own) members.missing(name, "true or false");
  return members.flag(name).value_or(otherwise);
}

ToolMetadata read_metadata(const JsonObject& object, const std::string& pointer, const Schemas& schemas,
                           ManifestOrigin origin, Findings& findings) {
  Members members(object, pointer, findings);
  ToolMetadata metadata;
  metadata.enabled_by_default = read_flag(members, "enabled_by_default", false, origin);
  metadata.requires_approval = read_flag(members, "requires_approval", true, origin);
  metadata.timeout_seconds = members.count("timeout_seconds", max_timeout);
  metadata.rate_limit_per_minute = members.count("rate_limit_per_minute", greatest_rate);
  metadata.cost_estimate = members.stated_text("cost_estimate");
  metadata.long_running = members.flag("long_running");
  metadata.idempotent = members.flag("idempotent");
  metadata.modifies_state = members.flag("modifies_state");
  metadata.sensitive_output = members.flag("sensitive_output");
  metadata.tags = members.texts("tags");
  read_examples(members, metadata, schemas, findings);
  if (const JsonObject* behavior = members.object("async_behavior")) metadata.async_behavior = *behavior;
  members.note_unknown();
  return metadata;
}

void read_metadata_member(Members& members, ToolDefinition& tool, const Schemas& schemas, ManifestOrigin origin,
                          Findings& findings) {
  const Members::Found found = members.find("metadata");
  if (found.value != nullptr && !found.value->is_object()) {
    members.object("metadata");
    return;
  }
  if (found.value == nullptr && origin == ManifestOrigin::own) {
    members.missing("metadata", "an object with enabled_by_default and requires_approval");
    return;
  }
  const JsonObject nothing;
  const JsonObject& object = found.value == nullptr ? nothing : found.value->get_object();
  tool.metadata = read_metadata(object, found.pointer, schemas, origin, findings);
}

/// What other MCP servers' tools have that a manifest has no place for (see from_server).
void read_vendor_members(const JsonObject* meta, ToolDefinition& tool) {
  if (meta == nullptr) return;
  const Json* title = meta->if_contains("dev.toolwire/title");
  if (title != nullptr && title->is_string() && tool.title.empty()) tool.title = std::string(title->get_string());
  const Json* output = meta->if_contains("dev.toolwire/output");
  if (output != nullptr && output->is_object() && tool.output.is_null()) tool.output = *output;
}

void read_own_members(Members& members, ToolDefinition& tool, Findings& findings) {
  tool.title = members.optional_text("title");
  if (const JsonObject* output = members.object("_output")) tool.output = *output;
  if (auto activity = members.stated_text("_activity")) tool.activity = std::move(activity);
  read_vendor_members(members.object("_meta"), tool);
  if (tool.description.empty()) {
    findings.hint(below(members.pointer(), "description"), "empty; a model chooses tools by their description");
  }
}

Json snake_cased_tool(const JsonObject& tool) {
  JsonObject native = tool;
  Json* metadata = native.if_contains("metadata");
  if (metadata == nullptr || !metadata->is_object()) return native;
  JsonObject renamed = with_snake_case(metadata->get_object(), tool_metadata_names());
  if (Json* examples = renamed.if_contains("examples"); examples != nullptr && examples->is_array()) {
    for (Json& example : examples->get_array()) {
      if (example.is_object()) example = with_snake_case(example.get_object(), tool_example_names());
    }
  }
  *metadata = std::move(renamed);
  return native;
}

}  // namespace

const std::vector<std::string_view>& tool_metadata_names() {
  static const std::vector<std::string_view> names{"enabled_by_default",    "requires_approval", "timeout_seconds",
                                                   "rate_limit_per_minute", "cost_estimate",     "long_running",
                                                   "modifies_state",        "async_behavior",    "sensitive_output"};
  return names;
}

const std::vector<std::string_view>& tool_example_names() {
  static const std::vector<std::string_view> names{"expected_output"};
  return names;
}

ToolDefinition read_tool(const Json& document, const std::string& pointer, ManifestOrigin origin, Findings& findings) {
  ToolDefinition tool;
  if (!document.is_object()) {
    findings.problem(pointer, fmt::format("expected an object, found {}", kind_of(document)));
    return tool;
  }
  Members members(document.get_object(), pointer, findings);
  tool.name = members.text("name");
  if (const Json* name = document.get_object().if_contains("name"); name != nullptr && name->is_string()) {
    check_name(tool.name, below(pointer, "name"), findings);
  }
  tool.description = members.text("description");
  tool.category = members.optional_text("category");
  Schemas schemas;
  schemas.parameters = read_parameters(members, tool, findings);
  read_own_members(members, tool, findings);
  if (!tool.output.is_null()) schemas.output = compile(tool.output, below(pointer, "_output"), findings);
  read_metadata_member(members, tool, schemas, origin, findings);
  members.note_unknown();
  tool.native = snake_cased_tool(document.get_object());
  return tool;
}

ToolDefinition reread_tool(const Json& native) {
  Findings nobody_reads("");
  return read_tool(native, "", ManifestOrigin::fetched, nobody_reads);
}

}  // namespace toolwire::bridge
