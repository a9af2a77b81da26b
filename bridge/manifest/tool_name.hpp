// Names of tools in a manifest, and how names of other MCP servers' tools become such. Knows nothing else of tools.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace toolwire::bridge {

inline constexpr std::size_t max_tool_name = 100;

/// 1 to 100 characters of [A-Za-z0-9_].
bool is_tool_name(std::string_view name);
/// `^[a-z][a-z0-9_]*$`, as all of the protocol's own examples are.
bool is_usual_tool_name(std::string_view name);

/// Gives each tool of other servers a name a manifest may have. One thread.
class NameMapping {
 public:
  /// The name with every other character as `_`, cut to 100, and numbered (`name_2`, `name_3` …) if it is taken.
  std::string map(std::string_view foreign);
  /// Takes a name as it is; false if it is taken already.
  bool take(std::string name) { return taken_.insert(std::move(name)).second; }

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace toolwire::bridge
