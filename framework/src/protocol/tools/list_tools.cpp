// tools/list (specification: server/tools, listing; server/utilities/pagination).
#include <algorithm>
#include <charconv>
#include <utility>

#include "protocol/caching.hpp"
#include "protocol/handlers.hpp"
#include "protocol/tools/tool_listing.hpp"

namespace toolwire::protocol {
namespace {

constexpr std::string_view cursor_prefix = "tools-after-";

/// Cursors name a position, so that they stay good in another process with the same tools. Throws -32602 for anything
/// else.
std::size_t position_of(const JsonObject& params, std::size_t count) {
  const Json* cursor = params.if_contains("cursor");
  if (cursor == nullptr) return 0;
  std::size_t position = 0;
  std::string_view text = cursor->is_string() ? std::string_view(cursor->get_string()) : std::string_view();
  if (text.starts_with(cursor_prefix)) {
    text.remove_prefix(cursor_prefix.size());
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
    if (error == std::errc() && end == text.data() + text.size() && position <= count) return position;
  }
  throw ProtocolError(error_code::invalid_params,
                      "Invalid params: \"cursor\" must be a nextCursor of an earlier tools/list");
}

void append_page(std::string& out, const Revision& revision, const features::ToolRegistry::Tools& tools,
                 std::size_t from, std::size_t to) {
  out.append("\"tools\":[");
  for (std::size_t i = from; i < to; ++i) {
    if (i > from) out.push_back(',');
    append_tool(out, revision, tools[i]->tool.info);
  }
  out.push_back(']');
}

}  // namespace

void list_tools(Exchange&& exchange) {
  const Service& service = exchange.connection->service;
  auto listing = service.tools.list();
  const auto& tools = *listing.tools;
  std::size_t from = position_of(exchange.arguments(), tools.size());
  std::size_t to = service.options.page == 0 ? tools.size() : std::min(tools.size(), from + service.options.page);
  exchange.complete([&](std::string& out) {
    if (from == 0 && to == tools.size()) {
      out.append(*service.tool_lists.text(*exchange.revision, listing.version, [&](std::string& text) {
        append_page(text, *exchange.revision, tools, from, to);
      }));
    } else {
      append_page(out, *exchange.revision, tools, from, to);
    }
    if (to < tools.size())
      out.append(",\"nextCursor\":\"").append(cursor_prefix).append(std::to_string(to)).append("\"");
    if (exchange.revision->modern) append_list_caching(out, service);
  });
}

}  // namespace toolwire::protocol
