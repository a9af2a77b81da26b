// A file's whole content. Independent of what it says.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace toolwire::system {

/// All of the file. Throws std::system_error, "PATH: cannot be read: …", if it cannot be, is a folder, has more than
/// `most` bytes (EFBIG), or is a pipe whose writer is silent for ten seconds (ETIMEDOUT). One without a writer is
/// empty.
std::string text_of_file(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

/// The first `most` bytes of the file, or all if it has fewer; else as `text_of_file`.
std::string beginning_of_file(const std::string& path, std::size_t most);

}  // namespace toolwire::system
