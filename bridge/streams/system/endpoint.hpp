// Where a server listens, as it is written, as addresses, and as a socket that is being connected. Independent of what
// is said there.
#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::streams {

/// A plain value: a file, or a host and a port.
struct Endpoint {
  std::string path = {};
  std::string host = {};  // without brackets
  std::string port = {};

  /// Whether what it is called by is this machine.
  [[nodiscard]] bool is_here() const;
};

/// Throws std::invalid_argument, saying what was expected.
Endpoint read_endpoint(const std::string& address);

/// An address for connect(2). A plain value.
struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;
};

/// Of what has to be on this machine those of other machines are left out, whatever the resolver says.
enum class Reach { anywhere, this_machine };

/// At least one. May wait for the system's resolver. Throws std::runtime_error where there is none.
std::vector<SocketAddress> addresses_of(const Endpoint& endpoint, Reach reach);

/// A socket that does not block, connected or about to be: then it is writable once that is decided. Throws
/// std::system_error.
system::FileDescriptor begin_to_connect(const SocketAddress& address);

/// How it was decided: 0 or an errno.
int connect_error(int socket);

}  // namespace toolwire::streams
