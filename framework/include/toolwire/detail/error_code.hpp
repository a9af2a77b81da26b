// The error codes that error.hpp offers, numbers only, for the layers below it as well.
#pragma once

/// The error codes of JSON-RPC 2.0 §5.1 and of the specification that a toolwire server uses.
namespace toolwire::error_code {

inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;
inline constexpr int resource_not_found = -32002;            // server/resources, before 2026-07-28
inline constexpr int missing_client_capability = -32021;     // 2026-07-28 basic/index
inline constexpr int unsupported_protocol_version = -32022;  // 2026-07-28 basic/versioning

}  // namespace toolwire::error_code
