#include "commands/http_place.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

#include <toolwire/system/network_address.hpp>
#include "commands/http.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::string_view scheme = "http://";

[[noreturn]] void refuse_url(const std::string& url) {
  throw std::invalid_argument(
      "--listen: expected \"http://ADDRESS:PORT/PATH\" with an address in numbers, as in "
      "\"http://127.0.0.1:8080/mcp\", found \"" +
      url + "\"");
}

/// What stands before the port; an address of IPv6 without its brackets.
std::string address_in(std::string_view authority, const std::string& url) {
  std::string_view host = authority.substr(0, authority.rfind(':'));
  if (host == "localhost") return "127.0.0.1";
  if (const std::string_view inner = system::without_brackets(host); inner != host) return std::string(inner);
  if (host.empty() || host.find_first_not_of("0123456789.") != std::string_view::npos) refuse_url(url);
  return std::string(host);
}

std::uint16_t port_in(std::string_view authority, const std::string& url) {
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos || authority.ends_with(']')) refuse_url(url);
  const std::string_view digits = authority.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) refuse_url(url);
  return port;
}

/// What the port serves beside MCP would hide the endpoint.
void check_path(const std::string& path) {
  constexpr std::array<std::string_view, 4> taken{"/health", "/metrics", "/status", "/status.json"};
  if (std::ranges::find(taken, path) != taken.end() || path.starts_with("/.well-known/"))
    throw std::invalid_argument("--listen: " + path + " is served beside MCP; expected another path, as /mcp");
}

void check_names(const HttpOptions& options) {
  for (const std::string& host : options.hosts) {
    if (const auto wrong = wrong_host_name(host)) throw std::invalid_argument("--host: " + *wrong);
  }
  for (const std::string& origin : options.origins) {
    if (const auto wrong = wrong_origin(origin)) throw std::invalid_argument("--origin: " + *wrong);
  }
}

}  // namespace

http::Port http_port(const HttpOptions& options) {
  if (!options.url.starts_with(scheme)) refuse_url(options.url);
  const std::string_view rest = std::string_view(options.url).substr(scheme.size());
  const std::string_view authority = rest.substr(0, rest.find('/'));
  if (rest.find_first_of("?#@ ") != std::string_view::npos) refuse_url(options.url);
  http::Port port{.address = address_in(authority, options.url), .port = port_in(authority, options.url)};
  if (authority.size() + 1 < rest.size()) port.handler.path = std::string(rest.substr(authority.size()));
  check_path(port.handler.path);
  check_names(options);
  port.handler.hosts = options.hosts;
  port.handler.origins = options.origins;
  if (options.tokens) port.authenticate = options.tokens->authenticate();
  return port;
}

}  // namespace toolwire::bridge
