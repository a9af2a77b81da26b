// Who follows the requests of a server as parts of traces (OpenTelemetry: a span for each). Told when one comes and how
// it ends; independent of exporters, their formats and the wire.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "toolwire/detail/trace_context.hpp"

namespace toolwire {

/// A request when it comes. What its members refer to lives until the function that is given it has returned.
struct TracedRequest {
  std::string_view method = {};
  /// The tool or prompt it names, if there is one of that name; the URI of a resource, as the client has it; else
  /// empty.
  std::string_view subject = {};
  std::string_view id = {};        ///< Of JSON-RPC: a number, or what stands between the quotes of a string.
  std::string_view revision = {};  ///< Of the protocol; empty before it is known.
  std::uint64_t connection = 0;    ///< Session::id, if a handshake has begun a session on this connection; else 0.
  /// What has come with it; over HTTP, where its `_meta` has none, in the header fields.
  TraceContext parent = {};
};

/// How a request has ended.
struct RequestEnd {
  enum class How { answered, asked, failed, cancelled };
  How how = How::answered;     ///< asked: the client is to send it again with answers.
  int error = 0;               ///< Failed: the code of the JSON-RPC error; 0: a tool's result that says so (isError).
  std::string_view code = {};  ///< Of such a result, if it has one (toolwire::failure).
};

/// The span of one request. Dropped when the request is.
class RequestSpan {
 public:
  virtual ~RequestSpan() = default;
  /// What the request passes on in the place of what came with it (Context::trace, Context::meta). Empty: nothing.
  virtual TraceContext context() const = 0;
  /// Called once, on any thread, before the server counts the request as over. Must neither wait nor throw.
  virtual void end(const RequestEnd& how) noexcept = 0;
};

/// See ServerOptions::tracer. Thread-safe.
class Tracer {
 public:
  virtual ~Tracer() = default;
  /// Null: this one is not followed, and what came with it is passed on as it is. Called for every request, before
  /// anything is checked, on the thread that reads it. Must neither wait nor throw.
  virtual std::unique_ptr<RequestSpan> begin(const TracedRequest& request) noexcept = 0;
};

}  // namespace toolwire
