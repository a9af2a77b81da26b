#include "client/outlet.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "transport/signals_blocked.hpp"

namespace toolwire::client {
namespace {

using std::chrono::microseconds;

constexpr std::size_t very_much = std::size_t{64} << 20;
// Only a server that asks without end and does not read the answers comes so far.
constexpr std::size_t too_much = 4 * very_much;
constexpr std::size_t largest_write = std::size_t{1} << 20;
// A transport cannot be asked to tell when it takes more, and a write that waits could not be ended. So it is tried
// again.
constexpr microseconds shortest_pause{50};
constexpr microseconds longest_pause{5000};

}  // namespace

Outlet::Outlet(Transport& transport, std::function<void()> on_broken)
    : transport_{transport}, on_broken_{std::move(on_broken)} {}

void Outlet::write(std::string_view line, Full full) {
  std::unique_lock lock{mutex_};
  if (ended_) return;
  if (backlog_.empty() && !write_now(line)) return break_off(lock);
  if (line.empty()) return;
  if (backlog_.size() > too_much) return break_off(lock);
  backlog_.append(line);
  if (!writer_.joinable()) {
    const transport::SignalsBlocked inherited_by_the_thread;
    writer_ = std::thread{[this] { write_backlog(); }};
  }
  changed_.notify_all();
  if (full == Full::wait) changed_.wait(lock, [this] { return ended_ || backlog_.size() < very_much; });
}

/// Takes off what was accepted; false if nobody reads any more.
bool Outlet::write_now(std::string_view& bytes) {
  const std::string_view piece = bytes.substr(0, largest_write);
  const std::ptrdiff_t count = transport_.write(piece.data(), piece.size(), Transport::Blocking::no);
  if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  return count >= 0;
}

bool Outlet::is_full() {
  const std::lock_guard lock{mutex_};
  return backlog_.size() >= very_much;
}

void Outlet::write_backlog() {
  std::unique_lock lock{mutex_};
  microseconds pause = shortest_pause;
  while (!ended_) {
    std::string_view left = std::string_view{backlog_}.substr(written_);
    const std::size_t before = left.size();
    if (!write_now(left)) return break_off(lock);
    written_ = backlog_.size() - left.size();
    pause = left.size() < before ? shortest_pause : std::min(2 * pause, longest_pause);
    if (left.empty()) {
      std::exchange(backlog_, {});
      written_ = 0;
      changed_.notify_all();
      changed_.wait(lock, [this] { return ended_ || !backlog_.empty(); });
    } else if (left.size() == before) {
      changed_.wait_for(lock, pause);
    }
  }
}

void Outlet::break_off(std::unique_lock<std::mutex>& lock) {
  if (std::exchange(ended_, true)) return;
  changed_.notify_all();
  lock.unlock();
  on_broken_();
}

void Outlet::close() {
  std::thread writer;
  {
    const std::lock_guard lock{mutex_};
    ended_ = true;
    changed_.notify_all();
    writer.swap(writer_);
  }
  if (writer.joinable()) writer.join();
}

}  // namespace toolwire::client
