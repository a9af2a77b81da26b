// The names under which tools, prompts and resources of several servers are offered: mapped to what every host accepts,
// prefixed where two are equal. A name once given stays with its tool, so that no server can take over another's,
// until the operator wants other names.
#pragma once

#include <functional>
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
  explicit ToolNames(std::set<std::string> reserved = {}) : reserved_(std::move(reserved)) {}

  /// The name of a server's tool; the same each time, unless another is wanted. Numbered if even with the server's name
  /// it is not unique. Empty if it may not be prefixed and its own name is taken. `wanted`: what is tried in the place
  /// of its own name.
  const std::string& name(const std::string& server, const std::string& tool, Prefix prefix,
                          const std::string& wanted = {});

  using Wanted = std::function<std::string(const std::string& server, const std::string& tool)>;
  /// Takes back the names of those tools for which another is wanted than before, of those whose name is reserved now,
  /// and of those that had to give way to what is free now: all get theirs anew, in the order in which they are asked
  /// for, so that two may swap.
  void take_back_changed(std::set<std::string> reserved, const Wanted& wanted);

 private:
  struct Given {
    std::string name = {};
    std::string wanted = {};
    std::string first_choice = {};
  };
  bool is_taken(const std::string& name) const { return reserved_.contains(name) || taken_.contains(name); }

  std::set<std::string> reserved_;
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
