// One entry of "runtimes" in a bindings file, read and checked. Starts nothing.
#pragma once

#include <optional>
#include <string>

#include <toolwire/json.hpp>

#include "activities/runtime/options.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// `settings` has the shape of the schema. Relative paths count from `directory`. What is wrong goes to `findings`;
/// then there is nothing.
std::optional<runtimes::RuntimeOptions> read_runtime(const std::string& name, const Json& settings,
                                                     const std::string& pointer, const std::string& directory,
                                                     Findings& findings);

/// Settings for `NAME=DIRECTORY` of a command line. Throws std::invalid_argument.
std::pair<std::string, Json> runtime_from(std::string_view text);

}  // namespace toolwire::bridge
