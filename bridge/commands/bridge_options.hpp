// How a served bridge is made, by what the command line and the files say.
#pragma once

#include <memory>

#include <toolwire/bridge/bridge.hpp>
#include <toolwire/server_options.hpp>

#include "commands/serve_options.hpp"
#include "commands/tool_sources.hpp"

namespace toolwire::bridge {

/// `tracer` may be null.
BridgeOptions bridge_options(const ServeOptions& options, const LoadedSources& loaded,
                             const std::shared_ptr<Engine>& engine, std::shared_ptr<Tracer> tracer);

}  // namespace toolwire::bridge
