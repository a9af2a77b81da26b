// A port where clients connect over HTTP: lets them in, watches the clock for all connections, and ends in order.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "listening/endpoint.hpp"
#include "server/listener.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/http/listen.hpp"

namespace toolwire::http {

class Connection;

/// Throws std::invalid_argument for limits that cannot be meant.
void check(const ConnectionLimits& limits);

/// Thread-safe. Works on a channel of an engine, where clients connect, and its endpoint may have one of its own.
/// Connections are watches of the engine; they stay until both are over.
class PortListener final : public server::Listener, public std::enable_shared_from_this<PortListener> {
 public:
  struct Settings {
    ConnectionLimits limits = {};
    std::size_t max_body = 0;  // bytes
    Authenticate authenticate = {};
    bool is_handed_over = false;  // the socket: others may serve those who wait on it
  };
  /// `limits`: of the one that is served, which outlives `attach`.
  PortListener(const Limits& limits, std::unique_ptr<toolwire::transport::ListeningSocket> socket, Settings settings,
               std::unique_ptr<Endpoint> endpoint);
  ~PortListener() override;

  /// 0 for a Unix socket.
  std::uint16_t port() const { return socket().port(); }
  void attach(const std::shared_ptr<engine::Engine>& engine, const std::shared_ptr<server::Listener>& self) override;

  // For the endpoint:
  const std::shared_ptr<engine::Engine>& shared_engine() const { return works_on_; }
  /// Runs a piece of work that may take its time, soon; dropped once this is over.
  void post(std::function<void()> work) const { channel()->post(std::move(work)); }
  /// Clients had better go elsewhere: the stop is near, or under way.
  bool is_ending() const { return ending_.load(std::memory_order_acquire); }

  // For connections:
  const Settings& settings() const { return settings_; }
  engine::Engine& works_on() const { return *works_on_; }
  Endpoint& endpoint() const { return *endpoint_; }
  /// One has something to answer or to send, or has no longer.
  void busy_changed(bool busy) { busy ? ++busy_ : --busy_; }
  /// One has a deadline: the clock is looked at from now on, for all at once.
  void watch_clock();
  /// One is closed.
  void forget(std::uint64_t id);

 private:
  void serve(system::FileDescriptor socket, std::shared_ptr<const Peer> peer) override;
  bool all_answered() override { return busy_ == 0; }
  void give_notice() override;
  void stop_reading() override;
  void over() override;

  bool make_room() const;
  void go_on_letting_in();
  void part_is_over();
  void look_at_clock();
  std::vector<std::shared_ptr<Connection>> connections() const;

  const Settings settings_;
  const std::chrono::milliseconds tick_;
  const std::unique_ptr<Endpoint> endpoint_;
  std::shared_ptr<engine::Engine> works_on_;
  std::atomic<bool> ending_{false};
  std::atomic<std::size_t> busy_{0};
  std::atomic<unsigned> parts_{2};  // this channel, and what the endpoint has
  std::atomic<bool> watches_clock_{false};
  system::FileDescriptor waits_while_stopping_;  // the socket again, which the channel does not read any more
  std::atomic<std::uint64_t> watch_while_stopping_{0};
  mutable Mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Connection>> connections_ TOOLWIRE_GUARDED_BY(mutex_);
  std::uint64_t last_id_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};

}  // namespace toolwire::http
