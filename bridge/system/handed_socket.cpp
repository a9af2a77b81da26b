#include "system/handed_socket.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <toolwire/http/listen.hpp>

namespace toolwire::bridge {
namespace {

std::string path_of(int descriptor) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  constexpr std::size_t before = offsetof(sockaddr_un, sun_path);
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0 || address.sun_family != AF_UNIX ||
      size <= before)
    return {};
  const std::string_view bytes(address.sun_path, std::min<std::size_t>(size - before, sizeof address.sun_path));
  return std::string(bytes.substr(0, bytes.find('\0')));
}

}  // namespace

int handed_socket(const std::string& path) {
  int found = -1;
  for (const int one : http::handed_over_sockets()) {
    ::fcntl(one, F_SETFD, FD_CLOEXEC);
    if (found < 0 && path_of(one) == path) found = one;
  }
  return found;
}

}  // namespace toolwire::bridge
