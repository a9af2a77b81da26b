// tools/list and tools/call (server/tools).
#include "checks/tools.hpp"

#include <vector>

#include "checks/groups.hpp"

namespace toolwire::conformance {

void need_tools(const Probe& probe) {
  probe.need_capability("tools");
  if (probe.offer().tools.empty()) probe.skip("the server lists no tool");
}

std::string text_in(const Json& result) {
  std::string text;
  if (const JsonArray* content = get(result, "content").if_array()) {
    for (const Json& block : *content) text += text_of(get(block, "text"));
  }
  return text;
}

std::span<const Check> tools_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks;
    for (auto table : {tools_list_checks(), tools_call_checks(), tools_input_checks(), tools_structured_checks(),
                       tools_changes_checks()})
      checks.insert(checks.end(), table.begin(), table.end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
