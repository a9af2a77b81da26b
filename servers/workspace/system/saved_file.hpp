// One file or link as it was at a moment, small enough to be kept whole, and how it is put back. Independent of why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workspace/system/file_state.hpp"
#include "workspace/system/place.hpp"

namespace workspace {

/// A plain value.
struct SavedFile {
  static constexpr std::uint64_t most = std::uint64_t{1} << 20;  // bytes

  FileState state;
  /// Of a regular file its bytes, of a link where it leads; nothing if there were more bytes than `most`, or it is of
  /// another kind.
  std::optional<std::string> content = {};

  /// Whether kind, mode and content are the same; of what has no content, whether the system tells of no change.
  bool is_like(const SavedFile& other) const;
};

/// Nothing if it is not there or cannot be read.
std::optional<SavedFile> save_file(const Root& root, const std::string& path);

/// The place of a path below a root, also in `.git`; folders that are missing are made, and links are not
/// followed. Throws ToolError.
Place open_place(const Root& root, const std::string& path, const std::string& prefix);

/// Removes what is no folder for good. False if that cannot be.
bool remove_for_good(const Place& place);

/// Makes the file or link again, whose content must be known, where nothing is. Throws ToolError.
void put_back(const Place& place, const SavedFile& saved);

}  // namespace workspace
