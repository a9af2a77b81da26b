// A server whose clients connect to it, on one thread that waits for them. Knows nothing of what it serves.
#pragma once

#include <memory>

#include <toolwire/server.hpp>

#include "system/event_loop.hpp"

namespace toolwire::bridge {

/// Serves those who connect (Server::listen) while it lives; signals are left alone. The server must outlive it.
class ServerThread {
 public:
  /// Throws std::system_error if descriptors or threads have run out.
  explicit ServerThread(Server& server);
  ~ServerThread();
  ServerThread(const ServerThread&) = delete;
  ServerThread& operator=(const ServerThread&) = delete;

 private:
  void begin(Server& server);

  std::unique_ptr<Pump> pump_;  // the loop's own
  EventLoop loop_;
};

}  // namespace toolwire::bridge
