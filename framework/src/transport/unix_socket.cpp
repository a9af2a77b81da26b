#include <toolwire/transport.hpp>

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "transport/descriptor_transport.hpp"

namespace toolwire {
namespace {

[[noreturn]] void fail(int error, const std::string& path) {
  throw std::system_error(error, std::generic_category(), "cannot connect to the Unix socket \"" + path + "\"");
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  if (path.empty()) fail(ENOENT, path);
  if (path.size() >= sizeof address.sun_path) fail(ENAMETOOLONG, path);
  if (path.find('\0') != std::string::npos) fail(EINVAL, path);
  address.sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), address.sun_path);
  return address;
}

}  // namespace

std::unique_ptr<Transport> connect_unix_socket(const std::string& path) {
  const sockaddr_un address = address_of(path);
  system::FileDescriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!socket.is_open()) fail(errno, path);
  // A local connect that a signal breaks off has not begun, unlike one over TCP: it is simply repeated.
  while (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno != EINTR) fail(errno, path);
  }
  return std::make_unique<transport::OwningDescriptorTransport>(std::move(socket));
}

}  // namespace toolwire
