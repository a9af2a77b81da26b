// Between libnats and a server with TLS: a port of this machine, of which all that comes goes on over TLS, and back.
// libnats' own TLS is not for us: until 3.11 two of its threads use one session at the same time, its handshake has no
// deadline, and what the system trusts is trusted whatever else is said.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/detail/event_loop.hpp>
#include <toolwire/detail/mutex.hpp>

#include "streams/system/local_port.hpp"
#include "streams/way.hpp"

namespace toolwire::nats {

/// For one connection, which calls itself something that nobody else can know: others of this machine who find the port
/// are not let through. Its own loop and thread, as threads of an engine may wait for it.
class Passage {
 public:
  /// Waits for the resolver, and then until the server has greeted and shown who it is, or for `deadline`. Throws
  /// std::runtime_error that says why it has not.
  Passage(const streams::Way& way, std::chrono::milliseconds deadline);
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;
  /// Waits until what libnats has said before it left is with the system, for the deadline at most.
  ~Passage();

  /// Where libnats connects to, in the place of the server.
  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_number_); }
  /// What it has to call itself.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Why the server's side has ended; empty if it has not.
  [[nodiscard]] std::string why() const;

 private:
  /// One end of it.
  struct End {
    system::FileDescriptor socket = {};
    std::unique_ptr<streams::Stream> stream = {};
  };
  /// What goes from one end to the other.
  struct Flow {
    std::string bytes = {};
    std::size_t given = 0;  // of them
    std::uint32_t from_waits = 0;
    std::uint32_t to_waits = 0;
    bool has_ended = false;

    [[nodiscard]] std::size_t left() const { return bytes.size() - given; }
    [[nodiscard]] bool is_over() const { return has_ended && left() == 0; }
  };

  void wait();
  void watch(const End& one, std::uint32_t wanted);
  void let_in();
  void greet();
  void turn();
  void take(Flow& flow, const End& from);
  static void give(Flow& flow, const End& to);
  void move(Flow& flow, const End& from, const End& to);
  [[nodiscard]] bool is_libnats() const;
  void say_used(bool is_used);
  void close(End& one);
  void finish();

  const std::chrono::milliseconds deadline_;
  const std::string name_;
  std::string greeting_;  // of the server, as libnats is to read it
  mutable Mutex mutex_;
  ConditionVariable left_;
  std::string why_ TOOLWIRE_GUARDED_BY(mutex_);
  bool is_used_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // by libnats, or by whoever has found the port

  // On the loop only, once there is one.
  streams::LocalPort port_;  // until libnats is let in
  const std::uint16_t port_number_ = port_.port();
  End server_;
  End local_;
  Flow up_;    // to the server
  Flow down_;  // to libnats
  EventLoop loop_;
};

}  // namespace toolwire::nats
