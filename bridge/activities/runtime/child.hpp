// One process of a runtime: its lines, and its end. Knows neither calls nor the reasons for starting it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <toolwire/detail/event_loop.hpp>
#include "process/error_lines.hpp"
#include "process/spawn.hpp"

namespace toolwire::bridge::runtimes {

/// Called with the events of a process, on the loop.
struct ChildEvents {
  std::function<void(std::string_view line)> line = {};    ///< Of its standard output.
  std::function<void()> too_long = {};                     ///< A line, which is dropped.
  std::function<void(std::string_view line)> said = {};    ///< Of its standard error.
  std::function<void(std::string_view bytes)> wrote = {};  ///< The same as it comes, before `said`.
  /// It has ended, with all it had started. The last event; the process may be destroyed in it.
  std::function<void(const std::string& how)> gone = {};
};

/// On the loop only. Destroying it ends the process without waiting for long.
class RuntimeChild {
 public:
  /// Throws as `spawn`.
  RuntimeChild(EventLoop& loop, ProcessStart start, ChildEvents events);
  RuntimeChild(const RuntimeChild&) = delete;
  RuntimeChild& operator=(const RuntimeChild&) = delete;
  ~RuntimeChild();

  /// Sends whole lines. What cannot be written yet is kept.
  void send(std::string_view lines);
  /// Closes its input once all has been written.
  void close_input();
  /// Bytes that the program holds in memory; 0 if that cannot be determined.
  std::uint64_t memory() const;
  /// Ends it, and all it has started.
  void kill();

  /// Takes what it has written to its standard error so far.
  void take_errors();

 private:
  void write();
  void read_output();
  void read_errors();
  void take(std::string_view bytes);
  void ended();
  void close(system::FileDescriptor& descriptor);

  EventLoop& loop_;
  const std::string program_;
  const ChildEvents events_;
  ErrorLines errors_;
  system::StartedProgram process_;
  std::string unwritten_;
  bool waits_to_write_ = false;
  bool closes_input_ = false;
  std::string line_;  // the last one, still incomplete
};

}  // namespace toolwire::bridge::runtimes
