// Connections to Unix sockets, and who is at their other end.
#pragma once

#include <sys/types.h>

#include <string>

#include "attach/descriptor.hpp"

namespace toolwire::attach {

/// A connection, or why there is none.
struct UnixPeer {
  Descriptor socket = {};
  pid_t process = 0;  // who listens; 0 if out of sight
  uid_t user = 0;
  int error = 0;  // as errno has it; ENAMETOOLONG for a name that no socket can have
};

/// `flags` are those of socket(2), such as SOCK_NONBLOCK.
UnixPeer connect_to(const std::string& path, int flags = 0);

}  // namespace toolwire::attach
