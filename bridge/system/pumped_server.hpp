// A server whose clients connect to it, on the threads of an engine. Knows nothing of what it serves.
#pragma once

#include <memory>

#include <toolwire/server.hpp>

#include <toolwire/detail/event_loop.hpp>

namespace toolwire::bridge {

/// Serves those who connect (Server::listen) while it lives, one request at a time; signals are left alone. The server
/// must outlive it.
class PumpedServer {
 public:
  /// Without an engine: has one of its own. Throws std::system_error if descriptors or threads have run out.
  explicit PumpedServer(Server& server, std::shared_ptr<Engine> engine = {});
  ~PumpedServer();
  PumpedServer(const PumpedServer&) = delete;
  PumpedServer& operator=(const PumpedServer&) = delete;

 private:
  void begin(Server& server);

  std::unique_ptr<Pump> pump_;  // used on the loop
  EventLoop loop_;
};

}  // namespace toolwire::bridge
