#include "protocol/tools/lower.hpp"

#include "json/writer.hpp"
#include "protocol/content.hpp"

namespace toolwire::protocol {
namespace {

bool can_send_structured(const Revision& revision, const ToolResult& result) {
  return revision.structured_output && result.structured &&
         (revision.any_structured_root || result.structured->is_object());
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
  const Revision& revision = *exchange.revision;
  out.push_back('{');
  if (would_refuse(exchange.client->legacy->faults, result, can_send_structured(revision, result))) {
    append_tool_result(out, revision, acceptable(result));
  } else {
    append_tool_result(out, revision, result);
  }
  exchange.close_result(out, true, result.meta);
}

}  // namespace toolwire::protocol
