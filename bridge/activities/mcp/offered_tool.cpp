#include "activities/mcp/offered_tool.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "activities/mcp/listed_members.hpp"
#include "registry/clean_schema.hpp"

namespace toolwire::bridge::mcp {
namespace {

std::optional<bool> hint(const Json& tool, std::string_view name) {
  return bool_member(member_or_null(tool, "annotations"), name);
}

}  // namespace

ToolInfo tool_info_from(const Json& tool, const std::string& name) {
  ToolInfo info{.name = name, .description = clean_member(tool, "description"), .title = clean_member(tool, "title")};
  if (const Json* annotations = find_member(tool, "annotations"); info.title.empty() && annotations != nullptr)
    info.title = clean_member(*annotations, "title");
  info.read_only = hint(tool, "readOnlyHint");
  info.destructive = hint(tool, "destructiveHint");
  info.idempotent = hint(tool, "idempotentHint");
  info.open_world = hint(tool, "openWorldHint");
  info.icons = icons_of(tool);
  info.meta = meta_of(tool);
  if (name_of(tool) != name) info.meta["dev.toolwire/name"] = text::stripped(name_of(tool));
  info.input_schema = clean_schema(tool.at("inputSchema"));
  if (const Json* output = find_member(tool, "outputSchema"); output != nullptr && output->is_object())
    info.output_schema = clean_schema(*output);
  return info;
}

Tool offered_tool(const Json& tool, const std::string& name, std::shared_ptr<BackEnd> back_end,
                  std::chrono::milliseconds timeout) {
  ToolInfo info = tool_info_from(tool, name);
  info.timeout = timeout;
  info.long_running =
      back_end->keeps_tasks() && bool_member(member_or_null(tool, "_meta"), long_running_member).value_or(false);
  return make_tool(std::move(info), [back_end = std::move(back_end), own_name = name_of(tool)](
                                        const Json& arguments, Context& context, Reply reply) {
    back_end->call_tool(own_name, arguments, context, std::move(reply));
  });
}

}  // namespace toolwire::bridge::mcp
