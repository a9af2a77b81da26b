#include <toolwire/system/file_text.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {
namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw std::system_error(error, std::generic_category(), path + ": cannot be read");
}

}  // namespace

std::string text_of_file(const std::string& path, std::size_t most) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) refuse(path, errno);
  std::string text;
  std::array<char, std::size_t{64} << 10> piece{};
  while (true) {
    const ssize_t count = ::read(file.get(), piece.data(), piece.size());
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path, errno);
    if (static_cast<std::size_t>(count) > most - text.size()) refuse(path, EFBIG);
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace toolwire::system
