#include "server/trace_file.hpp"

#include <cerrno>
#include <system_error>
#include <toolwire/system/appended_file.hpp>
#include <toolwire/system/process_id.hpp>
#include <toolwire/system/signals_blocked.hpp>
#include <utility>

#include "log/log.hpp"

namespace toolwire::server {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t max_waiting = std::size_t{64} << 20;
constexpr auto max_wait = 2ms;  // of `record`; the connection promises answers within 5
constexpr auto closing_time = 500ms;
constexpr auto look_again = 50ms;  // at whether it is time to close, while the reader does not read

system::FileDescriptor open_file(const std::string& path) {
  system::FileDescriptor file = system::open_to_append(path);
  if (!file.is_open()) throw std::system_error(errno, system::appending(), path);
  return file;
}

}  // namespace

TraceFile::TraceFile(const std::string& path, const Heading& heading)
    : path_(path), file_(open_file(path)), lines_(heading.max_line, heading.secrets) {
  // Hosts start a server several times at once, and two conversations in one file could not be told apart.
  if (!system::take_lock(file_)) {
    path_ += "." + std::to_string(system::own_process_id());
    file_ = open_file(path_);
    process::log(LogLevel::notice, "another process records in " + path + ", this one in " + path_);
  }
  if (!write(trace_heading(heading.server, heading.version)))
    throw std::system_error(errno, std::generic_category(), path_);
  // SIGTERM belongs to the monitor of the engine, and a program's own handlers to its own threads.
  const system::SignalsBlocked inherited_by_the_thread;
  thread_ = std::thread([this] { run(); });
}

TraceFile::~TraceFile() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
    give_up_ = Clock::now() + closing_time;
  }
  changed_.notify_all();
  thread_.join();
}

void TraceFile::record(Direction direction, std::string_view bytes, Wait wait) {
  Chunk chunk{direction, now(), std::string(bytes)};
  MutexLock lock(mutex_);
  if (waiting_bytes_ > 0 && waiting_bytes_ + bytes.size() > max_waiting) {
    lost(direction) += bytes.size();
    return;
  }
  chunk.lost = std::exchange(lost(direction), 0);
  waiting_bytes_ += bytes.size();
  waiting_.push_back(std::move(chunk));
  const std::size_t mine = ++recorded_;
  changed_.notify_all();
  if (wait == Wait::briefly)
    changed_.wait_for(lock, max_wait, [&]() TOOLWIRE_REQUIRES(mutex_) { return written_ >= mine; });
}

void TraceFile::flush(std::chrono::milliseconds time) {
  MutexLock lock(mutex_);
  changed_.wait_for(lock, time, [this]() TOOLWIRE_REQUIRES(mutex_) { return written_ == recorded_; });
}

void TraceFile::run() {
  MutexLock lock(mutex_);
  for (bool more = true; more;) {
    changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return closing_ || !waiting_.empty(); });
    more = !waiting_.empty();
    const std::deque<Chunk> chunks = std::exchange(waiting_, {});
    const auto [lost_in, lost_out] = lost_;
    lock.unlock();
    std::string text;
    describe(text, chunks);
    if (!more) finish(text, lost_in, lost_out);
    if (!broken_ && !write(text)) give_up_writing();
    lock.lock();
    for (const Chunk& chunk : chunks) waiting_bytes_ -= chunk.bytes.size();
    written_ += chunks.size();
    changed_.notify_all();
  }
}

void TraceFile::describe(std::string& text, const std::deque<Chunk>& chunks) {
  for (const Chunk& chunk : chunks) {
    if (chunk.lost > 0) lines_.lost(text, chunk.direction, chunk.at, chunk.lost);
    lines_.add(text, chunk.direction, chunk.at, chunk.bytes);
  }
}

void TraceFile::finish(std::string& text, std::size_t lost_in, std::size_t lost_out) {
  lines_.finish(text, now());
  if (lost_in > 0) lines_.lost(text, Direction::in, now(), lost_in);
  if (lost_out > 0) lines_.lost(text, Direction::out, now(), lost_out);
}

void TraceFile::give_up_writing() {
  const std::string reason = std::generic_category().message(errno);
  broken_ = true;
  process::log(LogLevel::error, "the trace ends here: cannot write to " + path_ + ": " + reason);
}

/// Returns false, with errno set, if the file takes nothing any more.
bool TraceFile::write(std::string_view text) {
  while (!text.empty()) {
    const std::ptrdiff_t count = system::append_some(file_, text);
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EAGAIN || !wait_until_writable()) {
      return false;
    }
  }
  return true;
}

/// For a FIFO or a terminal instead of a file. False if it took too long while closing.
bool TraceFile::wait_until_writable() {
  for (;;) {
    if (system::wait_for_room(file_, look_again)) return true;
    const MutexLock lock(mutex_);
    if (closing_ && Clock::now() > give_up_) {
      errno = ETIMEDOUT;
      return false;
    }
  }
}

}  // namespace toolwire::server
