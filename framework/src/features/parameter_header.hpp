// Parameters of a tool that HTTP repeats in header fields, as its input schema says by `x-mcp-header` (2026-07-28
// basic/transports/streamable-http, custom headers from tool parameters).
#pragma once

#include <optional>
#include <string>

#include "toolwire/json.hpp"

namespace toolwire::features {

/// Why the annotations of an input schema cannot be followed, so that its tool must not be offered; or nothing.
std::optional<std::string> wrong_parameter_header(const Json& input_schema);

}  // namespace toolwire::features
