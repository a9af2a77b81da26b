// A server behind a program's own HTTP server: requests in, answers out, no socket in between (2026-07-28
// basic/transports/streamable-http). No HTTP server by itself, and no authentication: who calls is known to the
// program.
//
//     toolwire::http::Handler handler(server);                    // once
//     handler.handle(std::move(request), exchange);               // for each request to /mcp, on any thread
//     exchange->closed();                                         // when the client leaves
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <toolwire/http/exchange.hpp>
#include <toolwire/http/protected_resource.hpp>
#include <toolwire/server.hpp>
#include <vector>

namespace toolwire::http {

class Front;
class McpEndpoint;

/// What is let in, and when. The defaults suit a server on 127.0.0.1.
struct HandlerOptions {
  std::string path = "/mcp";  // requests for others get 404; empty: whatever the program hands over
  /// Names that `Host` may have, with a port or for any: "mcp.example.com", "mcp.example.com:8443"; "*": any, for
  /// programs that check it themselves. A web page of somebody else cannot name one of these (DNS rebinding).
  std::vector<std::string> hosts = {"localhost", "127.0.0.1", "[::1]"};
  /// Web pages that may call besides those of the same host: "https://app.example.com".
  std::vector<std::string> origins = {};
  std::size_t max_body = std::size_t{16} << 20;  // bytes; a longer body gets 413
  std::chrono::milliseconds stream_after{200};   // an answer that takes longer becomes a stream of events
  std::chrono::milliseconds keep_alive{15'000};  // a stream on which nothing was sent gets a comment
  std::chrono::hours session_age{24};            // of sessions, which only revisions before 2026-07-28 have
  /// What tokens are for, where the program checks some: who lacks a scope that a tool needs is told where its metadata
  /// is, which the program serves (`metadata_reply`). A Port says it with Port::resource.
  std::optional<ProtectedResource> resource = {};
};

/// Thread-safe. Works on the threads of `ServerOptions::engine`, else on threads of its own.
class Handler {
 public:
  /// The server outlives it. Throws std::system_error if descriptors or threads have run out, std::invalid_argument
  /// for options that cannot be meant.
  explicit Handler(Server& server, HandlerOptions options = {});
  /// Cancels what is going on, and waits for tools that still run, unless one of them calls this. Every exchange has
  /// been finished then.
  ~Handler();
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

  /// Answers a request through `exchange`: now, or later and on other threads. After `Server::stop` with 503. Does not
  /// wait, and throws nothing but std::bad_alloc.
  void handle(Request request, std::shared_ptr<Exchange> exchange);

  struct State;  // private to the library

 private:
  friend class McpEndpoint;  // toolwire/http/listen.hpp
  Handler(std::shared_ptr<Front> front, HandlerOptions options);

  std::shared_ptr<State> state_;
};

}  // namespace toolwire::http
