// One program under way: its streams, and the steps to its end. Knows neither the queue nor the caller.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <toolwire/detail/event_loop.hpp>
#include "process/error_lines.hpp"
#include "process/runner.hpp"

namespace toolwire::bridge {

/// On the loop only. Once `gone` has been called nothing of the program is left, and it may be destroyed;
/// destroying it earlier ends the program without waiting.
class RunningProcess {
 public:
  using Answer = std::function<void(ProcessEnd&&)>;
  using Gone = std::function<void()>;

  /// Starts the program; throws as `spawn`. `answer` is called once, when the program has ended or has been told to
  /// end; `gone` once, after it, when the program has ended.
  RunningProcess(EventLoop& loop, ProcessRequest request, Answer answer, Gone gone);
  RunningProcess(const RunningProcess&) = delete;
  RunningProcess& operator=(const RunningProcess&) = delete;
  ~RunningProcess();

  /// Answers with this code and tells the program to end: SIGTERM, and after the grace SIGKILL.
  void end(const char* code, std::string text);

  /// Ends the program at once, without an answer.
  void kill();

 private:
  void watch_streams();
  void write_input();
  void read_output();
  void read_errors();
  void add_errors(std::string_view bytes);
  void ended();
  void answer(ProcessEnd end);
  void close(system::FileDescriptor& descriptor);

  EventLoop& loop_;
  ProcessRequest request_;
  Answer answer_;
  Gone gone_;
  system::StartedProgram process_;
  std::size_t written_ = 0;
  std::string output_;
  ErrorLines errors_;
  std::optional<EventLoop::Timer> timer_;
};

}  // namespace toolwire::bridge
