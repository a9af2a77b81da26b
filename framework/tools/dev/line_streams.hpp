// Lines that are read from a transport, and lines that are written to one, each by a thread of its own: whoever tells
// them waits for nobody.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/detail/mutex.hpp>
#include <toolwire/transport.hpp>

namespace toolwire::dev {

/// Reads until the end of input, and hands over each line without its end, and what follows the last end. A line of
/// more than 64 MiB is left out. An interrupt of the transport ends it, too, once `is_over` is true.
void read_lines(Transport& transport, const std::function<void(std::string_view)>& handle,
                const std::atomic<bool>* is_over = nullptr);

/// Writes in the order it is told. The transport outlives it; what it has been told is written before it ends, unless
/// nobody reads.
class LineWriter {
 public:
  explicit LineWriter(Transport& transport);
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  /// Returns at once, unless more than `most` bytes wait.
  void write(const std::string& line, std::size_t most);

 private:
  void work();

  Transport& transport_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::string bytes_ TOOLWIRE_GUARDED_BY(mutex_) = {};
  bool is_over_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace toolwire::dev
