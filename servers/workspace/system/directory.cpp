#include "workspace/system/directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace workspace {
namespace {

constexpr std::size_t room = std::size_t{32} * 1024;

// A record of getdents64(2).
constexpr std::size_t length_at = 16;
constexpr std::size_t type_at = 18;
constexpr std::size_t name_at = 19;

struct Names {
  alignas(std::uint64_t) std::array<char, room> bytes;
};

/// Not readdir(3): it asks for the state of the directory and of its descriptor first.
std::ptrdiff_t read_records(int directory, Names& names) {
  for (;;) {
    const auto got = static_cast<std::ptrdiff_t>(::syscall(SYS_getdents64, directory, names.bytes.data(), room));
    if (got >= 0 || errno != EINTR) return got;
  }
}

FileKind kind_of_type(unsigned char type) {
  return type == DT_UNKNOWN ? FileKind::unknown : file_kind(static_cast<mode_t>(DTTOIF(unsigned{type})));
}

bool take_records(const char* record, const char* end, const TakeName& take) {
  while (record < end) {
    std::uint16_t length = 0;
    std::memcpy(&length, record + length_at, sizeof length);
    const std::string_view name = record + name_at;
    const bool is_entry = name != "." && name != "..";
    if (is_entry && !take(name, kind_of_type(static_cast<unsigned char>(record[type_at])))) return false;
    record += length;
  }
  return true;
}

}  // namespace

bool read_names(int directory, const TakeName& take) {
  Names names;
  for (;;) {
    const std::ptrdiff_t got = read_records(directory, names);
    if (got <= 0) return got == 0;
    if (!take_records(names.bytes.data(), names.bytes.data() + got, take)) return true;
  }
}

FileDescriptor open_in(int directory, const char* name) {
  return FileDescriptor{::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
}

FileKind kind_in(int directory, const char* name) {
  struct stat status {};
  const bool known = ::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
  return known ? file_kind(status.st_mode) : FileKind::unknown;
}

}  // namespace workspace
