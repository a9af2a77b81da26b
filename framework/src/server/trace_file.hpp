// The file that a trace goes to: bytes of a connection in, described lines on disk. Independent of what moves the
// bytes.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <thread>

#include <toolwire/system/file_descriptor.hpp>
#include "server/trace_lines.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::server {

/// Appends to a file on a thread of its own, so that neither a slow disk nor the search for secrets holds up the
/// connection. `record` may be called from any thread. What exceeds 64 MiB of waiting text is left out, and the file
/// says so. A file that can no longer be written is given up with a line on stderr.
class TraceFile {
 public:
  using Direction = TraceLines::Direction;
  struct Heading {
    std::string server;
    std::string version;
    std::size_t max_line;
    std::vector<std::string> secrets = {};  // as TraceLines has them
  };
  /// Whether `record` waits, at most 2 ms, until the bytes are in the file: done for what comes in, so that a message
  /// that makes the process crash is the last one in its trace.
  enum class Wait { no, briefly };

  /// Creates the file readable by its owner only, or appends to it; while another process records there, the name gets
  /// this process's number as an ending. Throws std::system_error.
  TraceFile(const std::string& path, const Heading& heading);
  /// Writes the rest, but gives up after half a second if nothing reads it.
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  void record(Direction direction, std::string_view bytes, Wait wait);
  /// Waits until all is written or the time is over.
  void flush(std::chrono::milliseconds time);
  const std::string& path() const { return path_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Chunk {
    Direction direction;
    double at;
    std::string bytes;
    std::size_t lost = 0;  // before these bytes, in this direction
  };

  void run();
  void describe(std::string& text, const std::deque<Chunk>& chunks);
  void finish(std::string& text, std::size_t lost_in, std::size_t lost_out);
  void give_up_writing();
  bool write(std::string_view text);
  bool wait_until_writable();
  double now() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  std::size_t& lost(Direction direction) TOOLWIRE_REQUIRES(mutex_) { return lost_[direction == Direction::in ? 0 : 1]; }

  std::string path_;
  system::FileDescriptor file_;
  const Clock::time_point start_ = Clock::now();
  TraceLines lines_;  // used by the thread
  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<Chunk> waiting_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t waiting_bytes_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::array<std::size_t, 2> lost_ TOOLWIRE_GUARDED_BY(mutex_){};
  std::size_t recorded_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // chunks so far
  std::size_t written_ TOOLWIRE_GUARDED_BY(mutex_) = 0;   // chunks so far
  bool closing_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  Clock::time_point give_up_ TOOLWIRE_GUARDED_BY(mutex_) = Clock::time_point::max();
  bool broken_ = false;  // used by the thread: the file can no longer be written
  std::thread thread_;
};

}  // namespace toolwire::server
