#include "workspace/system/attributes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <toolwire/error.hpp>

#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} * 1024;  // of all names, and of one value (xattr(7))
constexpr std::size_t shown_bytes = 300;

bool is_of_file(std::string_view name) { return name.starts_with("user.") || name == "system.posix_acl_access"; }

[[noreturn]] void refuse(const Place& place, std::string_view name, int error) {
  const std::string what = name.starts_with("user.") ? "the extended attribute " + shown_path(name, shown_bytes)
                                                     : std::string("an access control list");
  throw toolwire::ToolError("path: " + shown_path(place.shown(), shown_bytes) + " has " + what +
                            ", which cannot be kept (" + std::strerror(error) + "); nothing was changed");
}

void keep(const Place& place, int from, int to, const char* name, std::string& value) {
  value.resize(most_bytes);
  const ssize_t size = ::fgetxattr(from, name, value.data(), value.size());
  if (size < 0 && errno == ENODATA) return;
  if (size < 0 || ::fsetxattr(to, name, value.data(), static_cast<std::size_t>(size), 0) != 0)
    refuse(place, name, errno);
}

}  // namespace

void keep_attributes(const Place& from, int to) {
  const FileDescriptor file = open_to_read(from);
  std::string names(most_bytes, '\0');
  const ssize_t size = file.is_open() ? ::flistxattr(file.get(), names.data(), names.size()) : -1;
  if (size <= 0) return;  // also of a file system that has none
  names.resize(static_cast<std::size_t>(size));
  std::string value;
  for (std::size_t at = 0; at < names.size(); at += std::strlen(names.c_str() + at) + 1)
    if (is_of_file(names.c_str() + at)) keep(from, file.get(), to, names.c_str() + at, value);
}

std::uint64_t other_names(const Place& place) {
  struct stat status {};
  const bool known = ::fstatat(place.parent.get(), place.leaf.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  return known && status.st_nlink > 1 ? status.st_nlink - 1 : 0;
}

}  // namespace workspace
