#include "activities/mcp/offered_tool.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "activities/mcp/clean_text.hpp"

namespace toolwire::bridge::mcp {
namespace {

const Json* member(const Json& object, std::string_view name) {
  const JsonObject* members = object.if_object();
  return members == nullptr ? nullptr : members->if_contains(name);
}

std::string text(const Json& object, std::string_view name) {
  const Json* value = member(object, name);
  return value != nullptr && value->is_string() ? clean_text(value->get_string()) : std::string();
}

std::optional<bool> hint(const Json& tool, std::string_view name) {
  const Json* annotations = member(tool, "annotations");
  const Json* value = annotations == nullptr ? nullptr : member(*annotations, name);
  if (value == nullptr || !value->is_bool()) return std::nullopt;
  return value->get_bool();
}

std::vector<Icon> icons_in(const Json& tool) {
  std::vector<Icon> icons;
  const Json* list = member(tool, "icons");
  if (list == nullptr || !list->is_array()) return icons;
  for (const Json& one : list->get_array()) {
    Icon icon{.src = text(one, "src"), .mime_type = text(one, "mimeType"), .theme = text(one, "theme")};
    if (!icon.src.starts_with("https:") && !icon.src.starts_with("data:")) continue;
    if (const Json* sizes = member(one, "sizes"); sizes != nullptr && sizes->is_array()) {
      for (const Json& size : sizes->get_array()) {
        if (size.is_string()) icon.sizes.emplace_back(clean_text(size.get_string()));
      }
    }
    icons.push_back(std::move(icon));
  }
  return icons;
}

}  // namespace

ToolInfo tool_info_from(const Json& tool, const std::string& name) {
  ToolInfo info{.name = name, .description = text(tool, "description"), .title = text(tool, "title")};
  if (const Json* annotations = member(tool, "annotations"); info.title.empty() && annotations != nullptr)
    info.title = text(*annotations, "title");
  info.read_only = hint(tool, "readOnlyHint");
  info.destructive = hint(tool, "destructiveHint");
  info.idempotent = hint(tool, "idempotentHint");
  info.open_world = hint(tool, "openWorldHint");
  info.icons = icons_in(tool);
  if (const Json* meta = member(tool, "_meta"); meta != nullptr && meta->is_object()) info.meta = meta->get_object();
  if (name_of(tool) != name) info.meta["dev.toolwire/name"] = clean_text(name_of(tool));
  info.input_schema = clean_schema(tool.at("inputSchema"));
  if (const Json* output = member(tool, "outputSchema"); output != nullptr && output->is_object())
    info.output_schema = clean_schema(*output);
  return info;
}

Tool offered_tool(const Json& tool, const std::string& name, std::shared_ptr<BackEnd> back_end,
                  std::chrono::milliseconds timeout) {
  ToolInfo info = tool_info_from(tool, name);
  info.timeout = timeout;
  return make_tool(std::move(info), [back_end = std::move(back_end), own_name = name_of(tool)](
                                        const Json& arguments, Context& context, Reply reply) {
    back_end->call_tool(own_name, arguments, context, std::move(reply));
  });
}

}  // namespace toolwire::bridge::mcp
