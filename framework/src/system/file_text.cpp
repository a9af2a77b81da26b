#include <toolwire/system/file_text.hpp>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {
namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw std::system_error(error, std::generic_category(), path + ": cannot be read");
}

constexpr std::chrono::seconds patience{10};

void wait_for_writer(const std::string& path, int file) {
  pollfd ready{file, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(patience).count())) == 0) refuse(path, ETIMEDOUT);
}

}  // namespace

std::string beginning_of_file(const std::string& path, std::size_t most) {
  // Else a pipe that nobody writes to would hold this thread for ever.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) refuse(path, errno);
  std::string text;
  std::array<char, std::size_t{64} << 10> piece{};
  while (text.size() < most) {
    const ssize_t count = ::read(file.get(), piece.data(), std::min(piece.size(), most - text.size()));
    if (count == 0) break;
    if (count > 0) {
      text.append(piece.data(), static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      wait_for_writer(path, file.get());
    } else if (errno != EINTR) {
      refuse(path, errno);
    }
  }
  return text;
}

std::string text_of_file(const std::string& path, std::size_t most) {
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  std::string text = beginning_of_file(path, most == any ? any : most + 1);
  if (text.size() > most) refuse(path, EFBIG);
  return text;
}

}  // namespace toolwire::system
