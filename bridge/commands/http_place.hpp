// Where a bridge listens for HTTP, and whose requests it takes. Opens nothing but the file with tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <toolwire/http/listen.hpp>

namespace toolwire::bridge {

struct HttpOptions {
  std::string url = {};                   // "http://ADDRESS:PORT/PATH", the path "/mcp" if there is none
  std::string token_file = {};            // lines "NAME TOKEN"; empty: whoever reaches the port is let in
  std::vector<std::string> hosts = {};    // that `Host` may say; none: the usual names of this machine
  std::vector<std::string> origins = {};  // web pages that may call
  bool needs_scopes = false;              // so that the file of tokens may say which a token has
};

/// Throws std::invalid_argument that says what was expected.
http::Port http_port(const HttpOptions& options);

}  // namespace toolwire::bridge
