// A transport that a test controls: the test feeds bytes, and what the server writes is kept as lines. Unlike the
// framework's memory transport it can end its input and keep listening, as a client on two pipes can, and it can stop
// listening.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/transport.hpp"

namespace toolwire_test {

/// Thread-safe. The time limit of `next` only ends tests that fail; no test depends on it.
class ScriptTransport final : public toolwire::Transport {
 public:
  static constexpr std::chrono::seconds patience{30};

  void feed(std::string_view bytes) {
    std::lock_guard lock(mutex_);
    input_.append(bytes);
    changed_.notify_all();
  }
  void feed_line(std::string_view line) { feed(std::string(line) + '\n'); }
  void end_input() {
    std::lock_guard lock(mutex_);
    input_over_ = true;
    changed_.notify_all();
  }

  /// The next line the server wrote; nothing once it has left, or if none comes.
  std::optional<std::string> next() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [this] { return server_left_ || !lines_.empty(); });
    if (lines_.empty()) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

  /// Nothing more will be written. To be called after the server has returned.
  void server_has_left() {
    std::lock_guard lock(mutex_);
    if (!partial_.empty()) lines_.push_back("(no line feed) " + partial_);
    server_left_ = true;
    changed_.notify_all();
  }

  /// From now on writes are not accepted, until `listen_again`; `leave` makes them fail for good.
  void stop_listening() { set(listening_, false); }
  void listen_again() { set(listening_, true); }
  void leave() {
    set(left_, true);
    end_input();
  }
  /// Whether a writer waits, or comes to wait, for the other side to listen again.
  bool comes_to_block_a_writer() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [this] { return blocked_writers_ > 0; });
  }

  std::ptrdiff_t read(char* into, std::size_t room) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return interrupted_ || input_over_ || taken_ < input_.size(); });
    if (interrupted_) {
      interrupted_ = false;
      return interrupted;
    }
    const std::size_t count = std::min(room, input_.size() - taken_);
    std::memcpy(into, input_.data() + taken_, count);
    taken_ += count;
    return static_cast<std::ptrdiff_t>(count);
  }

  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override {
    std::unique_lock lock(mutex_);
    if (blocking == Blocking::yes && !listening_ && !left_) {
      ++blocked_writers_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return listening_ || left_; });
      --blocked_writers_;
    }
    if (left_) return peer_gone;
    if (!listening_) return 0;
    keep({bytes, count});
    changed_.notify_all();
    return static_cast<std::ptrdiff_t>(count);
  }

  void interrupt() override { set(interrupted_, true); }
  bool input_closed() override {
    std::lock_guard lock(mutex_);
    return input_over_;
  }

 private:
  void set(bool& flag, bool value) {
    std::lock_guard lock(mutex_);
    flag = value;
    changed_.notify_all();
  }

  void keep(std::string_view bytes) {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      lines_.push_back(partial_.append(bytes.substr(0, end)));
      partial_.clear();
      bytes.remove_prefix(end + 1);
    }
    partial_.append(bytes);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string input_;
  std::size_t taken_ = 0;  // of input_, already read
  std::deque<std::string> lines_;
  std::string partial_;
  int blocked_writers_ = 0;
  bool input_over_ = false;
  bool server_left_ = false;
  bool listening_ = true;
  bool left_ = false;
  bool interrupted_ = false;
};

/// What was written, after the last of it.
inline std::vector<std::string> lines_written_to(ScriptTransport& transport) {
  transport.server_has_left();
  std::vector<std::string> lines;
  while (auto line = transport.next()) lines.push_back(*line);
  return lines;
}

}  // namespace toolwire_test
