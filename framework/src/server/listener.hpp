// A place where clients connect, on the threads of an engine.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "engine/engine.hpp"
#include "protocol/service.hpp"
#include "transport/listening_socket.hpp"

namespace toolwire::server {

/// Works on the threads of an engine from `attach` until it is over: at a stop. What becomes of those who connect is
/// up to who derives from it; they go on without it.
class Listener : public engine::Source {
 public:
  /// The limits are copied when it is attached.
  Listener(const Limits& limits, std::unique_ptr<transport::ListeningSocket> socket);

  /// Once. The engine holds `self`, which is this, until it is over.
  virtual void attach(const std::shared_ptr<engine::Engine>& engine, const std::shared_ptr<Listener>& self);

 protected:
  /// Somebody has connected; over a Unix domain socket it is `peer`. Whatever this throws, they wait to be let in again
  /// when descriptors or memory have run out.
  virtual void serve(system::FileDescriptor socket, std::shared_ptr<const Peer> peer) = 0;

  /// From now on those who connect wait, for whoever else accepts from the same socket. From any thread.
  void let_nobody_in() { lets_nobody_in_ = true; }

  const std::shared_ptr<engine::Engine>& engine() const { return engine_; }
  const std::shared_ptr<engine::Channel>& channel() const { return channel_; }
  const transport::ListeningSocket& socket() const { return *socket_; }
  /// Lets in those who wait; from any thread. Says `rest` where descriptors or memory have run out.
  Outcome accept_all();
  void over() override { socket_.reset(); }

 private:
  Outcome wait_and_read() override;
  Outcome read_at_once() override { return accept_all(); }
  Outcome go_on() override { return Outcome::more; }
  int input_descriptor() const override { return socket_->descriptor(); }
  int output_descriptor() const override { return socket_->descriptor(); }
  void interrupt() override { socket_->interrupt(); }
  bool input_closed() override { return false; }
  bool all_answered() override { return true; }
  void cancel_all() override {}

  void let_in(transport::ListeningSocket::Connected connected);

  const Limits& limits_;
  std::unique_ptr<transport::ListeningSocket> socket_;
  std::shared_ptr<engine::Engine> engine_;
  std::unique_ptr<Transport> nowhere_;  // nothing is written here
  std::unique_ptr<engine::SendQueue> no_output_;
  std::shared_ptr<engine::Channel> channel_;
  std::atomic<bool> lets_nobody_in_ = false;
  std::atomic<bool> has_run_out_ = false;  // of descriptors or memory, and has said so
};

/// Each that connects becomes a session of the same engine.
class SessionListener final : public Listener {
 public:
  struct Settings {
    std::string token = {};                        // what clients have to say first; empty: nothing
    std::function<bool(const Peer&)> admits = {};  // see UnixSocket, as the next one
    std::function<void(const Peer&, bool)> on_peer = {};
  };
  SessionListener(protocol::Service& service, std::unique_ptr<transport::ListeningSocket> socket, Settings settings);

 private:
  void serve(system::FileDescriptor socket, std::shared_ptr<const Peer> peer) override;

  protocol::Service& service_;
  const Settings settings_;
};

}  // namespace toolwire::server
