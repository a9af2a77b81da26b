// The process of the server and its three streams. It knows no message.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "faults.hpp"

namespace judged_client {

/// Not thread-safe. The destructor ends the server: its input, then SIGTERM, then SIGKILL.
class ServerLink {
 public:
  explicit ServerLink(const Settings& settings);
  ServerLink(const ServerLink&) = delete;
  ServerLink& operator=(const ServerLink&) = delete;
  ~ServerLink();

  void write(std::string_view bytes);
  /// The next line, without its line feed; nothing if the time passes or nothing can come any more.
  std::optional<std::string> next_line(std::chrono::milliseconds time);
  bool ended() const { return output_ < 0; }
  /// When bytes of the server came last.
  std::chrono::steady_clock::time_point last_output() const { return last_output_; }

 private:
  bool read_some(std::chrono::milliseconds time);
  void take_output(std::string_view bytes);
  void end_server();
  bool wait_for_end(std::chrono::milliseconds time);

  const Settings& settings_;
  pid_t id_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1;
  std::string partial_;
  std::deque<std::string> lines_;
  bool begun_ = false;
  std::chrono::steady_clock::time_point last_output_ = {};
};

}  // namespace judged_client
