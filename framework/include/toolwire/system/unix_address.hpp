// The address of a Unix domain socket. Header only: toolwire-attach has no library below it.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

namespace toolwire::system {

/// Of a socket at a path; `error` is an errno if there can be none. A path that is longer than an address has room for
/// (107 bytes) is said by way of its folder, which is open as long as this lives; only then /proc is needed, and
/// getsockname(2) does not tell the path.
class UnixAddress {
 public:
  explicit UnixAddress(const std::string& path) {
    value.sun_family = AF_UNIX;
    if (path.empty()) {
      error = ENOENT;
    } else if (path.find('\0') != std::string::npos) {
      error = EINVAL;
    } else if (!take(path)) {
      take_from_folder(path);
    }
  }
  ~UnixAddress() {
    if (folder_ >= 0) ::close(folder_);
  }
  UnixAddress(const UnixAddress&) = delete;
  UnixAddress& operator=(const UnixAddress&) = delete;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&value); }
  static constexpr socklen_t size() { return sizeof(sockaddr_un); }

  sockaddr_un value{};
  int error = 0;

 private:
  bool take(std::string_view path) {
    if (path.size() >= sizeof value.sun_path) return false;
    std::copy(path.begin(), path.end(), value.sun_path);
    return true;
  }

  void take_from_folder(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash != std::string::npos)
      folder_ = ::open(path.substr(0, slash + 1).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder_ < 0) {
      error = slash == std::string::npos ? ENAMETOOLONG : errno;
    } else if (!take("/proc/self/fd/" + std::to_string(folder_) + path.substr(slash))) {
      error = ENAMETOOLONG;
    }
  }

  int folder_ = -1;
};

}  // namespace toolwire::system
