// A command while it runs and after: what it has written, how it ended. Independent of tools and of who approved it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <toolwire/system/file_descriptor.hpp>
#include <vector>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "workspace/commands/kept_output.hpp"
#include "workspace/system/command_call.hpp"

namespace workspace {

/// Why a command was ended before it ended by itself.
enum class EndedFor { nothing, time, request, processes, memory };

/// How a command ended.
struct CommandEnd {
  int status = 0;        // as waitpid(2) gives it
  int not_started = 0;   // an errno; 0: it was started
  bool is_lost = false;  // what watched over it has ended
  int left_behind = 0;   // processes of its own that were ended because it had
  EndedFor ended_for = EndedFor::nothing;
  std::vector<std::string> changes = {};  // what `at_end` has said
};

/// Any number of threads may use one.
class RunningCommand {
 public:
  /// `connection` is this server's end of a call of the command helper. `at_end` is called once, on another thread,
  /// when nothing of the command runs any more and before anyone is told so; what it returns belongs to the end.
  /// Without `most` it may run as long as this lives.
  RunningCommand(toolwire::system::FileDescriptor connection, const ProgramRun& run,
                 std::optional<std::chrono::seconds> most, std::function<std::vector<std::string>()> at_end);
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;
  /// Ends it by force.
  ~RunningCommand();

  /// Asks it to end, and ends it by force two seconds later.
  void stop(EndedFor why = EndedFor::request);

  /// Ends it by force.
  void end_now() { call_.end_now(); }

  /// Waits until it has ended or a stop is requested.
  void wait(const std::stop_token& stop);
  /// Waits until it has ended, has written more than `offset` bytes in all, a stop is requested, or time is over.
  void wait_for_more(std::uint64_t offset, std::chrono::milliseconds most, const std::stop_token& stop);

  void wait_for_end(std::chrono::milliseconds most, const std::stop_token& stop);

  /// Nothing while it runs.
  std::optional<CommandEnd> end() const;

  /// What it has written from `offset` on, as text for a model.
  struct Written {
    std::string text;
    std::uint64_t next = 0;  // where more will begin
  };
  /// While it runs without the beginning of a character whose end is not there yet.
  Written written(std::uint64_t offset) const;

  /// Bytes it has written.
  std::uint64_t size() const;

  /// Since the start, or between start and end.
  std::chrono::milliseconds time() const;

 private:
  using Clock = std::chrono::steady_clock;

  void collect(std::optional<std::chrono::seconds> most);
  /// False for the last one.
  bool take(Frame frame);

  const CommandCall call_;
  const std::function<std::vector<std::string>()> at_end_;
  const Clock::time_point begin_ = Clock::now();
  mutable toolwire::Mutex mutex_;
  mutable toolwire::StoppableConditionVariable changed_;
  KeptOutput output_ TOOLWIRE_GUARDED_BY(mutex_);
  CommandEnd end_ TOOLWIRE_GUARDED_BY(mutex_);
  bool has_ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  Clock::time_point ended_at_ TOOLWIRE_GUARDED_BY(mutex_);
  std::thread collector_;
};

/// "exit status 1", "ended by the signal …", "ended because …": one sentence without its full stop.
std::string end_text(const CommandEnd& end);

/// Nothing if a signal ended it, or it was not started.
std::optional<int> exit_status_of(const CommandEnd& end);

}  // namespace workspace
