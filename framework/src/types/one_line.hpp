// Texts of several lines where one line is needed. Takes a value, returns a value.
#pragma once

#include <string>

namespace toolwire::types {

/// Lines become parts of one sentence: the message of a JSON-RPC error is "a concise single sentence" (JSON-RPC 2.0
/// §5.1).
inline std::string one_line(std::string text) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "; ");
  return text;
}

}  // namespace toolwire::types
