// The address of a Unix domain socket.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace toolwire::transport {

/// Of a socket at a path; `error` is an errno if there can be none.
struct UnixAddress {
  explicit UnixAddress(const std::string& path) {
    if (path.empty()) error = ENOENT;
    if (path.size() >= sizeof value.sun_path) error = ENAMETOOLONG;
    if (path.find('\0') != std::string::npos) error = EINVAL;
    if (error != 0) return;
    value.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), value.sun_path);
  }

  sockaddr_un value{};
  int error = 0;
};

}  // namespace toolwire::transport
