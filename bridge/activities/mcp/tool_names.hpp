// The names under which tools of several servers are offered: mapped to what every host accepts, prefixed where two
// are equal. A name once given stays with its tool, so that no server can take over another's.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace toolwire::bridge::mcp {

/// A name of [A-Za-z0-9_-]: every other character becomes one '_'.
std::string mapped_name(std::string_view name);

/// One thread.
class ToolNames {
 public:
  /// `reserved`: names that other tools of the program have.
  explicit ToolNames(std::set<std::string> reserved = {}) : taken_(std::move(reserved)) {}

  /// The name of a server's tool; the same each time. With `always_prefix` it begins with the server's name in any
  /// case, else only if the tool's own name is taken. Numbered where even that is not unique.
  const std::string& name(const std::string& server, const std::string& tool, bool always_prefix);

 private:
  std::set<std::string> taken_;
  std::map<std::pair<std::string, std::string>, std::string> given_;
};

}  // namespace toolwire::bridge::mcp
