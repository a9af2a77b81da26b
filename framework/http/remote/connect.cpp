#include <toolwire/http/connect.hpp>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "fetch/request_check.hpp"
#include "remote/function_credentials.hpp"

#include <toolwire/http/detail/header_text.hpp>
#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/http/detail/http_url.hpp>
#include <toolwire/http/detail/remote_transport.hpp>
#include <toolwire/system/log_line.hpp>

namespace toolwire::http {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("toolwire::http::connect: " + why); }

bool names_caller(const std::string& header) { return header_text::lower(header) == "authorization"; }

void check_headers(const ConnectOptions& options) {
  const bool is_said = !options.token.empty() || options.authorization;
  if (!options.token.empty() && options.authorization) refuse("expected `token` or `authorization`, not both");
  for (const auto& [name, value] : options.headers) {
    if (remote::is_of_protocol(name))
      refuse("the header \"" + name + "\" is the protocol's or the connection's; leave it out");
    if (is_said && names_caller(name))
      refuse("expected a header \"" + name + "\", or `token` or `authorization`, not both");
  }
}

void check_certificates(const std::string& file) {
  std::ifstream opened(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(opened), {}};
  if (!opened) refuse("cannot read certificates from \"" + file + "\"");
  if (content.find("-----BEGIN ") == std::string::npos) refuse("expected certificates in PEM in \"" + file + "\"");
}

/// A user name before the host is the proxy's.
void check_proxy(std::string proxy) {
  const auto host = proxy.find("://");
  const auto user = proxy.rfind('@');
  if (host != std::string::npos && user != std::string::npos && user > host) proxy.erase(host + 3, user - host - 2);
  if (!HttpUrl::parse(proxy)) refuse("expected \"http://host:port\" as `proxy`");
}

remote::RemoteServer server_of(std::string url, ConnectOptions& options) {
  remote::RemoteServer server{.url = std::move(url), .headers = std::move(options.headers)};
  if (!options.token.empty()) server.headers.emplace_back("Authorization", "Bearer " + options.token);
  server.left_out = std::move(options.on_left_out);
  if (!server.left_out) {
    server.left_out = [origin = http_origin_of(server.url).value_or("")](const std::string& why) {
      log_line(LogLevel::warning, "a tool of " + origin + " is left out: " + why);
    };
  }
  if (options.authorization)
    server.credentials = std::make_shared<remote::FunctionCredentials>(std::move(options.authorization));
  if (const auto problem = problem_of({.method = "POST", .url = server.url, .headers = server.headers}))
    refuse(problem->text);
  return server;
}

std::shared_ptr<HttpClient> client_of(const ConnectOptions& options) {
  return std::make_shared<HttpClient>(
      HttpClientOptions{.proxy = options.proxy, .ca_file = options.ca_file, .engine = options.engine});
}

}  // namespace

std::unique_ptr<Transport> connect(std::string url, ConnectOptions options) {
  check_headers(options);
  if (!options.ca_file.empty()) check_certificates(options.ca_file);
  if (!options.proxy.empty()) check_proxy(options.proxy);
  remote::RemoteServer server = server_of(std::move(url), options);
  return std::make_unique<remote::RemoteTransport>(std::move(server), client_of(options), options.max_message);
}

}  // namespace toolwire::http
