#include "process/passed_values.hpp"

#include <string_view>
#include <utility>

#include <toolwire/bridge/activity.hpp>

namespace toolwire::bridge {
namespace {

/// Members that say something about one connection only: revision, software, subscription, the token of progress.
bool is_of_connection(std::string_view key) {
  return key.starts_with("io.modelcontextprotocol/") || key == "progressToken";
}

}  // namespace

ToolResult tool_result_from(Json&& raw) {
  ToolResult result;
  JsonObject* members = raw.if_object();
  if (members == nullptr) return failure("back_end_error", "The back-end sent a result that is no object.", false);
  if (Json* content = members->if_contains("content"); content != nullptr && content->is_array()) {
    result.content.reserve(content->get_array().size());
    for (Json& block : content->get_array()) result.content.push_back({.item = Json(std::move(block))});
  }
  // Constructed in place by a move: it keeps the memory of its message instead of being copied out of it.
  if (Json* structured = members->if_contains("structuredContent")) result.structured.emplace(std::move(*structured));
  if (const Json* is_error = members->if_contains("isError"))
    result.is_error = is_error->is_bool() && is_error->get_bool();
  if (const Json* meta = members->if_contains("_meta"); meta != nullptr && meta->is_object()) {
    for (const auto& [key, value] : meta->get_object()) {
      if (!is_of_connection(key)) result.meta[key] = value;
    }
  }
  return result;
}

JsonObject passable_meta(const JsonObject& meta) {
  JsonObject passed;
  for (const auto& [key, value] : meta) {
    if (!is_of_connection(key)) passed[key] = value;
  }
  return passed;
}

}  // namespace toolwire::bridge
