// A server that is reached over HTTP, as it is configured. A plain value.
#pragma once

#include <string>

#include "http_client/client.hpp"

namespace toolwire::bridge::remote {

struct RemoteServer {
  std::string url = {};      ///< Of its MCP endpoint; http or https, without user name.
  HttpHeaders headers = {};  ///< Sent with every request, to this origin only.
};

/// Header fields that are the protocol's or the connection's, and cannot be configured.
bool is_of_protocol(std::string_view header);

}  // namespace toolwire::bridge::remote
