// This server's end of a command that the helper runs. Independent of what is done with what it says.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <toolwire/system/file_descriptor.hpp>

#include "workspace/system/call_frames.hpp"

namespace workspace {

/// One thread receives; any thread may ask for the end.
class CommandCall {
 public:
  /// `connection` as HelperProcess::call gives it. What is not heard is not answered.
  CommandCall(toolwire::system::FileDescriptor connection, const ProgramRun& run);

  /// Waits for the next frame. False if there is none at that moment.
  bool wait_until(std::optional<std::chrono::steady_clock::time_point> last_moment) const;
  /// Waits for the next frame; nothing if what watches over the command has ended.
  std::optional<Frame> receive() const { return receive_frame(connection_.get()); }

  /// SIGTERM to the command, and its end by force two seconds later.
  void ask_to_end() const;
  void end_now() const;

 private:
  toolwire::system::FileDescriptor connection_;
};

/// Of a status as waitpid(2) gives it: "exit status 1", "ended by the signal …".
std::string status_text(int status);
/// Nothing if a signal ended it.
std::optional<int> exit_status(int status);

}  // namespace workspace
