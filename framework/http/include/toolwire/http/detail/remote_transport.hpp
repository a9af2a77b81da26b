// A server that speaks Streamable HTTP, as the client of the framework reaches any server: lines in, lines out.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <toolwire/system/watchable.hpp>
#include <toolwire/transport.hpp>

#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/http/detail/remote_server.hpp>

namespace toolwire::remote {

class Endpoint;

/// Connects when the first message is written. Destruction ends the session; not in a callback of the HTTP client.
class RemoteTransport : public Transport, public system::Watchable {
 public:
  /// `max_message`: bytes of one message of the server.
  RemoteTransport(RemoteServer server, std::shared_ptr<HttpClient> http, std::size_t max_message);
  ~RemoteTransport() override;

  std::ptrdiff_t read(char* into, std::size_t room) override;
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override;
  void interrupt() override;
  bool input_closed() override;
  std::string end_reason() override;
  int input_event() override;
  std::ptrdiff_t try_read(char* into, std::size_t room) override;
  int output_event() override { return -1; }

  /// Ends the conversation at once, from any thread, also when this is gone; the reason is what the client reads.
  [[nodiscard]] std::function<void(const std::string& reason)> ending() const;

 private:
  const std::shared_ptr<HttpClient> http_;
  const std::shared_ptr<Endpoint> endpoint_;
  std::string line_;  // what was written of it
};

}  // namespace toolwire::remote
