// Which parameter of a request the header field `Mcp-Name` repeats (2026-07-28 basic/transports/streamable-http,
// request metadata; tasks: SEP-2663).
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace toolwire::http {

/// Empty: the method has none.
constexpr std::string_view named_parameter(std::string_view method) {
  struct Named {
    std::string_view method, parameter;
  };
  constexpr std::array all{Named{"tools/call", "name"},     Named{"prompts/get", "name"},
                           Named{"resources/read", "uri"},  Named{"tasks/get", "taskId"},
                           Named{"tasks/update", "taskId"}, Named{"tasks/cancel", "taskId"}};
  const auto* const found = std::ranges::find(all, method, &Named::method);
  return found == all.end() ? std::string_view() : found->parameter;
}

}  // namespace toolwire::http
