// Resources and prompts of a back-end as those of this server: their descriptions, and how requests reach them.
// Independent of which are offered.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <toolwire/prompt.hpp>
#include <toolwire/resource.hpp>

#include "activities/mcp/back_end.hpp"

namespace toolwire::bridge::mcp {

/// Offered under `prefix` and its own URI.
Resource offered_resource(const Json& resource, const std::string& prefix, std::shared_ptr<BackEnd> back_end,
                          std::chrono::milliseconds timeout);
ResourceTemplate offered_template(const Json& resource_template, const std::string& prefix,
                                  std::shared_ptr<BackEnd> back_end, std::chrono::milliseconds timeout);
Prompt offered_prompt(const Json& prompt, const std::string& name, std::shared_ptr<BackEnd> back_end,
                      std::chrono::milliseconds timeout);

}  // namespace toolwire::bridge::mcp
