// The exceptions of the public interface: what a tool throws, and what ends a request with a JSON-RPC error.
// Independent of tools, revisions and the wire; see the table of errors in framework/README.md for what becomes of
// each.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "toolwire/detail/error_code.hpp"
#include "toolwire/json.hpp"

namespace toolwire {

/// Thrown by a tool that cannot do what was asked. The model reads the text as a result with `isError`, so say what
/// would work.
struct ToolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Arguments or answers that do not fit their type; the text lists every violation, one per line: `path: what was
/// expected`.
struct InvalidArguments : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Ends the current request with a JSON-RPC error object (JSON-RPC 2.0 §5.1). `data` is left out of the wire when null.
struct ProtocolError : std::runtime_error {
  ProtocolError(int error_code, const std::string& message, Json error_data = nullptr)
      : std::runtime_error(message), code(error_code), data(std::move(error_data)) {}
  int code;
  Json data;
};

}  // namespace toolwire
