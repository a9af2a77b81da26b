#include "system/handed_socket.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace toolwire::bridge {
namespace {

constexpr int first_handed = 3;
constexpr int most_handed = 64;

long number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  long number = 0;
  if (text != nullptr) std::from_chars(text, text + std::string_view(text).size(), number);
  return number;
}

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
  if (number_in("LISTEN_PID") != ::getpid()) return -1;
  const int count = static_cast<int>(std::clamp(number_in("LISTEN_FDS"), 0L, static_cast<long>(most_handed)));
  int found = -1;
  for (int one = first_handed; one < first_handed + count; ++one) {
    ::fcntl(one, F_SETFD, FD_CLOEXEC);
    if (found < 0 && path_of(one) == path) found = one;
  }
  return found;
}

}  // namespace toolwire::bridge
