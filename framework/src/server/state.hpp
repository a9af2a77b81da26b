// The implementation of the public Server.
#pragma once

#include <memory>
#include <vector>

#include "protocol/service.hpp"
#include "server/mount.hpp"
#include "server/serving.hpp"
#include "toolwire/server.hpp"

namespace toolwire {

struct Server::State : protocol::Service {
  using protocol::Service::Service;

  server::Serving serving;
  server::Followers followers = {};
  std::vector<std::unique_ptr<server::Mount>> mounts = {};  // see Mount::add; the first to go
};

}  // namespace toolwire
