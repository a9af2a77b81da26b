// Rules of Landlock: which files below which folders a program may read, change and execute. Made before the fork; a
// rule set is put into force by apply.hpp. Knows numbers the C library's headers may not have.
#pragma once

#include <cstdint>
#include <string>

#include <toolwire/system/file_descriptor.hpp>
#include "confinement/confinement.hpp"

namespace toolwire::bridge {

/// The version of the kernel's interface, 0 if there is none: not built in, switched off, or refused to us.
int landlock_version();

/// What is asked of the files below one path. A plain value.
struct FileRights {
  bool read = false;
  bool change = false;
  bool execute = false;
};

/// A rule set under construction. One thread.
class LandlockRules {
 public:
  /// What `confinement` refuses, as far as the version knows it. Throws std::system_error if the kernel refuses.
  LandlockRules(const Confinement& confinement, int version);

  /// Allows something below a path, or of a file. Throws std::system_error if there is no such path.
  void allow(const std::string& path, FileRights rights);
  /// The same, unless there is no such path.
  void allow_if_there(const std::string& path, FileRights rights);

  /// Closed if the version has nothing to refuse of what is asked.
  const system::FileDescriptor& rules() const { return rules_; }

 private:
  bool add(const std::string& path, FileRights rights);

  std::uint64_t handled_ = 0;
  system::FileDescriptor rules_;
};

/// Allows a process to read what the system tells it of itself. In the process, after the fork; async-signal-safe.
/// False if the kernel refuses.
bool allow_own_process(int rules);

/// Puts rules into force for this thread and what comes of it; no_new_privs must be set. Async-signal-safe.
bool enforce_landlock(int rules);

}  // namespace toolwire::bridge
