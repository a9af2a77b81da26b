// How far a run is: a line that changes, on a terminal, and elsewhere a line now and then, so that nobody takes a long
// run for one that hangs. Of a finding it shows only the verdict.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "catalogue/verdict.hpp"

namespace toolwire::conformance {

/// Not thread-safe. Erases its line on a terminal when it ends.
class Progress {
 public:
  using Write = std::function<void(const std::string&)>;
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  /// `write` gets whole texts; `now` is a clock.
  Progress(bool to_terminal, Write write, Now now = std::chrono::steady_clock::now);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { erase(); }

  /// What is done now.
  void say(const std::string& text);
  void count(const Finding& finding);
  void erase();

 private:
  bool is_due(std::chrono::milliseconds pause);
  void show(const std::string& text);
  void write_line(const std::string& text);

  const bool to_terminal_;
  const Write write_;
  const Now now_;
  const std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_;
  bool written_ = false;
  std::size_t done_ = 0, failed_ = 0;
};

/// Writes to standard error.
void write_progress(const std::string& text);

}  // namespace toolwire::conformance
