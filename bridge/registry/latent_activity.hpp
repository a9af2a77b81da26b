// Tools that a model runs: the caller's model, which has filled `_output` already, or the client's, which is asked.
#pragma once

#include <string_view>

#include <toolwire/bridge/registry.hpp>

namespace toolwire::bridge {

inline constexpr std::string_view latent_kind = "latent";

/// Replaces the Activity of a latent tool.
ActivityPointer latent_activity(ToolPointer tool, Latent latent);

}  // namespace toolwire::bridge
