// The system calls that a program this server starts is refused, as a seccomp filter. Made before the fork, put into
// force after it. Independent of why they are refused.
#pragma once

#include <linux/filter.h>

#include <memory>
#include <string>
#include <vector>

namespace workspace {

/// What a program may do beside computing, reading and writing its descriptors. What no program may is to reach other
/// processes, the kernel, its clocks and mounts, shared memory of the system, and to set attributes of files, which
/// Landlock does not know.
struct AllowedCalls {
  bool processes = false;  // making them, but not in namespaces of their own; else threads alone
  bool pairs = false;      // connected pairs of sockets
  bool internet = false;   // sockets of IPv4 and IPv6; never any other to programs on this machine
  /// Setting modes, times and owners of files: each such call waits for whoever has the listener (see
  /// metadata_calls.hpp).
  bool asked_metadata = false;
  bool truncation = false;  // emptying files by name: only where Landlock knows it (version 3)
};

/// Why this kernel, or this processor's build of the server, has no such filters; empty if it has.
std::string call_filter_problem();

/// Immutable once made.
class CallFilter {
 public:
  explicit CallFilter(const AllowedCalls& allowed);

  /// For this process and what it starts; new privileges must have been given up. Async-signal-safe. False with errno.
  bool put_into_force() const;
  /// The same with a listener for the calls that are asked; its descriptor, or -1 with errno.
  int put_into_force_and_listen() const;

 private:
  std::unique_ptr<std::vector<sock_filter>> statements_;  // the kernel takes them through a pointer that is not const
};

}  // namespace workspace
