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
};

/// Throws std::invalid_argument that says what was expected.
http::Port http_port(const HttpOptions& options);

/// Who has which token, from a text of lines "NAME TOKEN" (empty ones and those with # are passed over). Throws
/// std::invalid_argument: a token has at least 32 characters, and neither a name nor a token occurs twice.
class BearerTokens {
 public:
  explicit BearerTokens(std::string_view text);

  /// The name of whoever says `Authorization: Bearer TOKEN`; empty if that is nobody. Takes a time that says nothing
  /// of how much of a token is right.
  std::string name_of(std::string_view authorization) const;

 private:
  struct Entry {
    std::string name;
    std::string token;
  };
  std::vector<Entry> entries_;
};

}  // namespace toolwire::bridge
