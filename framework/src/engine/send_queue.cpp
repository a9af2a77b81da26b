#include "engine/send_queue.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace toolwire::engine {
namespace {
constexpr std::size_t kept_capacity = 1u << 20;   // larger buffers are given back once they are written
constexpr std::size_t max_grown = kept_capacity;  // a buffer that would grow further is set aside
constexpr std::size_t worth_moving = 16u << 10;   // shorter lines are copied into the buffer that is there
constexpr std::size_t max_at_once = 256u << 10;   // of a write that may wait, so that it shows whether the client reads
}  // namespace

SendQueue::SendQueue(Transport& transport, const Limits& limits, std::function<void()> on_stalled,
                     std::function<void()> on_caught_up)
    : transport_(transport),
      soft_(std::max(limits.output_soft, limits.line)),
      hard_(std::max(limits.output_hard, soft_)),
      on_stalled_(std::move(on_stalled)),
      on_caught_up_(std::move(on_caught_up)) {}

void SendQueue::append_locked(std::string_view line) {
  if (line.empty() || peer_gone()) return;
  if (const std::size_t size = ready_.size() + line.size() + 1; size > ready_.capacity() && size > max_grown) {
    set_ready_aside();
    ready_.reserve(line.size() + 1);
  }
  const std::size_t before = ready_.size();
  try {
    ready_.append(line).push_back('\n');
  } catch (const std::bad_alloc&) {
    ready_.resize(before);  // no half a line
    throw;
  }
  pending_bytes_.fetch_add(line.size() + 1, std::memory_order_relaxed);
}

/// What is appended from now on begins another buffer.
void SendQueue::set_ready_aside() {
  if (ready_.empty()) return;
  aside_.push_back(std::move(ready_));
  ready_.clear();
}

void SendQueue::append(std::string_view line) {
  const MutexLock lock(mutex_);
  append_locked(line);
}

void SendQueue::append(std::string&& line) {
  const MutexLock lock(mutex_);
  const bool is_taken = line.size() >= (ready_.empty() ? worth_moving : max_grown);
  if (!is_taken || peer_gone()) return append_locked(line);
  set_ready_aside();
  const std::size_t size = line.size() + 1;
  if (line.capacity() < size) {  // it would need its own size once more to grow
    aside_.push_back(std::move(line));
    ready_.assign(1, '\n');
  } else {
    line.push_back('\n');
    ready_ = std::move(line);
  }
  pending_bytes_.fetch_add(size, std::memory_order_relaxed);
}

void SendQueue::flush(Transport::Blocking blocking) {
  while (!empty()) {
    switch (write_ready(blocking)) {
      case Flushed::all:
        return;
      case Flushed::some:
        return on_stalled_();
      case Flushed::caught_up:
        if (on_caught_up_) on_caught_up_();
    }
  }
}

SendQueue::Flushed SendQueue::write_ready(Transport::Blocking blocking) {
  MutexLock lock(mutex_);
  if (writing_ || peer_gone()) return Flushed::all;
  writing_ = true;
  bool all = true;
  while (all && !peer_gone() && (written_ < active_.size() || is_any_ready())) {
    if (written_ == active_.size()) refill_active();
    const std::string_view piece = std::string_view(active_).substr(written_, max_at_once);
    lock.unlock();
    const std::ptrdiff_t count = transport_.write(piece.data(), piece.size(), blocking);
    lock.lock();
    all = note_written(count, piece.size());
  }
  writing_ = false;
  if (peer_gone()) drop_everything();
  if (closing_) written_all_.notify_all();
  if (std::exchange(caught_up_, false)) return Flushed::caught_up;
  // The loss of the peer is reported only from threads that may wait: those that may not do not belong to the engine.
  const bool done = all || (peer_gone() && blocking == Transport::Blocking::yes);
  return done ? Flushed::all : Flushed::some;
}

void SendQueue::refill_active() {
  active_.clear();
  if (active_.capacity() > kept_capacity) std::string().swap(active_);
  written_ = 0;
  if (aside_.empty()) return active_.swap(ready_);
  active_ = std::move(aside_.front());
  aside_.erase(aside_.begin());
}

/// Returns false if bytes of the piece had to be left behind.
bool SendQueue::note_written(std::ptrdiff_t count, std::size_t piece) {
  if (count < 0) {
    drop_everything();
    return false;
  }
  written_ += static_cast<std::size_t>(count);
  std::size_t left = pending_bytes_.fetch_sub(static_cast<std::size_t>(count), std::memory_order_relaxed);
  if (left > soft_ && !above_soft()) {
    caught_up_ = true;
    below_soft_.notify_all();
  }
  return static_cast<std::size_t>(count) == piece;
}

void SendQueue::drop_everything() {
  gone_.store(true, std::memory_order_relaxed);
  std::string().swap(ready_);
  std::vector<std::string>().swap(aside_);
  std::string().swap(active_);
  written_ = 0;
  pending_bytes_.store(0, std::memory_order_relaxed);
  below_soft_.notify_all();
}

void SendQueue::drop() {
  const MutexLock lock(mutex_);
  gone_.store(true, std::memory_order_relaxed);
  if (!writing_) drop_everything();
}

void SendQueue::close() {
  MutexLock lock(mutex_);
  closing_ = true;
  written_all_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return !writing_; });
  drop_everything();
}

void SendQueue::wait_below_soft(const std::stop_token& stop) {
  if (!above_soft()) return;
  MutexLock lock(mutex_);
  below_soft_.wait(lock, stop, [this]() TOOLWIRE_REQUIRES(mutex_) { return !above_soft(); });
}

}  // namespace toolwire::engine
