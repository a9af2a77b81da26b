// One HTTP/1.1 request on a connection of its own, and its reply. It sends whatever bytes it is given, also such as no
// client should send, and knows neither JSON nor MCP. http:// only.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/http_reply.hpp"
#include "driver/recording.hpp"

namespace toolwire::conformance {

struct HttpUrl {
  std::string host = {}, port = {};  // the host without brackets
  std::string authority = {};        // "[::1]:8080"
  std::string target = {};           // "/mcp?x=1"
};

/// Throws std::invalid_argument saying what was expected.
HttpUrl read_http_url(std::string_view text);

/// Where connections go.
struct HttpAddress {
  int family = 0;
  sockaddr_storage address = {};
  socklen_t size = 0;

  bool is_ipv4() const { return family == AF_INET; }
};

/// All of the host's, the best first. Throws std::invalid_argument if it has none.
std::vector<HttpAddress> addresses_of(const HttpUrl& url);

/// The number of the first of them where somebody takes connections, which are closed again. Waits for a second each at
/// most.
std::optional<std::size_t> first_open(const std::vector<HttpAddress>& addresses);

struct HttpRequest {
  std::string method = "POST";
  HttpHeaders headers = {};
  std::string body = {};
  std::string target = {};  // "": that of the URL

  void set(std::string_view name, std::string value);  // in the place of what is there
  void remove(std::string_view name);
};

/// As it goes over the wire: `Host`, `Connection: close` and, with a body, `Content-Length` are added.
std::string bytes_of(const HttpUrl& url, const HttpRequest& request);

/// Not thread-safe; the recording must outlive it. The destruction closes the connection.
class HttpExchange {
 public:
  /// Starts to connect and to send. Never throws for a server that is not there: that is `unreachable`.
  /// `shown`: what the recording keeps of `bytes`.
  HttpExchange(const HttpAddress& address, std::string bytes, std::string_view shown, Recording& recording);
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;
  ~HttpExchange();

  int descriptor() const { return socket_; }
  short wanted_events() const;
  /// Moves what can be moved after poll(2) told of the descriptor.
  void move();
  const HttpReply& reply() const { return reader_.reply(); }
  /// Nothing comes any more: the reply is whole, or the connection is over.
  bool is_over() const { return socket_ < 0; }
  /// Why no connection came to be, "" if one did.
  const std::string& unreachable() const { return unreachable_; }
  std::size_t received() const { return received_; }
  void close();

 private:
  void send_some();
  void receive_some();

  int socket_ = -1;
  bool connected_ = false;
  std::string outgoing_;
  std::size_t sent_ = 0, received_ = 0;
  HttpReplyReader reader_;
  std::string unreachable_;
  Recording& recording_;
};

/// Moves all of them until `done` says so, or time is up; what `done` said last. Throws RunEnded once the run is to
/// end.
bool move_exchanges(const std::vector<HttpExchange*>& exchanges, std::chrono::milliseconds time,
                    const std::function<bool()>& done);

}  // namespace toolwire::conformance
