#include "commands/http_place.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <toolwire/system/private_file.hpp>

#include <toolwire/http/authenticators.hpp>
#include <toolwire/system/network_address.hpp>
#include "commands/http.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::string_view scheme = "http://";
constexpr std::size_t max_token_file = std::size_t{1} << 20;

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

std::string text_of_tokens(const std::string& path) {
  const system::PrivateFile file(path, system::PrivateFile::Access::read);
  const auto text = file.is_open() ? file.read_all(max_token_file) : std::nullopt;
  if (!text)
    throw std::invalid_argument(
        "expected a file of yours that nobody else can read or write (chmod 600), of at most 1 MiB: " + path);
  return *text;
}

http::Authenticate asking_for(const std::string& token_file, bool needs_scopes) {
  try {
    std::vector<http::KnownToken> tokens = http::known_tokens_in(text_of_tokens(token_file));
    for (const http::KnownToken& one : tokens) {
      if (!needs_scopes && !one.principal.scopes.empty())
        throw std::invalid_argument("expected \"NAME TOKEN\", found more behind the token of " + one.principal.id +
                                    ": no tool here asks for scopes");
    }
    return http::known_tokens(std::move(tokens));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("--token-file: ") + error.what());
  }
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
  if (!options.token_file.empty()) port.authenticate = asking_for(options.token_file, options.needs_scopes);
  return port;
}

}  // namespace toolwire::bridge
