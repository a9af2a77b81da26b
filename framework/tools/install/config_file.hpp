// A configuration file of a host, read and replaced as a whole. What it held is kept first. Knows no formats.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "backups.hpp"

namespace toolwire::install {

/// A plain value.
struct ConfigFile {
  std::string path;                      ///< Symbolic links followed, so that a replacement leaves them as they are.
  std::optional<std::string> text = {};  ///< Nothing if there is no such file.
};

/// Somebody else has changed the file since it was read.
struct ChangedMeanwhile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws std::runtime_error naming the file if it is no regular file, is too large or cannot be read.
ConfigFile read_config_file(const std::string& path);

/// Keeps what it held, and puts the new text in its place with the same rights; makes it, and the folders above it, if
/// it was missing. `is_private`: new ones are for their user only. Throws std::runtime_error naming the file: it is
/// write-protected or could not be written, or, ChangedMeanwhile, it is another one now; it is as it was then.
void write_config_file(const ConfigFile& before, std::string_view text, bool is_private, const Backups& backups);

/// Keeps what it held and removes it. Throws as `write_config_file`.
void remove_config_file(const ConfigFile& before, const Backups& backups);

}  // namespace toolwire::install
