// A port where clients connect over HTTP: lets them in, watches the clock for all connections, and ends in order.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/listener.hpp"
#include "server/state.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/http/handler.hpp"
#include "toolwire/http/listen.hpp"

namespace toolwire::http {

class Connection;

/// Thread-safe. Two channels of the engine that serves the server are its own: this one, where clients connect, and the
/// handler's, where their calls are. Connections are watches of the engine; they stay until both are over.
class PortListener final : public server::Listener, public std::enable_shared_from_this<PortListener> {
 public:
  /// The options are those that count: with hosts.
  PortListener(const std::shared_ptr<Server::State>& state,
               std::unique_ptr<toolwire::transport::ListeningSocket> socket, Port port);
  ~PortListener() override;

  void attach(const std::shared_ptr<engine::Engine>& engine, const std::shared_ptr<server::Listener>& self) override;

  // For connections:
  const Port& port() const { return port_; }
  engine::Engine& works_on() const { return *engine(); }
  Handler& handler() const { return *handler_; }
  bool is_stopping() const { return stopping_.load(std::memory_order_acquire); }
  /// One has something to answer or to send, or has no longer.
  void busy_changed(bool busy) { busy ? ++busy_ : --busy_; }
  /// One has a deadline: the clock is looked at from now on, for all at once.
  void watch_clock();
  /// One is closed.
  void forget(std::uint64_t id);

 private:
  void serve(system::FileDescriptor socket, std::shared_ptr<const Peer> peer) override;
  bool all_answered() override { return busy_ == 0; }
  void stop_reading() override;
  void over() override;

  void part_is_over();
  void look_at_clock();
  std::vector<std::shared_ptr<Connection>> connections() const;

  const std::weak_ptr<Server::State> state_;  // which holds this until it serves
  const Port port_;
  const std::chrono::milliseconds tick_;
  std::unique_ptr<Handler> handler_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> busy_{0};
  std::atomic<unsigned> parts_{2};
  std::atomic<bool> watches_clock_{false};
  mutable Mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Connection>> connections_ TOOLWIRE_GUARDED_BY(mutex_);
  std::uint64_t last_id_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};

}  // namespace toolwire::http
