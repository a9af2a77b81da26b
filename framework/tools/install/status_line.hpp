// What is being waited for, on a line of the terminal that goes with the wait: nobody should take a server that is slow
// to start for a program that hangs. Where standard error is no terminal nothing is written; what came of it is a line
// anyway.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace toolwire::install {

/// Not thread-safe.
class StatusLine {
 public:
  using Write = std::function<void(std::string_view)>;

  /// On standard error, if that is a terminal which can erase a line (TERM is not "dumb").
  explicit StatusLine(std::string_view text);
  /// `write` gets whole texts.
  StatusLine(bool is_shown, std::string_view text, Write write);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  /// Erases the line.
  ~StatusLine();

 private:
  const bool is_shown_;
  const Write write_;
};

}  // namespace toolwire::install
