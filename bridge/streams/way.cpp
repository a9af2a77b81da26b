#include "streams/way.hpp"

#include <stdexcept>

namespace toolwire::streams {
namespace {

void check(const std::string& address, const Endpoint& endpoint, bool has_tls, bool is_tunnelled) {
  const std::string quoted = '"' + address + '"';
  if (!endpoint.is_here() && !has_tls && !is_tunnelled)
    throw std::invalid_argument(quoted +
                                " may be another machine: expected TLS, or a tunnel that encrypts what goes there");
  if (has_tls && (!endpoint.path.empty() || is_tunnelled))
    throw std::invalid_argument("TLS is for HOST:PORT, and not through a tunnel that encrypts anyway");
  if (is_tunnelled && endpoint.is_here())
    throw std::invalid_argument(quoted + " is this machine, to which no tunnel leads");
}

}  // namespace

std::unique_ptr<Stream> Way::stream(int socket) const {
  if (tls) return tls->stream(socket);
  return std::make_unique<PlainStream>(socket);
}

Way way_to(const std::string& address, const std::optional<Tls>& tls, bool is_tunnelled) {
  Way way{.endpoint = read_endpoint(address),
          .tls = std::nullopt,
          .reach = tls || is_tunnelled ? Reach::anywhere : Reach::this_machine};
  check(address, way.endpoint, tls.has_value(), is_tunnelled);
  if (tls) way.tls.emplace(*tls, way.endpoint.host);
  return way;
}

}  // namespace toolwire::streams
