// An HTTP/1.1 server of one request a connection. The only part that knows the HTTP library; knows no paths.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "http/message.hpp"

namespace toolwire::bridge::http {

struct ListenerOptions {
  std::size_t max_body = 0;
  std::size_t max_connections = 1;
  std::chrono::milliseconds request_time{};
  std::chrono::milliseconds answer_time{};
};

/// `listen` and `run` are for one thread, `stop` for any. The functions run on threads of the listener, several at
/// once.
class Listener {
 public:
  /// The answer to a request whose body is not wanted; nothing: the body is read and handed to the next.
  using BeforeBody = std::function<std::optional<Answer>(const Request&)>;
  /// The answer to a request with its body. `socket` is that of its client.
  using WithBody = std::function<Answer(const Request&, std::string body, int socket)>;

  Listener(ListenerOptions options, BeforeBody before_body, WithBody with_body);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// Returns the port, or nothing if the address cannot be used; `errno` says why.
  std::optional<int> listen(const std::string& host, int port);
  /// Until `stop`; then waits for the requests under way.
  void run();
  void stop();

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace toolwire::bridge::http
