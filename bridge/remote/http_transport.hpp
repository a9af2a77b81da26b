// A server that speaks Streamable HTTP, as the client of the framework reaches any server: lines in, lines out.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <toolwire/system/watchable.hpp>
#include <toolwire/transport.hpp>

#include "http_client/client.hpp"
#include "remote/endpoint.hpp"
#include "remote/remote_server.hpp"

namespace toolwire::bridge::remote {

/// Connects when the first message is written. Destruction ends the session; not in a callback of the HTTP client.
class HttpTransport : public Transport, public system::Watchable {
 public:
  /// `max_message`: bytes of one message of the server.
  HttpTransport(RemoteServer server, std::shared_ptr<HttpClient> http, std::size_t max_message);
  ~HttpTransport() override;

  std::ptrdiff_t read(char* into, std::size_t room) override;
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override;
  void interrupt() override;
  bool input_closed() override;
  std::string end_reason() override;
  int input_event() override { return endpoint_->incoming().event(); }
  std::ptrdiff_t try_read(char* into, std::size_t room) override { return endpoint_->incoming().try_read(into, room); }
  int output_event() override { return -1; }

  /// For who ends the conversation at once from another thread, when this may be gone.
  [[nodiscard]] std::shared_ptr<Endpoint> endpoint() const { return endpoint_; }

 private:
  const std::shared_ptr<HttpClient> http_;
  const std::shared_ptr<Endpoint> endpoint_;
  std::string line_;  // what was written of it
};

}  // namespace toolwire::bridge::remote
