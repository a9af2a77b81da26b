// JSON-RPC 2.0 messages as values. Independent of MCP.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "json/fast.hpp"
#include "toolwire/json.hpp"

namespace toolwire::jsonrpc {

/// A request's id.
struct Id {
  std::string text;            // its JSON text exactly as sent; goes back unchanged
  std::string canonical = {};  // its canonical text if that is another

  /// Equal for equal ids, whatever their spelling; differs between a number and a string.
  std::string_view key() const { return canonical.empty() ? text : canonical; }
};

struct Request {
  Id id;
  std::string method;
  json::RelocatableJson params;  // an object; empty if absent or null
  bool params_usable = true;     // false: params were there but no object
  std::size_t bytes = 0;         // of memory that it takes, and at least the length of its line
};

struct Notification {
  std::string method;
  json::RelocatableJson params;  // an object; empty if absent or of another kind
};

/// The peer's answer to a request of ours. `outcome` is the result, or the error object if `is_error`.
struct Response {
  Id id;
  bool is_error = false;
  json::RelocatableJson outcome;
};

/// Not a message; `reason` says what was expected.
struct Malformed {
  std::string id_text;  // empty if no id could be read
  int code = 0;         // -32700 or -32600, -32603 without the memory to read it
  std::string reason;
};

/// Answers that lead nowhere (a response with an id we cannot have sent) and are to be passed over in silence.
struct Ignored {};

using Message = std::variant<Request, Notification, Response, Malformed, Ignored>;
using Batch = std::vector<Message>;

/// What one line held. An empty batch is a Malformed message (JSON-RPC 2.0 §6).
using Incoming = std::variant<Message, Batch>;

/// What one line may hold.
struct Bounds {
  json::Bounds text;
  std::size_t batch = 10'000;  // messages
};

/// Reads one line. Never throws for bad input, nor for one that there is not enough memory for. `kept`: of the
/// connection; if it is of requests, and the line is one whose `_meta` is that of the one before, its params have none,
/// and `kept` shares it.
Incoming parse(std::string_view line, const Bounds& bounds, json::KeptMember* kept = nullptr);

/// The key of an id given as a value, e.g. `requestId` of a cancellation: its canonical JSON text. Nothing if it is
/// neither a string nor an integer.
std::optional<std::string> key_of(const Json& id);

}  // namespace toolwire::jsonrpc
