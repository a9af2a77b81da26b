// A transport with the difficulties of pipes: small buffers in both directions, reads and writes that stop anywhere,
// interrupts that come too early and are lost, and a client that does not read. For tests that look for races.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "toolwire/transport.hpp"

namespace toolwire_test {

/// Thread-safe. The test holds the client's end: `send` and `receive` wait as a client on two pipes would.
class NarrowTransport final : public toolwire::Transport {
 public:
  struct Room {
    std::size_t in = 4096;
    std::size_t out = 4096;
    std::size_t piece = 4096;  // at most this much at once
  };
  explicit NarrowTransport(Room room) : room_(room) {}

  /// Waits until everything is accepted; false if the server has left.
  bool send(std::string_view bytes) {
    std::unique_lock lock(mutex_);
    while (!bytes.empty()) {
      stuck_ = in_.size() >= room_.in;
      if (stuck_) changed_.notify_all();
      changed_.wait(lock, [this] { return server_left_ || in_.size() < room_.in; });
      stuck_ = false;
      if (server_left_) return false;
      const std::size_t count = std::min(bytes.size(), room_.in - in_.size());
      in_.append(bytes.substr(0, count));
      bytes.remove_prefix(count);
      changed_.notify_all();
    }
    return true;
  }
  void end_input() { set(input_over_); }
  /// `send` will not be called for a while.
  void sender_is_done() { set(sender_done_); }
  /// Waits until `send` waits for the server, or there is nothing more to send.
  void wait_until_sender_is_stuck() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stuck_ || sender_done_ || input_over_ || server_left_; });
  }
  /// The client's end of the output is closed: writes fail from now on.
  void stop_receiving() { set(client_left_); }
  /// Waits for bytes; empty once the server has left and all was received.
  std::string receive(std::size_t most) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return server_left_ || !out_.empty(); });
    return take(out_, most);
  }
  /// To be called after the server has returned.
  void server_has_left() { set(server_left_); }

  std::ptrdiff_t read(char* into, std::size_t room) override {
    std::unique_lock lock(mutex_);
    reading_ = true;
    changed_.wait(lock, [this] { return interrupted_ || input_over_ || !in_.empty(); });
    reading_ = false;
    if (interrupted_) {
      interrupted_ = false;
      return interrupted;
    }
    const std::string bytes = take(in_, room);
    bytes.copy(into, bytes.size());
    return static_cast<std::ptrdiff_t>(bytes.size());
  }

  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override {
    std::unique_lock lock(mutex_);
    std::size_t done = 0;
    while (done < count) {
      if (blocking == Blocking::yes) changed_.wait(lock, [this] { return client_left_ || out_.size() < room_.out; });
      if (client_left_) return peer_gone;
      const std::size_t piece = std::min({count - done, room_.out - out_.size(), room_.piece});
      if (piece == 0) break;
      out_.append(bytes + done, piece);
      done += piece;
      changed_.notify_all();
    }
    return static_cast<std::ptrdiff_t>(done);
  }

  /// Lost unless a thread is inside `read`, which the interface allows.
  void interrupt() override {
    std::lock_guard lock(mutex_);
    if (!reading_) return;
    interrupted_ = true;
    changed_.notify_all();
  }

  bool input_closed() override {
    std::lock_guard lock(mutex_);
    return input_over_;
  }

 private:
  void set(bool& flag) {
    std::lock_guard lock(mutex_);
    flag = true;
    changed_.notify_all();
  }

  std::string take(std::string& from, std::size_t most) {
    const std::size_t count = std::min({from.size(), most, room_.piece});
    std::string taken = from.substr(0, count);
    from.erase(0, count);
    changed_.notify_all();
    return taken;
  }

  const Room room_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string in_;
  std::string out_;
  bool input_over_ = false;
  bool client_left_ = false;
  bool server_left_ = false;
  bool sender_done_ = false;
  bool stuck_ = false;
  bool reading_ = false;
  bool interrupted_ = false;
};

}  // namespace toolwire_test
