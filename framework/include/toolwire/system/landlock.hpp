// Rules of Landlock: which files below which folders a process may read, change and execute. Made beforehand, and put
// into force in the process that is to be confined. Independent of why something is allowed.
#pragma once

#include <cstdint>
#include <string>
#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// The version of the kernel's interface; 0 if there is none: not built in, switched off, or refused to this process.
int landlock_version();

/// What can be done with the files below one path. A plain value.
struct FileRights {
  bool read = false;     ///< Read files, list folders.
  bool change = false;   ///< Write, make, remove, link and move files and folders; sockets and pipes too.
  bool devices = false;  ///< Make device files, and ioctl(2) of devices.
  bool execute = false;
};

/// What is taken away unless it is allowed below. A plain value.
struct LandlockRestrictions {
  FileRights files = {};
  bool tcp = false;            ///< Bind and connect; never allowed again. Since version 4.
  bool other_domains = false;  ///< Abstract sockets of, and signals to, processes outside. Since version 6.
};

/// A rule set under construction. One thread.
class LandlockRules {
 public:
  /// Takes away what the version knows of `restrictions`. Throws std::system_error if the kernel refuses.
  LandlockRules(const LandlockRestrictions& restrictions, int version);

  /// Allows something below a folder, or of a file. Throws std::system_error if there is no such path.
  void allow(const std::string& path, FileRights rights);
  /// The same, unless there is no such path.
  void allow_if_there(const std::string& path, FileRights rights);

  /// Closed if this version can take away nothing of what was asked for.
  [[nodiscard]] const FileDescriptor& rules() const { return rules_; }

 private:
  bool add(const std::string& path, FileRights rights);

  std::uint64_t handled_ = 0;
  FileDescriptor rules_;
};

/// Allows a process to read what the system tells it about itself, in /proc/self. Call it in that process, after the
/// fork; async-signal-safe. False with errno if the kernel refuses.
bool allow_own_process(int rules);

/// Takes from the program that is executed next root's capabilities: raising limits, loading modules, signalling any
/// process. Its own files stay accessible. Async-signal-safe.
void give_up_capabilities();

/// Takes from this thread, and what it starts, all new privileges. Async-signal-safe. False with errno.
bool give_up_new_privileges();

/// Puts rules into force for this thread and what it starts; new privileges must have been given up. Async-signal-safe.
/// False with errno.
bool enforce_landlock(int rules);

}  // namespace toolwire::system
