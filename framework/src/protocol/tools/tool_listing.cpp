#include "protocol/tools/tool_listing.hpp"

#include "json/writer.hpp"
#include "protocol/icons.hpp"
#include "protocol/tools/structured_root.hpp"

namespace toolwire::protocol {
namespace {

void set_if(JsonObject& object, std::string_view member, const std::optional<bool>& hint) {
  if (hint) object[member] = *hint;
}

JsonObject annotations_of(const ToolInfo& info) {
  JsonObject annotations;
  if (!info.title.empty()) annotations["title"] = info.title;
  set_if(annotations, "readOnlyHint", info.read_only);
  set_if(annotations, "destructiveHint", info.destructive);
  set_if(annotations, "idempotentHint", info.idempotent);
  set_if(annotations, "openWorldHint", info.open_world);
  return annotations;
}

/// Legacy hosts refuse the whole list when the root of one output schema is no object (2025-06-18 schema,
/// Tool.outputSchema). Null: nothing is published.
Json published_output(const Revision& revision, const Json& schema) {
  if (!revision.structured_output || !schema.is_object()) return nullptr;
  if (revision.any_structured_root || has_object_root(schema)) return schema;
  return wraps_structured(revision, schema) ? wrapped_schema(schema) : Json(nullptr);
}

}  // namespace

void append_tool(std::string& out, const Revision& revision, const ToolInfo& info) {
  json::Writer writer(out);
  writer.begin_object();
  writer.key("name").string(info.name);
  if (revision.titles && !info.title.empty()) writer.key("title").string(info.title);
  if (!info.description.empty()) writer.key("description").string(info.description);
  writer.key("inputSchema").value(info.input_schema);
  if (const Json output = published_output(revision, info.output_schema); !output.is_null())
    writer.key("outputSchema").value(output);
  if (JsonObject annotations = annotations_of(info); revision.tool_annotations && !annotations.empty()) {
    writer.key("annotations").value(annotations);
  }
  if (revision.tasks && !revision.modern && info.long_running) {  // 2025-11-25 basic/utilities/tasks, tool level
    writer.key("execution").value(JsonObject{{"taskSupport", info.only_as_task ? "required" : "optional"}});
  }
  if (revision.icons && !info.icons.empty()) writer.key("icons").value(icons_as_json(info.icons));
  if (revision.titles && !info.meta.empty()) writer.key("_meta").value(info.meta);
  writer.end_object();
}

}  // namespace toolwire::protocol
