// The streams of a program that is to be started, and the descriptor that reports its end. Independent of what is
// started.
#pragma once

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// Both ends of a connection; neither is inherited, and neither is 0, 1 or 2, where it would be in the way of
/// redirections.
struct StreamEnds {
  FileDescriptor first;   ///< Of a pipe: the one that is read.
  FileDescriptor second;  ///< Of a pipe: the one that is written.
};

/// All throw std::system_error if descriptors have run out.
StreamEnds pipe_ends();
StreamEnds socket_ends();
/// /dev/null, for reading and writing, above 2.
FileDescriptor null_device();

/// Does nothing to a closed one.
void do_not_block(const FileDescriptor& descriptor);

/// Readable once the process has ended; closed, with errno, where the system has no such descriptors.
FileDescriptor exit_descriptor(int process);

}  // namespace toolwire::system
