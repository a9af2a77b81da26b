// tools/list (specification: server/tools, listing).
#include "protocol/handlers.hpp"
#include "protocol/listing/pages.hpp"
#include "protocol/tools/tool_listing.hpp"

namespace toolwire::protocol {

void list_tools(Exchange&& exchange) {
  constexpr ListNames names{.method = "tools/list", .member = "tools", .cursor_prefix = "tools-after-"};
  const Service& service = exchange.connection->service;
  answer_list(
      exchange, names, service.tools.list(), service.tool_lists,
      [](std::string& out, const Revision& revision, const features::ServedTool& served) {
        append_tool(out, revision, served.tool.info);
      },
      *service.tools_meta());
}

}  // namespace toolwire::protocol
