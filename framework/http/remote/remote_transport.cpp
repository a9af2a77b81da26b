#include <toolwire/http/detail/remote_transport.hpp>

#include <string_view>
#include <utility>

#include "remote/endpoint.hpp"

namespace toolwire::remote {

RemoteTransport::RemoteTransport(RemoteServer server, std::shared_ptr<HttpClient> http, std::size_t max_message)
    : http_(std::move(http)), endpoint_(std::make_shared<Endpoint>(std::move(server), *http_, max_message)) {}

RemoteTransport::~RemoteTransport() { endpoint_->close(); }

std::ptrdiff_t RemoteTransport::read(char* into, std::size_t room) { return endpoint_->incoming().read(into, room); }

/// With Blocking::yes too much is taken rather than waited for.
std::ptrdiff_t RemoteTransport::write(const char* bytes, std::size_t count, Blocking blocking) {
  if (endpoint_->incoming().is_ended()) return peer_gone;
  if (blocking == Blocking::no && endpoint_->is_full()) return 0;
  std::string_view left(bytes, count);
  for (std::size_t end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
    line_.append(left.substr(0, end));
    left.remove_prefix(end + 1);
    endpoint_->send(std::exchange(line_, {}));
  }
  line_.append(left);
  return static_cast<std::ptrdiff_t>(count);
}

void RemoteTransport::interrupt() { endpoint_->incoming().interrupt(); }

bool RemoteTransport::input_closed() { return endpoint_->incoming().is_ended(); }

int RemoteTransport::input_event() { return endpoint_->incoming().event(); }

std::ptrdiff_t RemoteTransport::try_read(char* into, std::size_t room) {
  return endpoint_->incoming().try_read(into, room);
}

std::function<void(const std::string& reason)> RemoteTransport::ending() const {
  return [endpoint = endpoint_](const std::string& reason) { endpoint->lost(reason); };
}

std::string RemoteTransport::end_reason() { return endpoint_->incoming().reason(); }

}  // namespace toolwire::remote
