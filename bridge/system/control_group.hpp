// A control group (cgroup v2) of one start of a program: bounds that hold for all its processes together. Independent
// of where groups may be made, see delegation.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::bridge {

/// What holds for all processes of a group together; 0: no bound. A plain value.
struct GroupBounds {
  std::uint64_t memory = 0;     ///< Bytes.
  std::uint64_t processes = 0;  ///< Processes and threads.
};

/// A new group. One owner; ended and removed unless it was given away.
class ControlGroup {
 public:
  /// Below `folder`, whose controllers `memory` and `pids` are switched on for groups below. Throws std::system_error.
  ControlGroup(const std::string& folder, const GroupBounds& bounds);
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;
  ~ControlGroup();

  const std::string& path() const { return path_; }
  /// A process that writes "0" to this descriptor enters the group, with all it starts.
  int entrance() const { return entrance_.get(); }
  /// From now on another owner ends and removes it.
  void give_away() { is_ours_ = false; }

 private:
  explicit ControlGroup(const std::string& folder);

  std::string path_;
  system::FileDescriptor entrance_;
  bool is_ours_ = true;
};

/// Kills all that is in a group and in those below, at once. Since Linux 5.14; before, it does nothing.
/// Async-signal-safe.
void kill_control_group(const char* path);

/// Kills all that is in a group and removes it, with the groups below. Waits at most some seconds for processes that
/// do not end. Async-signal-safe.
void end_control_group(const char* path);

/// Whether the name of a folder is that of a group whose bridge is gone, or had this process's id before. Bridges in
/// other process namespaces cannot be seen and are assumed to be alive.
bool is_left_behind(std::string_view name);

/// Whether a bridge gave it this name.
bool is_group_of_a_bridge(std::string_view name);

/// Writes a control group's file in one piece. Throws std::system_error.
void write_control(const std::string& file, std::string_view text);

}  // namespace toolwire::bridge
