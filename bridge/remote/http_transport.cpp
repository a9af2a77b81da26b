#include "remote/http_transport.hpp"

#include <string_view>
#include <utility>

namespace toolwire::bridge::remote {

HttpTransport::HttpTransport(RemoteServer server, std::shared_ptr<HttpClient> http, std::size_t max_message)
    : http_(std::move(http)), endpoint_(std::make_shared<Endpoint>(std::move(server), *http_, max_message)) {}

HttpTransport::~HttpTransport() { endpoint_->close(); }

std::ptrdiff_t HttpTransport::read(char* into, std::size_t room) { return endpoint_->incoming().read(into, room); }

/// With Blocking::yes too much is taken rather than waited for.
std::ptrdiff_t HttpTransport::write(const char* bytes, std::size_t count, Blocking blocking) {
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

void HttpTransport::interrupt() { endpoint_->incoming().interrupt(); }

bool HttpTransport::input_closed() { return endpoint_->incoming().is_ended(); }

std::string HttpTransport::end_reason() { return endpoint_->incoming().reason(); }

}  // namespace toolwire::bridge::remote
