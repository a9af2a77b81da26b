// A file's whole content. Independent of what it says.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace toolwire::system {

/// All of the file. Throws std::system_error, "PATH: cannot be read: …", if it cannot be, is a folder, or has more than
/// `most` bytes (EFBIG).
std::string text_of_file(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace toolwire::system
