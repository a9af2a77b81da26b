// The implementation of the public Server.
#pragma once

#include "protocol/service.hpp"
#include "server/serving.hpp"
#include "toolwire/server.hpp"

namespace toolwire {

struct Server::State : protocol::Service {
  using protocol::Service::Service;

  server::Serving serving;
};

}  // namespace toolwire
