// tools/list (specification: server/tools, listing).
#include "protocol/handlers.hpp"
#include "protocol/listing/list_request.hpp"
#include "protocol/tools/tool_listing.hpp"

namespace toolwire::protocol {
namespace {

struct ToolList {
  static constexpr ListNames names{.method = "tools/list", .member = "tools", .cursor_prefix = "tools-after-"};
  static auto listing(const Service& service) { return service.tools.list(); }
  static const ListCache& cache(const Service& service) { return service.tool_lists; }
  static void append(std::string& out, const Revision& revision, const features::ServedTool& served) {
    append_tool(out, revision, served.tool.info);
  }
  static std::shared_ptr<const JsonObject> meta(const Service& service) { return service.tools_meta(); }
};

}  // namespace

void list_tools(Exchange&& exchange) { list<ToolList>(std::move(exchange)); }

}  // namespace toolwire::protocol
