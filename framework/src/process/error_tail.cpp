#include "process/error_tail.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::process {
namespace {

constexpr std::size_t piece = std::size_t{8} << 10;
constexpr int max_reads_after_end = 512;  // a process left behind may write forever

}  // namespace

ErrorTail::ErrorTail(system::FileDescriptor stream, const Program& program, int exited)
    : stream_{std::move(stream)}, kept_{program.kept_errors}, exited_{exited} {
  if (program.watch) {
    const MutexLock lock(watching_);  // the first call may come before the watch is known here
    watch_ = program.watch(stream_.get(), [this] { read_ready(); });
    return;
  }
  const system::SignalsBlocked inherited_by_the_thread;
  reader_ = std::thread{[this] { read_all(); }};
}

std::string ErrorTail::text() const {
  const MutexLock lock(mutex_);
  if (bytes_.size() <= kept_ && !dropped_) return bytes_;
  std::string last = bytes_.size() <= kept_ ? bytes_ : bytes_.substr(bytes_.size() - kept_);
  const std::size_t line_end = last.find('\n');
  if (line_end != std::string::npos && line_end + 1 < last.size()) last.erase(0, line_end + 1);
  return last;
}

void ErrorTail::finish() {
  const MutexLock lock(finishing_);
  stop_.set();
  if (reader_.joinable()) reader_.join();
  Program::Watch watch;
  {
    const MutexLock watching(watching_);
    watch.swap(watch_);
  }
  if (watch == nullptr) return;
  watch.reset();  // waits for its call
  read_rest();
}

/// One piece, so that whoever calls it comes to others in between.
void ErrorTail::read_ready() {
  const std::ptrdiff_t count = read_piece();
  if (count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN))) return;
  const MutexLock lock(watching_);
  watch_.reset();  // waits for nobody: this is its call
}

std::ptrdiff_t ErrorTail::read_piece() {
  char bytes[piece];
  const ssize_t count = ::read(stream_.get(), bytes, sizeof bytes);
  if (count > 0) add({bytes, static_cast<std::size_t>(count)});
  return count;
}

void ErrorTail::read_rest() {
  for (int reads_left = max_reads_after_end; reads_left > 0; --reads_left) {
    const std::ptrdiff_t count = read_piece();
    if (count == 0 || (count < 0 && errno != EINTR)) return;
  }
}

void ErrorTail::read_all() {
  int reads_left = max_reads_after_end;
  bool ends = false;
  while (reads_left > 0) {
    if (!ends) ends = !wait_for_bytes();
    const std::ptrdiff_t count = read_piece();
    if (count == 0 || (count < 0 && errno != EINTR && (errno != EAGAIN || ends))) return;
    if (ends) --reads_left;
  }
}

/// False when only available bytes are to be read.
bool ErrorTail::wait_for_bytes() {
  pollfd waiting[3] = {{stream_.get(), POLLIN, 0}, {stop_.descriptor(), POLLIN, 0}, {exited_, POLLIN, 0}};
  while (::poll(waiting, 3, -1) < 0 && errno == EINTR) {
  }
  return waiting[1].revents == 0 && waiting[2].revents == 0;
}

void ErrorTail::add(std::string_view bytes) {
  const MutexLock lock(mutex_);
  bytes_.append(bytes);
  if (bytes_.size() <= 2 * kept_ + piece) return;  // not for every line
  bytes_.erase(0, bytes_.size() - kept_);
  dropped_ = true;
}

}  // namespace toolwire::process
