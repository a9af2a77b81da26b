#include "client/send_queue.hpp"

#include <algorithm>
#include <utility>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::client {
namespace {

using std::chrono::microseconds;

constexpr std::size_t very_much = std::size_t{64} << 20;
// Only a server that keeps asking without reading the answers reaches this.
constexpr std::size_t too_much = 4 * very_much;
constexpr std::size_t largest_write = std::size_t{1} << 20;
// A transport cannot report when it takes more, and a write that waits could not be ended. So writing is retried.
constexpr microseconds shortest_pause{50};
constexpr microseconds max_pause{5000};

}  // namespace

SendQueue::SendQueue(Transport& transport, std::function<void()> on_broken)
    : transport_{transport}, on_broken_{std::move(on_broken)} {}

void SendQueue::write(std::string_view line, Full full, std::int64_t id, Clock::time_point until) {
  if (!enqueue(line, full, id, until)) on_broken_();
}

/// False if this is what broke the connection.
bool SendQueue::enqueue(std::string_view line, Full full, std::int64_t id, Clock::time_point until) {
  MutexLock lock(mutex_);
  if (ended_) return true;
  const std::size_t whole = line.size();
  if (backlog_.empty() && !write_now(line)) return break_off();
  if (line.empty()) return true;
  if (backlog_size_ > too_much) return break_off();
  backlog_.push_back({line.size() == whole ? id : 0, std::string{line}});
  backlog_size_ += line.size();
  if (!writer_.joinable()) {
    const system::SignalsBlocked inherited_by_the_thread;
    writer_ = std::thread{[this] {
      if (!write_backlog()) on_broken_();
    }};
  }
  changed_.notify_all();
  const auto has_room = [this]() TOOLWIRE_REQUIRES(mutex_) { return ended_ || backlog_size_ < very_much; };
  if (full == Full::wait && until != Clock::time_point::max()) {
    changed_.wait_until(lock, until, has_room);
  } else if (full == Full::wait) {
    changed_.wait(lock, has_room);
  }
  return true;
}

/// Removes what was accepted; false if the peer no longer reads.
bool SendQueue::write_now(std::string_view& bytes) {
  const std::string_view piece = bytes.substr(0, largest_write);
  const std::ptrdiff_t count = transport_.write(piece.data(), piece.size(), Transport::Blocking::no);
  if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  return count >= 0;
}

bool SendQueue::is_full() {
  const MutexLock lock(mutex_);
  return backlog_size_ >= very_much;
}

bool SendQueue::withdraw(std::int64_t id) {
  const MutexLock lock(mutex_);
  // Ids ascend except among calls that begin at the same moment; missing one of those does no harm.
  const auto found = std::find_if(backlog_.begin(), backlog_.end(), [id](const Line& line) { return line.id >= id; });
  if (found == backlog_.end() || found->id != id) return false;
  backlog_size_ -= found->text.size();
  backlog_.erase(found);
  changed_.notify_all();
  return true;
}

/// False if this is what broke the connection.
bool SendQueue::write_backlog() {
  MutexLock lock(mutex_);
  microseconds pause = shortest_pause;
  while (!ended_) {
    if (backlog_.empty()) {
      changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return ended_ || !backlog_.empty(); });
      continue;
    }
    std::string_view left = std::string_view{backlog_.front().text}.substr(written_);
    const std::size_t before = left.size();
    if (!write_now(left)) return break_off();
    if (left.size() == before) {
      changed_.wait_for(lock, pause);
      pause = std::min(2 * pause, max_pause);
      continue;
    }
    pause = shortest_pause;
    written_ += before - left.size();
    backlog_.front().id = 0;
    if (left.empty()) drop_first();
  }
  return true;
}

void SendQueue::drop_first() {
  backlog_size_ -= backlog_.front().text.size();
  backlog_.pop_front();
  written_ = 0;
  changed_.notify_all();
}

/// False unless it had ended before.
bool SendQueue::break_off() {
  if (std::exchange(ended_, true)) return true;
  changed_.notify_all();
  return false;
}

void SendQueue::close() {
  std::thread writer;
  {
    const MutexLock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
    writer.swap(writer_);
  }
  if (writer.joinable()) writer.join();
}

}  // namespace toolwire::client
