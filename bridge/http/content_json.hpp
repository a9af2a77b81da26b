// A content block of a result as JSON, for callers that speak no MCP. Independent of HTTP.
#pragma once

#include <toolwire/json.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge::http {

/// The block as MCP has it: `{"type": "image", "data": base64, "mimeType": …}`.
Json content_json(const Content& content);

}  // namespace toolwire::bridge::http
