#include "protocol/tools/lower.hpp"

#include <variant>

#include "json/writer.hpp"
#include "protocol/content.hpp"

namespace toolwire::protocol {
namespace {

bool can_send_structured(const Revision& revision, const ToolResult& result) {
  return revision.structured_output && result.structured &&
         (revision.any_structured_root || result.structured->is_object());
}

/// Of the client that the request comes from. A single text is shown as it is by all that have no handshake.
HostFaults faults_for(const Exchange& exchange, const ToolResult& result) {
  if (!exchange.revision->modern) return exchange.client->legacy->faults;
  const bool is_one_text =
      result.content.size() == 1 && std::holds_alternative<TextContent>(result.content.front().item);
  return is_one_text ? HostFaults{} : faults_of(exchange.client_info());
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
  const HostFaults faults = faults_for(exchange, result);
  const bool has_structured = can_send_structured(revision, result);
  if (would_spoil(faults, result, has_structured)) {
    append_tool_result(out, revision, acceptable(faults, result, has_structured));
  } else {
    append_tool_result(out, revision, result);
  }
  exchange.close_result(out, true, result.meta);
}

}  // namespace toolwire::protocol
