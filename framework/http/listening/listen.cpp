#include "toolwire/http/listen.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <toolwire/system/process_id.hpp>

#include "admission.hpp"
#include "listening/mcp_endpoint.hpp"
#include "listening/port_listener.hpp"
#include "transport/listening_socket.hpp"
#include "well_known.hpp"

namespace toolwire::http {
namespace {

using toolwire::transport::ListeningSocket;

std::unique_ptr<ListeningSocket> socket_of(const Port& where) {
  if (where.descriptor < 0) return ListeningSocket::at_port(where.port, where.address);
  return ListeningSocket::at_descriptor(where.descriptor, ListeningSocket::Kind::unix_domain_or_tcp);
}

/// What clients of this machine put into `Host`: the port is left out where it is the one of HTTP.
std::vector<std::string> local_hosts(std::uint16_t port) {
  std::vector<std::string> hosts;
  for (const std::string name : {"localhost", "127.0.0.1", "[::1]"}) {
    hosts.push_back(name + ":" + std::to_string(port));
    if (port == 80 || port == 0) hosts.push_back(name);  // 0: a Unix socket, where nothing but a name is left to say
  }
  return hosts;
}

void check_reach(const Port& port, const ListeningSocket& socket) {
  if (socket.is_local()) return;
  if (!port.authenticate) {
    throw std::invalid_argument(
        "other machines can reach this port: say who may call (Port::authenticate), or listen on 127.0.0.1");
  }
  if (port.handler.hosts.empty()) {
    throw std::invalid_argument(
        "other machines can reach this port: name the hosts that they call it by (Port::handler.hosts)");
  }
}

/// Whoever says where tokens are to be had has to look at them.
void check_resource(const Port& port) {
  if (port.handler.resource) throw std::invalid_argument("a port says with Port::resource what its tokens are for");
  if (!port.resource) return;
  check(*port.resource);
  if (!port.authenticate)
    throw std::invalid_argument(
        "Port::resource says that tokens are needed: say how they are checked, too "
        "(Port::authenticate)");
}

void check_pages(const Port& port) {
  for (const Page& page : port.pages) {
    const bool is_meant =
        page.path.starts_with('/') && page.path.find_first_of("?# ") == std::string::npos && page.text;
    if (!is_meant || page.path == port.handler.path || page.path == port.health ||
        page.path.starts_with(well_known_path) || std::ranges::count(port.pages, page.path, &Page::path) > 1)
      throw std::invalid_argument("a page needs a text and a path of its own that begins with \"/\", not \"" +
                                  page.path + "\"");
  }
}

/// A decimal number, or nothing.
std::optional<int> number_in(const char* variable) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  int number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || number < 0)
    throw std::invalid_argument(std::string(variable) + " must be a number, not \"" + text + "\"");
  return number;
}

}  // namespace

std::uint16_t listen(Server& server, const Port& where) {
  check(where.limits);
  auto socket = socket_of(where);
  Port port = where;
  check_reach(port, *socket);
  if (port.handler.hosts.empty()) port.handler.hosts = local_hosts(socket->port());
  check(port.handler);
  if (!port.health.empty() && !port.health.starts_with('/'))
    throw std::invalid_argument("the path of the health begins with \"/\", or is empty for none");
  check_resource(port);
  port.handler.resource = port.resource;
  check_pages(port);
  const std::uint16_t number = socket->port();
  const auto& state = server.state_;
  auto endpoint = std::make_unique<McpEndpoint>(state, port);
  PortListener::Settings settings{.limits = port.limits,
                                  .max_body = port.handler.max_body,
                                  .authenticate = std::move(port.authenticate),
                                  .is_handed_over = port.descriptor >= 0};
  state->serving.add(std::make_shared<PortListener>(state->options.limits, std::move(socket), std::move(settings),
                                                    std::move(endpoint)));
  return number;
}

std::vector<int> handed_over_sockets() {
  constexpr int first = 3;  // as the interface has it: the standard streams come before
  constexpr int most = 10'000;
  std::vector<int> sockets;
  if (number_in("LISTEN_PID") != system::own_process_id()) return sockets;
  const int count = number_in("LISTEN_FDS").value_or(0);
  if (count > most)
    throw std::invalid_argument("LISTEN_FDS: expected at most " + std::to_string(most) + " sockets, found " +
                                std::to_string(count));
  for (int i = 0; i < count; ++i) sockets.push_back(first + i);
  return sockets;
}

}  // namespace toolwire::http
