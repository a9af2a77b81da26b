// What the system reports about a file without opening it: kind, size, times, mode.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "workspace/system/root.hpp"

namespace workspace {

/// A plain value.
struct FileState {
  FileKind kind = FileKind::unknown;
  std::uint64_t size = 0;
  std::int64_t modified = 0;  // nanoseconds since 1970, UTC
  mode_t mode = 0;            // the permission bits
  uid_t owner = 0;
  gid_t group = 0;
  dev_t device = 0;
  ino_t number = 0;
};

/// Nothing if the system does not tell.
std::optional<FileState> state_of(int descriptor);

/// Of a name in a directory, which is not followed if it is a symbolic link; nothing if it is not there.
std::optional<FileState> state_at(int directory, const std::string& name);

/// What a symbolic link leads to, as it is written there; nothing if it is none. An empty name: the descriptor's own.
std::optional<std::string> link_target(int directory, const std::string& name);

/// True if both are the same file with, as far as size and time of the last change tell, the same content.
bool is_same_version(const FileState& a, const FileState& b);

/// "2026-11-22T04:31:17.123456789Z": RFC 3339 with all the digits there are, so that it can be compared.
std::string time_text(std::int64_t nanoseconds);

}  // namespace workspace
