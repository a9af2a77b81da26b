// Writes whole lines to a transport without blocking the caller when a server does not read. Does not interpret the
// lines.
#pragma once

#include <toolwire/engine.hpp>
#include <toolwire/transport.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/system/watchable.hpp"

namespace toolwire::client {

/// Thread-safe. What the transport does not take at once is written when it takes more: by the engine, if there is one
/// and the transport tells when that is, else by a thread, started when first needed.
class SendQueue {
 public:
  /// `on_broken` is called once, without a lock, when the other side no longer reads.
  SendQueue(Transport& transport, std::function<void()> on_broken, std::shared_ptr<Engine> engine = {});
  SendQueue(const SendQueue&) = delete;
  SendQueue& operator=(const SendQueue&) = delete;
  ~SendQueue() { close(); }

  enum class Full { wait, go_on };
  using Clock = std::chrono::steady_clock;

  /// With Full::wait it waits, until `until` at most, while more than 64 MiB are unwritten; with Full::go_on the
  /// connection counts as broken beyond 256 MiB. Does nothing after `close` or on a broken connection.
  /// `id`: by which the line can be withdrawn; 0 for none.
  void write(std::string_view line, Full full, std::int64_t id = 0, Clock::time_point until = Clock::time_point::max());

  /// Withdraws a line of which nothing has been written. False if there is none with that id.
  bool withdraw(std::int64_t id);
  /// Whether there is one.
  [[nodiscard]] bool holds(std::int64_t id);

  /// Whether a write with Full::wait would wait.
  [[nodiscard]] bool is_full();

  /// Drops what is unwritten.
  void close();

 private:
  struct Line {
    std::int64_t id;
    std::string text;
  };

  bool write_now(std::string_view& bytes) TOOLWIRE_REQUIRES(mutex_);
  bool enqueue(std::string_view line, Full full, std::int64_t id, Clock::time_point until);
  void see_to_backlog() TOOLWIRE_REQUIRES(mutex_);
  bool write_backlog();
  std::ptrdiff_t write_some() TOOLWIRE_REQUIRES(mutex_);
  void write_ready();
  bool write_ready_locked() TOOLWIRE_REQUIRES(mutex_);
  void drop_first() TOOLWIRE_REQUIRES(mutex_);
  bool break_off() TOOLWIRE_REQUIRES(mutex_);

  Transport& transport_;
  std::function<void()> on_broken_;
  const std::shared_ptr<Engine> engine_;
  const int output_event_;  // when the transport takes more; -1: there is a thread for that
  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<Line> backlog_ TOOLWIRE_GUARDED_BY(mutex_);      // a line that was begun has lost its id
  std::size_t written_ TOOLWIRE_GUARDED_BY(mutex_) = 0;       // of the first line
  std::size_t backlog_size_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // in bytes, with what is written of the first line
  bool ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::thread writer_ TOOLWIRE_GUARDED_BY(mutex_);
  bool is_awaited_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // by the next
  Engine::Watch room_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t inside_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // calls of it
};

}  // namespace toolwire::client
