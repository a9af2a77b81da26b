// Looks at the files that run later before commands and after them, in a process of its own: it puts them back also if
// the server is killed meanwhile. Independent of what the commands are.
#pragma once

#include <string>
#include <toolwire/system/file_descriptor.hpp>
#include <vector>

#include "workspace/system/helper_process.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// One thread at a time.
class LaterRunsGuard {
 public:
  /// Of a server whose commands change nothing: looks at nothing.
  LaterRunsGuard() = default;
  /// Forks: before the process is confined and before the first thread. `no_command` is a descriptor that hangs up once
  /// no command runs any more, nor can be started. Throws std::system_error.
  LaterRunsGuard(const Roots& roots, int no_command);

  /// Looks at what is there. From now on until `end`, what differs is put back if this process ends; `keeps_changes`:
  /// it stays. Throws ToolError if that cannot be.
  void begin(bool keeps_changes);
  /// What differs, a sentence for each, as LaterRuns tells it; put back unless it is kept.
  std::vector<std::string> look();
  /// No command runs any more.
  void end();

 private:
  HelperProcess process_;
  toolwire::system::FileDescriptor call_;
};

}  // namespace workspace
