// A tool with its parameters filled: what a model produces and an Activity receives. A plain value.
#pragma once

#include <optional>
#include <string>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// One Call. The meta fields are taken out of `parameters`.
struct Call {
  std::string tool = {};
  std::string activity = {};        // the resolved one; empty: latent
  Json parameters = JsonObject{};   // an object
  std::string reasoning = {};       // `_reasoningForCall`; empty if there was none
  std::optional<Json> output = {};  // `_output` as the caller filled it (latent tools)
};

}  // namespace toolwire::bridge
