// What this server and its helper say to each other about one run of a program: a request, then frames. Both are this
// process's own code, forked; so sizes are bounded and nothing is versioned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workspace {

/// One run. No text but the input has a NUL.
struct ProgramRun {
  std::string program = {};                   // by the name it was offered under
  std::vector<std::string> arguments = {};    // without its name
  std::vector<std::string> environment = {};  // "NAME=value", all there is
  std::string directory = {};                 // where it works, absolute
  std::string input = {};
};

enum class FrameKind : std::uint8_t { output, errors, ended, not_started, left_behind, too_many, too_large };

/// A part of the answer. Of `ended` the value is the exit status as waitpid(2) gives it, of `not_started` an errno, of
/// `left_behind` how many processes were ended because the program had. `too_many` (processes) and `too_large` (memory)
/// say why it was ended.
struct Frame {
  FrameKind kind = FrameKind::output;
  int value = 0;
  std::string bytes = {};
};

/// Both wait until all is sent, and never raise a signal; false if nobody listens any more.
bool send_run(int socket, const ProgramRun& run);
bool send_frame(int socket, FrameKind kind, int value, std::string_view bytes);

/// Both wait; nothing if the other end is closed or what comes is no request or frame.
std::optional<ProgramRun> receive_run(int socket);
std::optional<Frame> receive_frame(int socket);

/// Hands a descriptor to whoever has the other end; false if nobody has.
bool send_descriptor(int socket, int descriptor);
/// Waits for one; -1 at the end.
int receive_descriptor(int socket);

}  // namespace workspace
