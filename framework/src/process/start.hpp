// From a Program to a running process: streams, fork, exec, and an error that says what went wrong. Independent of
// talking to the process and ending it.
#pragma once

#include <sys/types.h>

#include <toolwire/child_process.hpp>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::process {

/// A process that has reached its program. Our ends of the streams are private and do not block.
struct Started {
  pid_t id = -1;
  system::FileDescriptor exited;      ///< Readable once it has ended; closed where the system has no such descriptors.
  system::FileDescriptor from_child;  ///< Its output; with a socket, both directions.
  system::FileDescriptor to_child;    ///< Its input; closed with a socket.
  system::FileDescriptor errors;      ///< Its standard error with Errors::keep_tail, else closed.
};

/// Throws as the constructor of ChildProcess.
Started start(const Program& program);

}  // namespace toolwire::process
