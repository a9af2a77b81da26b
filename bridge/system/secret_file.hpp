// Secrets in files, which nobody else can read.
#pragma once

#include <string>

namespace toolwire::bridge {

/// The first line of a file of this user that nobody else can read or write; empty for an empty path. Throws
/// std::invalid_argument that begins with `member`, which names the file, and says `what` was expected there.
std::string first_line_of(const std::string& path, const std::string& member, const std::string& what);

/// The same, for all of a file that has something in it.
std::string secret_of(const std::string& path, const std::string& member, const std::string& what);

}  // namespace toolwire::bridge
