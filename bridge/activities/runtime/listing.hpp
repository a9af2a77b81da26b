// The tools of a runtime, as it lists them. Independent of how they are offered.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/json.hpp>

namespace toolwire::bridge::runtimes {

/// An answer to `registry.list`. A plain value.
struct RuntimeListing {
  std::vector<ToolDefinition> tools = {};
  std::vector<std::string> broken = {};    ///< Those of these files that did not load.
  std::vector<std::string> problems = {};  ///< Files that hold no tool that can be used, and why.
  /// By tool: JSON pointers into its schema to what the runtime does not check ("/properties/code/pattern").
  std::map<std::string, std::vector<std::string>, std::less<>> unchecked = {};
};

/// Parameters are an object: a schema that does not say so gets `"type": "object"`. Unusable tools are left out and
/// named in `problems`. Declared permissions are in the definition's `native`, under
/// `_meta["dev.toolwire/permissions"]`. Throws std::invalid_argument if it is no listing.
RuntimeListing listing_from(const Json& result);

}  // namespace toolwire::bridge::runtimes
