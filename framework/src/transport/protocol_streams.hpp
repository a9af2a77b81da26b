// Who has standard input and output: the program, or the protocol, for which they may be claimed before it begins.
// Independent of how they are read and written.
#pragma once

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::transport {

/// The private, close-on-exec ends of standard input and output.
struct ProtocolStreams {
  system::FileDescriptor in;
  system::FileDescriptor out;
};

/// Moves the streams out of reach: afterwards descriptor 0 reads nothing, 1 is standard error, and a stray printf or a
/// child process that reads its input cannot touch the protocol. Whatever of 0, 1 and 2 is closed becomes /dev/null, so
/// that no descriptor opened later lands there; the stream that was closed stays closed here too. What `claim_stdio`
/// has claimed is handed out as it is. Throws std::system_error if descriptors have run out. Not undone by anything:
/// the process belongs to the server now.
ProtocolStreams take_standard_streams();

/// Whether a person sits at the input of the protocol, claimed or not.
bool is_started_by_hand();

}  // namespace toolwire::transport
