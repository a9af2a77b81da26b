// Where a bridge listens for HTTP, and whose requests it takes. Opens nothing.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/http/listen.hpp>

#include "commands/token_file.hpp"

namespace toolwire::bridge {

struct HttpOptions {
  std::string url = {};                    // "http://ADDRESS:PORT/PATH", the path "/mcp" if there is none
  std::shared_ptr<TokenFile> tokens = {};  // whose tokens let in; null: whoever reaches the port is let in
  std::vector<std::string> hosts = {};     // that `Host` may say; none: the usual names of this machine
  std::vector<std::string> origins = {};   // web pages that may call
};

/// Throws std::invalid_argument that says what was expected.
http::Port http_port(const HttpOptions& options);

}  // namespace toolwire::bridge
