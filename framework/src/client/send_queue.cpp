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
// Most transports cannot report when they take more, and a write that waits could not be ended. So writing is retried.
constexpr microseconds shortest_pause{50};
constexpr microseconds max_pause{5000};

int output_event_of(Transport& transport, const Engine* engine) {
  auto* const watchable = engine == nullptr ? nullptr : dynamic_cast<system::Watchable*>(&transport);
  return watchable == nullptr ? -1 : watchable->output_event();
}

}  // namespace

SendQueue::SendQueue(Transport& transport, std::function<void()> on_broken, std::shared_ptr<Engine> engine)
    : transport_{transport},
      on_broken_{std::move(on_broken)},
      engine_{std::move(engine)},
      output_event_{output_event_of(transport, engine_.get())} {}

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
  see_to_backlog();
  changed_.notify_all();
  const auto has_room = [this]() TOOLWIRE_REQUIRES(mutex_) { return ended_ || backlog_size_ < very_much; };
  if (full == Full::wait && until != Clock::time_point::max()) {
    changed_.wait_until(lock, until, has_room);
  } else if (full == Full::wait) {
    changed_.wait(lock, has_room);
  }
  return true;
}

/// Somebody writes it from now on.
void SendQueue::see_to_backlog() {
  if (output_event_ >= 0) {
    if (is_awaited_) return;
    room_ = engine_->watch(output_event_, Engine::readable, [this](unsigned) { write_ready(); });
    is_awaited_ = true;
  } else if (!writer_.joinable()) {
    const system::SignalsBlocked inherited_by_the_thread;
    writer_ = std::thread{[this] {
      if (!write_backlog()) on_broken_();
    }};
  }
}

/// Called by the engine as long as the transport takes something.
void SendQueue::write_ready() {
  bool is_well = true;
  {
    const MutexLock lock(mutex_);
    ++inside_;
    is_well = ended_ || write_ready_locked();
    if (ended_ || backlog_.empty()) {
      room_.end();  // waits for nobody: this is its call
      is_awaited_ = false;
    }
  }
  if (!is_well) on_broken_();
  const MutexLock lock(mutex_);
  --inside_;
  changed_.notify_all();
}

/// False if this is what broke the connection.
bool SendQueue::write_ready_locked() {
  if (backlog_.empty() || write_some() >= 0) return true;
  return break_off();
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

bool SendQueue::holds(std::int64_t id) {
  const MutexLock lock(mutex_);
  return std::ranges::find(backlog_, id, &Line::id) != backlog_.end();
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
    const std::ptrdiff_t written = write_some();
    if (written < 0) return break_off();
    if (written > 0) {
      pause = shortest_pause;
    } else {
      changed_.wait_for(lock, pause);
      pause = std::min(2 * pause, max_pause);
    }
  }
  return true;
}

/// Of the first line; how much of it was accepted, negative if the peer no longer reads.
std::ptrdiff_t SendQueue::write_some() {
  std::string_view left = std::string_view{backlog_.front().text}.substr(written_);
  const std::size_t before = left.size();
  if (!write_now(left)) return Transport::peer_gone;
  const std::size_t count = before - left.size();
  if (count == 0) return 0;
  written_ += count;
  backlog_.front().id = 0;
  if (left.empty()) drop_first();
  return static_cast<std::ptrdiff_t>(count);
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
  Engine::Watch room;
  {
    const MutexLock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
    writer.swap(writer_);
    room = std::move(room_);
  }
  if (writer.joinable()) writer.join();
  room.end();  // waits for its call
  MutexLock lock(mutex_);
  changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return inside_ == 0; });
}

}  // namespace toolwire::client
