// Many tools behind two: `search_tools` finds them, `call_tool` calls them, and lists show these two and a few more.
// Knows no policies: calls go the way of every call.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/server.hpp>

#include "search/own_session.hpp"

namespace toolwire::bridge {

inline constexpr std::string_view search_tool_name = "search_tools";
inline constexpr std::string_view call_tool_name = "call_tool";

inline bool is_search_tool(std::string_view name) { return name == search_tool_name || name == call_tool_name; }

struct ToolSearchOptions {
  std::vector<std::string> sources = {};  // where the tools come from, for the model: names of servers
  /// Whether lists show a tool, by the name that hosts know. Any thread.
  std::function<bool(const std::string& tool)> is_shown = {};
};

/// Registers both tools, and filters tools/list, as long as it lives. Other tools are registered with the server as
/// ever, and can be called by their names. The server must outlive it, and be free of calls when it is destroyed.
class ToolSearch {
 public:
  ToolSearch(Server& server, const ToolSearchOptions& options);
  ~ToolSearch();
  ToolSearch(const ToolSearch&) = delete;
  ToolSearch& operator=(const ToolSearch&) = delete;

 private:
  class Shared;
  const std::shared_ptr<Shared> shared_;
};

}  // namespace toolwire::bridge
