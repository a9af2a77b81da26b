// The names under which tools, prompts and resources of several servers are offered: mapped to what every host accepts,
// prefixed where two are equal. A name once given stays with its tool, so that no server can take over another's.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "activities/mcp/options.hpp"

namespace toolwire::bridge::mcp {

/// A name of [A-Za-z0-9_-]: every other character becomes one '_'.
std::string mapped_name(std::string_view name);

/// One thread.
class ToolNames {
 public:
  /// `reserved`: names that other tools of the program have.
  explicit ToolNames(std::set<std::string> reserved = {}) : taken_(std::move(reserved)) {}

  /// The name of a server's tool; the same each time, unless another is wanted. Numbered if even with the server's name
  /// it is not unique. Empty if it may not be prefixed and its own name is taken. `wanted`: what is tried in the place
  /// of its own name.
  const std::string& name(const std::string& server, const std::string& tool, Prefix prefix,
                          const std::string& wanted = {});

 private:
  struct Given {
    std::string name = {};
    std::string wanted = {};
  };
  std::set<std::string> taken_;
  std::map<std::pair<std::string, std::string>, Given> given_;
};

/// The prefix of URIs of servers whose own URIs are taken: "NAME+file:///x" for the "file:///x" of a server. One
/// thread.
class UriPrefixes {
 public:
  /// The prefix for a server's URI (or URI template), the same each time; empty if it can have its own. Nothing if it
  /// may not be prefixed and is taken.
  std::optional<std::string> prefix(const std::string& server, const std::string& uri, Prefix prefix);

 private:
  std::set<std::string> taken_;
  std::map<std::pair<std::string, std::string>, std::string> given_;  // prefixes
};

}  // namespace toolwire::bridge::mcp
