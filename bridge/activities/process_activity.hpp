// A program as an Activity: one process a call. Knows no files and no manifests.
#pragma once

#include <memory>
#include <string>

#include <toolwire/bridge/activity.hpp>

#include "activities/process_settings.hpp"
#include "process/runner.hpp"

namespace toolwire::bridge {

/// `defaults` stand for absent parameters; `has_output_schema` decides about `ProcessOutput::automatic`.
ActivityPointer make_process_activity(ProcessSettings settings, JsonObject defaults, bool has_output_schema,
                                      std::shared_ptr<ProcessRunner> runner);

/// The result of a process that has ended: what it wrote, or an error with its exit status and the end of its standard
/// error.
ToolResult process_result(const ProcessEnd& end, const ProcessSettings& settings, ProcessOutput output,
                          const std::string& program, const std::vector<std::string>& secrets);

}  // namespace toolwire::bridge
