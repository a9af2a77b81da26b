#include "workspace/system/file_bytes.hpp"

#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <toolwire/error.hpp>

namespace workspace {
namespace {

constexpr std::size_t chunk = 1U << 20;

// Room for the file as large as it says it is and one byte more, which tells whether it has grown.
std::size_t first_guess(int descriptor, std::uint64_t max_bytes) {
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0 && status.st_size > 0;
  const std::uint64_t size = known ? static_cast<std::uint64_t>(status.st_size) : chunk;
  return static_cast<std::size_t>(std::min(size, max_bytes)) + 1;
}

[[noreturn]] void fail() { throw toolwire::ToolError(std::string("reading the file failed: ") + std::strerror(errno)); }

}  // namespace

std::string all_bytes(int descriptor, std::uint64_t max_bytes, const std::stop_token& stop) {
  std::string bytes(first_guess(descriptor, max_bytes), '\0');
  std::size_t used = 0;
  while (true) {
    if (stop.stop_requested()) throw toolwire::ToolError("stopped before all of the file was read");
    const std::ptrdiff_t got = read_some(descriptor, bytes.data() + used, std::min(bytes.size() - used, chunk));
    if (got < 0) fail();
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > max_bytes) {
      throw toolwire::ToolError("path: the file is larger than " + std::to_string(max_bytes >> 20) +
                                " MiB, the most this tool takes");
    }
    if (used == bytes.size()) bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(2 * used, max_bytes + 1)));
  }
  bytes.resize(used);
  return bytes;
}

std::ptrdiff_t read_some(int descriptor, char* into, std::size_t room) {
  for (;;) {
    const ssize_t got = ::read(descriptor, into, room);
    if (got >= 0 || errno != EINTR) return got;
  }
}

std::ptrdiff_t read_some_at(int descriptor, std::uint64_t offset, char* into, std::size_t room) {
  for (;;) {
    const ssize_t got = ::pread(descriptor, into, room, static_cast<off_t>(offset));
    if (got >= 0 || errno != EINTR) return got;
  }
}

std::string bytes_at(int descriptor, std::uint64_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t used = 0;
  while (used < count) {
    const std::ptrdiff_t got = read_some_at(descriptor, offset + used, bytes.data() + used, count - used);
    if (got < 0) fail();
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

bool go_to(int descriptor, std::uint64_t offset) {
  return ::lseek(descriptor, static_cast<off_t>(offset), SEEK_SET) == static_cast<off_t>(offset);
}

std::string digest(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  std::string text = "sha256:";
  constexpr std::string_view digits = "0123456789abcdef";
  for (const unsigned char byte : hash) {
    text += digits[byte >> 4U];
    text += digits[byte & 0xFU];
  }
  return text;
}

}  // namespace workspace
