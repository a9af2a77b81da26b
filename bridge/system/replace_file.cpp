#include "system/replace_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace toolwire::bridge {
namespace {

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

void replace_file(const std::string& file, std::string_view text) {
  const std::string fresh = file + "." + std::to_string(::getpid()) + ".new";
  const int descriptor = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), fresh);
  const bool written = write_all(descriptor, text);
  const int write_error = errno;
  const bool closed = ::close(descriptor) == 0;
  if (written && closed && std::rename(fresh.c_str(), file.c_str()) == 0) return;
  const int error = written ? errno : write_error;
  ::unlink(fresh.c_str());
  throw std::system_error(error, std::generic_category(), file);
}

}  // namespace toolwire::bridge
