// Where a Redis listens, as it is written, as addresses, and as a socket that is being connected. Independent of what
// is said there.
#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::redis {

/// A plain value: a file, or a host and a port.
struct Endpoint {
  std::string path = {};
  std::string host = {};  // without brackets
  std::string port = {};
};

/// Throws std::invalid_argument, saying what was expected.
Endpoint read_endpoint(const std::string& address);

/// An address for connect(2). A plain value.
struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;
};

/// At least one. May wait for the system's resolver. Throws std::runtime_error where there is none.
std::vector<SocketAddress> addresses_of(const Endpoint& endpoint);

/// A socket that does not block, connected or about to be: then it is writable once that is decided. Throws
/// std::system_error.
system::FileDescriptor begin_to_connect(const SocketAddress& address);

/// How it was decided: 0 or an errno.
int connect_error(int socket);

}  // namespace toolwire::redis
