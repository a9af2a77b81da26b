// Workers as servers behind the bridge: what a configuration says of those that are reached over NATS. Takes values,
// returns values.
#pragma once

#include <functional>
#include <string>

#include "activities/mcp/options.hpp"
#include "configuration/nats_settings.hpp"

namespace toolwire::bridge {

/// How it is reached is filled in by a program that can.
mcp::BackEndOptions worker_back_end(const NatsSettings& nats, const std::string& name);

/// What stands under "servers" for a worker: "prefix" and "on_change". Mistakes go to `problem`, by the member.
void read_worker_settings(const JsonObject& stated, mcp::BackEndOptions& into,
                          const std::function<void(const std::string& member, const std::string& text)>& problem);

}  // namespace toolwire::bridge
