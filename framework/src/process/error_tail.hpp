// The end of what a program writes to its standard error, read all the time so that the program never has to wait.
#pragma once

#include <toolwire/child_process.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <thread>

#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/wake_event.hpp>
#include "toolwire/detail/mutex.hpp"

namespace toolwire::process {

/// Is read by whoever waits for its stream (Program::watch), else has a thread of its own until the stream or the
/// program ends. `text` and `finish` from any thread.
class ErrorTail {
 public:
  /// `stream` does not block. `exited` becomes readable when the program has ended, or is -1; it is borrowed.
  ErrorTail(system::FileDescriptor stream, const Program& program, int exited);
  ErrorTail(const ErrorTail&) = delete;
  ErrorTail& operator=(const ErrorTail&) = delete;
  ~ErrorTail() { finish(); }

  /// The last bytes, from the beginning of a line where there is one.
  [[nodiscard]] std::string text() const;

  /// Takes what is available and stops reading. For when the program has ended.
  void finish();

 private:
  void read_all();
  bool wait_for_bytes();
  void read_ready();
  std::ptrdiff_t read_piece();
  void read_rest();
  void add(std::string_view bytes);

  system::FileDescriptor stream_;
  std::size_t kept_;
  int exited_;
  system::WakeEvent stop_;
  mutable Mutex mutex_;
  std::string bytes_ TOOLWIRE_GUARDED_BY(mutex_);
  bool dropped_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  Mutex finishing_;
  std::thread reader_ TOOLWIRE_GUARDED_BY(finishing_);
  Mutex watching_;
  Program::Watch watch_ TOOLWIRE_GUARDED_BY(watching_);  // in place of the thread
};

}  // namespace toolwire::process
