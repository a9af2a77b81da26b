// The daemon that many attachments share: found by its socket, or else started, by one of them and once.
#pragma once

#include <string>

#include "attach/descriptor.hpp"

namespace toolwire::attach {

/// Where a daemon is and what it is. Texts are of the command line and live as long as the process.
struct Daemon {
  std::string socket = {};  // in a folder of this user's alone
  std::string log = {};     // what it writes to standard error
  /// The program and its arguments, and a null pointer. Null: somebody else starts it, such as systemd.
  char* const* command = nullptr;
};

/// What came of it: a connection, or why there is none.
struct Connection {
  Descriptor socket = {};
  Descriptor process = {};  // who listens (pidfd_open), to see its end; closed where there is no such thing
  std::string trouble = {};
  int id = 0;  // of that process
};

/// Connects, and starts the daemon if nobody listens, in a session of its own; whoever else wants to start it waits
/// until that has been done. Waits up to half a minute for a daemon that has begun to start. Never to another user's.
Connection connect_or_start(const Daemon& daemon);

/// Waits, for half a second at most, until the process has ended whose connection did: until then somebody could still
/// be connected to its socket, and heard by nobody.
void wait_for_end(const Descriptor& process);

}  // namespace toolwire::attach
