// A server that is reached over HTTP, as it is configured. A plain value.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <toolwire/http/detail/credentials.hpp>
#include <toolwire/http/detail/http_client.hpp>

namespace toolwire::remote {

struct RemoteServer {
  std::string url = {};      ///< Of its MCP endpoint; http or https, without user name.
  HttpHeaders headers = {};  ///< Sent with every request, to this origin only.
  /// Of what is sent in `Authorization` to this URL; empty: what the headers say.
  std::shared_ptr<Credentials> credentials = {};
  /// Told why a tool that the server lists is left out, on a thread of the HTTP client, and not once the transport is
  /// gone; short, without waiting.
  std::function<void(const std::string& why)> left_out = {};
};

/// Header fields that are the protocol's or the connection's, and cannot be configured.
bool is_of_protocol(std::string_view header);

}  // namespace toolwire::remote
