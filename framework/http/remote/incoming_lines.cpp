#include <toolwire/http/detail/incoming_lines.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <toolwire/transport.hpp>

namespace toolwire::remote {
namespace {

constexpr std::size_t max_waiting = std::size_t{256} << 20;  // bytes

}  // namespace

bool IncomingLines::add(std::string_view line) {
  const MutexLock lock(mutex_);
  if (ended_ || bytes_.size() - read_ + line.size() > max_waiting) return false;
  const bool is_first = bytes_.empty();
  bytes_.append(line).push_back('\n');
  if (is_first) tell();
  return true;
}

void IncomingLines::end(std::string_view reason) {
  const MutexLock lock(mutex_);
  if (std::exchange(ended_, true)) return;
  reason_ = reason;
  tell();
}

std::ptrdiff_t IncomingLines::read(char* into, std::size_t room) {
  MutexLock lock(mutex_);
  changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return ended_ || interrupted_ || read_ < bytes_.size(); });
  return take(into, room);
}

std::ptrdiff_t IncomingLines::try_read(char* into, std::size_t room) {
  const MutexLock lock(mutex_);
  const std::ptrdiff_t count = take(into, room);
  if (bytes_.empty() && !ended_) event_.clear();
  return count == 0 && !ended_ ? Transport::interrupted : count;
}

/// Whoever reads, with or without waiting.
void IncomingLines::tell() {
  event_.set();
  changed_.notify_all();
}

std::ptrdiff_t IncomingLines::take(char* into, std::size_t room) {
  if (std::exchange(interrupted_, false)) return Transport::interrupted;
  const std::size_t count = std::min(room, bytes_.size() - read_);
  std::memcpy(into, bytes_.data() + read_, count);
  read_ += count;
  if (read_ == bytes_.size()) {
    std::string().swap(bytes_);
    read_ = 0;
  }
  return static_cast<std::ptrdiff_t>(count);  // none after the end: Transport::end_of_input
}

void IncomingLines::interrupt() {
  const MutexLock lock(mutex_);
  interrupted_ = true;
  tell();
}

bool IncomingLines::is_ended() const {
  const MutexLock lock(mutex_);
  return ended_;
}

std::string IncomingLines::reason() const {
  const MutexLock lock(mutex_);
  return reason_;
}

}  // namespace toolwire::remote
