#include "protocol/tools/lower.hpp"

#include "json/writer.hpp"
#include "protocol/content.hpp"

namespace toolwire::protocol {
namespace {

bool can_send_structured(const Revision& revision, const ToolResult& result) {
  return revision.structured_output && result.structured &&
         (revision.any_structured_root || result.structured->is_object());
}

void append_members(std::string& out, const JsonObject& members, std::string_view separator) {
  for (const auto& [key, value] : members) {
    out.append(separator);
    separator = ",";
    json::write_string(out, key);
    out.push_back(':');
    json::write(out, value);
  }
}

}  // namespace

void append_tool_result(std::string& out, const Revision& revision, const ToolResult& result) {
  out.append("\"content\":");
  json::Writer content(out);
  content.begin_array();
  for (const Content& block : result.content) append_content(content, revision, block);
  content.end_array();
  if (can_send_structured(revision, result)) {
    out.append(",\"structuredContent\":");
    json::write(out, *result.structured);
  }
  if (result.is_error) out.append(",\"isError\":true");
}

void append_complete_tool_result(std::string& out, const Exchange& exchange, const ToolResult& result) {
  out.push_back('{');
  append_tool_result(out, *exchange.revision, result);
  if (exchange.revision->modern) {
    out.append(",\"resultType\":\"complete\",").append(exchange.connection->service.result_meta_text());
    append_members(out, result.meta, ",");
    out.push_back('}');
  } else if (!result.meta.empty()) {
    out.append(",\"_meta\":{");
    append_members(out, result.meta, "");
    out.push_back('}');
  }
  out.push_back('}');
}

}  // namespace toolwire::protocol
