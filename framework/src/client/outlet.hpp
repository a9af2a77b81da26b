// Writes whole lines to a transport without making anybody wait for a server that does not read.
// Knows nothing of what the lines say.
#pragma once

#include <toolwire/transport.hpp>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace toolwire::client {

/// Thread-safe. What the transport does not take at once is written by a thread, started when first needed.
class Outlet {
 public:
  /// `on_broken` is called once, without a lock, when the other side no longer reads.
  Outlet(Transport& transport, std::function<void()> on_broken);
  Outlet(const Outlet&) = delete;
  Outlet& operator=(const Outlet&) = delete;
  ~Outlet() { close(); }

  enum class Full { wait, go_on };

  /// With Full::wait it waits while very much is unwritten already; else the connection counts as broken when even
  /// more is. Nothing happens after `close` or a broken connection.
  void write(std::string_view line, Full full);

  /// Whether a write with Full::wait would wait.
  [[nodiscard]] bool is_full();

  /// Drops what is unwritten.
  void close();

 private:
  bool write_now(std::string_view& bytes);
  void write_backlog();
  void break_off(std::unique_lock<std::mutex>& lock);

  Transport& transport_;
  std::function<void()> on_broken_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string backlog_;      // all guarded by mutex_
  std::size_t written_ = 0;  // of the backlog
  bool ended_ = false;
  std::thread writer_;
};

}  // namespace toolwire::client
