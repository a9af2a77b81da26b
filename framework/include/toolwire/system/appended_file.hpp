// Files that are written at their end only: logs and records. Knows nothing of their lines.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// Made for its user alone if it is not there. Closed, with errno, if it cannot be opened: a FIFO that nobody reads is
/// an error (ENXIO), not an endless wait.
FileDescriptor open_to_append(const std::string& path);

/// In one piece, so that no other writer comes in between. False, with errno, if not all of it fitted.
bool append_whole(const FileDescriptor& file, std::string_view text);

/// As much as there is room for: how many bytes, or -1 with errno, which is EAGAIN if there is no room now.
std::ptrdiff_t append_some(const FileDescriptor& file, std::string_view text);

/// For what is no regular file: whether there is room within this time.
bool wait_for_room(const FileDescriptor& file, std::chrono::milliseconds time);

bool is_regular_file(const FileDescriptor& file);

/// Whether this file, and no other, stands at the path.
bool stands_at(const FileDescriptor& file, const std::string& path);

/// Takes the one lock of a regular file until it is closed; without waiting. False if another process has it.
bool take_lock(const FileDescriptor& file);

}  // namespace toolwire::system
