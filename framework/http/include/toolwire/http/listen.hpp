// A server of MCP over HTTP/1.1 by itself: a port, connections, and the handler behind them, on the threads that serve
// the server anyway (library toolwire::http_server). TLS and HTTP/2 are the balancer's.
//
//     toolwire::http::listen(server, {.port = 8080});     // http://127.0.0.1:8080/mcp
//     return server.run();                                // or run_stdio(), which also serves its host
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <toolwire/context.hpp>
#include <toolwire/http/handler.hpp>
#include <toolwire/http/protected_resource.hpp>
#include <toolwire/stores.hpp>
#include <utility>
#include <vector>

namespace toolwire::http {

/// Why a caller is not let in, for an `Authenticate`: 401, with `challenge` as WWW-Authenticate (RFC 9110 §11.6.1).
struct NotAuthenticated : std::runtime_error {
  explicit NotAuthenticated(const std::string& why, std::string challenge_for_it = "Bearer")
      : std::runtime_error(why), challenge(std::move(challenge_for_it)) {}
  std::string challenge;
};

/// Why a caller that is known may not call, for an `Authenticate`: 403, with `challenge` as WWW-Authenticate, if there
/// is one (RFC 6750 §3.1: insufficient_scope).
struct NotAllowed : std::runtime_error {
  explicit NotAllowed(const std::string& why, std::string challenge_for_it = {})
      : std::runtime_error(why), challenge(std::move(challenge_for_it)) {}
  std::string challenge;
};

/// Says who makes a request, by its head alone (the body is read afterwards), at once or later and from any thread.
/// `head` lives until the function has returned. NotAuthenticated and a principal without an id are answered with 401,
/// NotAllowed with 403; another failure, and none within `ConnectionLimits::authenticate`, with 503. Asked for every
/// request but those to `Port::health` and for the metadata of `Port::resource`.
using Authenticate = std::function<void(const Request& head, Done<Principal> done)>;

/// Bounds of connections. Sizes are bytes; each says what becomes of a request beyond it.
struct ConnectionLimits {
  std::size_t connections = 10'000;                 // one more gets 503 and is closed
  std::size_t target = 8u << 10;                    // of the request line; longer: 414
  std::size_t head = 64u << 10;                     // request line and fields together; larger: 431
  std::size_t fields = 100;                         // more: 431. The body: HandlerOptions::max_body, 413
  std::size_t unsent = 256u << 10;                  // of an answer; beyond, a stream waits for its reader
  std::chrono::milliseconds head_time{10'000};      // from the first byte of a head to its last: 408
  std::chrono::milliseconds body_pause{30'000};     // between two pieces of a body: 408
  std::chrono::milliseconds request_time{300'000};  // from the first byte of a head to the last of its body: 408
  std::chrono::milliseconds authenticate{10'000};   // see Authenticate
  std::chrono::milliseconds idle{75'000};           // between two requests: closed
  std::chrono::milliseconds stalled{60'000};        // nothing of what is sent is taken: closed
  std::chrono::milliseconds answer_time{600'000};   // from the end of an answer until all of it is taken: closed
  /// Where there are as many connections as there may be, the one that waits longest for a request is closed for one
  /// more; 503 only where none does.
  bool idle_gives_way = false;
};

/// Something else that may be read, with GET: counts, how the program is doing.
struct Page {
  std::string path = {};  // "/metrics"
  std::string type = {};  // its Content-Type
  /// Called for every request, on a thread of the engine, several at once: keep it short. What it throws is a 500.
  std::function<std::string()> text = {};
};

/// Where to listen, and for whom.
struct Port {
  std::string address = "127.0.0.1";  // of this machine, in numbers; one that others can reach needs `authenticate`
  std::uint16_t port = 0;             // 0: a free one
  /// A TCP or Unix socket that listens already (see `handed_over_sockets`); the server closes it. -1: address and port
  /// count.
  int descriptor = -1;
  /// Without hosts: "localhost", "127.0.0.1" and "[::1]", with exactly this port. A port that others can reach has to
  /// name them.
  HandlerOptions handler{.hosts = {}};
  Authenticate authenticate = {};
  /// Has its metadata served, whoever asks and as whatever host (RFC 9728), also where this port has its endpoint;
  /// needs `authenticate`.
  std::optional<ProtectedResource> resource = {};
  /// A GET of this path is answered with 200, whoever asks and as whatever host; empty: there is none.
  std::string health = "/health";
  std::vector<Page> pages = {};  // for whoever may call
  ConnectionLimits limits = {};
};

/// Lets clients call over HTTP too, as many as connect, while `run_stdio` or `run` serves, at once or from then on
/// (see Server::listen). Returns the port; 0 for a Unix socket. A stop answers what was accepted within
/// `Limits::drain`. From any thread. Throws std::system_error if that cannot be listened on; std::invalid_argument for
/// options that cannot be meant, and for a port that others can reach where `authenticate` or `handler.hosts` is
/// missing; std::logic_error after `Server::stop`.
std::uint16_t listen(Server& server, const Port& where);

/// The sockets that whoever has started this process hands over, as systemd does (sd_listen_fds(3): LISTEN_PID and
/// LISTEN_FDS), each for `Port::descriptor`. The same at every call. Throws std::invalid_argument for a number that is
/// none.
std::vector<int> handed_over_sockets();

}  // namespace toolwire::http
