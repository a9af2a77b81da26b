// The schema a host can hand to any model: `{calls: [one of the tools, filled]}`. Takes values, returns a value: equal
// tools and Activities give equal text, byte for byte.
#pragma once

#include <vector>

#include <toolwire/bridge/resolution.hpp>
#include <toolwire/bridge/tool_registry.hpp>

namespace toolwire::bridge {

struct ComposeOptions {
  /// What becomes of `_output`: null is allowed for it, or explicit tools lose it.
  enum class Output { nullable, strip };
  Output output = Output::nullable;
  bool output_last = false;  // after the parameters instead of before them, so that a model writes it last
  bool bare = false;         // only `{calls: …}`, to stand among the properties of a larger schema
  Dangling dangling = Dangling::fail;
};

/// The schema of an object with the member `calls`, an array of filled tools: one schema per tool, in the order given,
/// meta fields first, then the parameters in their author's order. References within a tool's schema are led to where
/// it now stands.
Json compose(const std::vector<ToolPointer>& tools, const ActivityRegistry& activities,
             const ComposeOptions& options = {});

}  // namespace toolwire::bridge
