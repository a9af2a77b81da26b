// A place where clients connect: each becomes a session of the same engine.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/engine.hpp"
#include "protocol/service.hpp"
#include "transport/listening_socket.hpp"

namespace toolwire::server {

/// Works on the threads of an engine from `attach` until it is over: at a stop. The sessions go on without it.
class Listener final : public engine::Source {
 public:
  struct Settings {
    std::string token = {};                        // what clients have to say first; empty: nothing
    std::function<bool(const Peer&)> admits = {};  // see UnixSocket, as the next one
    std::function<void(const Peer&, bool)> on_peer = {};
  };
  Listener(protocol::Service& service, std::unique_ptr<transport::ListeningSocket> socket, Settings settings);

  /// Once. The engine holds `self`, which is this, until it is over.
  void attach(const std::shared_ptr<engine::Engine>& engine, const std::shared_ptr<Listener>& self);

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
  void over() override { socket_.reset(); }

  Outcome accept_all();
  void serve(transport::ListeningSocket::Connected connected);

  protocol::Service& service_;
  std::unique_ptr<transport::ListeningSocket> socket_;
  const Settings settings_;
  std::shared_ptr<engine::Engine> engine_;
  std::unique_ptr<Transport> nowhere_;  // nothing is written here
  std::unique_ptr<engine::SendQueue> no_output_;
  std::shared_ptr<engine::Channel> channel_;
  bool has_run_out_ = false;  // of descriptors or memory, and has said so
};

}  // namespace toolwire::server
