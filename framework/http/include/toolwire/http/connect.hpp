// A server of MCP that is reached over HTTP, for the client of client.hpp (library toolwire::http_client): Streamable
// HTTP in every revision from 2025-03-26 on.
//
//     toolwire::Client client(toolwire::http::connect("https://mcp.example.com/mcp", {.token = token}));
//     const auto sum = client.call<double>("add", toolwire::arguments("a", 19, "b", 23));
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <toolwire/engine.hpp>
#include <toolwire/transport.hpp>
#include <utility>
#include <vector>

namespace toolwire::http {

/// How a server is reached, and who says so. Whatever names the caller goes to the origin of the server's URL only.
struct ConnectOptions {
  std::string token = {};  ///< Sent as `Authorization: Bearer`; empty: none. Not beside `authorization`.
  /// The value of `Authorization` where it changes, as `"Bearer " + token`; empty: none now. `refused` is empty, or the
  /// value that the server has just answered with 401: then another one, or an empty one if there is none, for which
  /// the request is sent again, three times at most. Called for every request, by several threads at once: it must be
  /// quick, as calls wait for it. An exception fails the request with its text.
  std::function<std::string(std::string_view refused)> authorization = {};
  /// Further fields of every request, but for those of the protocol and of the connection.
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// Certificates to trust, PEM, in the place of those of the system; empty: those of the file that the environment
  /// names (`SSL_CERT_FILE`), if it does.
  std::string ca_file = {};
  /// "http://host:port" that requests go through, but for those to this machine; empty: the proxy that the environment
  /// names (`https_proxy`, `no_proxy` and the like), if it does.
  std::string proxy = {};
  std::size_t max_message = std::size_t{80} << 20;  ///< Bytes of one message of the server; a longer one ends it.
  std::shared_ptr<Engine> engine = {};              ///< Whose threads do the work; empty: of its own.
  /// Told of each tool that the server lists and that is left out, since no call of it could say its arguments in the
  /// header fields that its schema asks for (`x-mcp-header`, 2026-07-28). From any thread, until the client is
  /// destroyed, which it must not do; short. Empty: a line of the log.
  std::function<void(const std::string& why)> on_left_out = {};
};

/// The conversation begins with the first message: a server that cannot be reached, or refuses the caller, shows in the
/// constructor of Client, as ConnectionError. What is destroyed ends the session. Redirects are followed within the
/// origin of `url` only; a call is sent again only where the server says that it has not been carried out, or what it
/// does is done by reading alone. Throws std::invalid_argument for a URL or options that cannot be used, and
/// std::runtime_error that says what to install where the system has no libcurl of 7.88 or later.
std::unique_ptr<Transport> connect(std::string url, ConnectOptions options = {});

}  // namespace toolwire::http
