// The system calls that a confined program is refused, as a seccomp filter. Made before the fork, put into force after
// it. Independent of why they are refused.
#pragma once

#include <memory>

namespace toolwire::bridge {

/// What is refused in addition to what no confined program may do, which is to reach other processes, the kernel, its
/// clocks and mounts. A plain value.
struct RefusedCalls {
  bool processes = false;      ///< Making any; else only such in namespaces of their own.
  bool network = false;        ///< Sockets but connected pairs, and other ways to programs on this machine.
  bool file_metadata = false;  ///< Owners, modes, times and attributes.
  bool truncation = false;     ///< Emptying files.
  bool memory_files = false;   ///< Memory in files without a name.
};

/// Movable; immutable.
class SystemCallFilter {
 public:
  /// Throws std::system_error if it cannot be made.
  explicit SystemCallFilter(const RefusedCalls& refused);
  SystemCallFilter(SystemCallFilter&&) noexcept;
  SystemCallFilter& operator=(SystemCallFilter&&) noexcept;
  ~SystemCallFilter();

  /// For this thread and what it starts; new privileges must have been given up. Async-signal-safe. False with errno.
  bool put_into_force() const;

 private:
  struct Program;
  std::unique_ptr<const Program> program_;
};

}  // namespace toolwire::bridge
