// Whether a folder is a place for a socket that only this user is to reach.
#pragma once

#include <string>

namespace toolwire::attach {

/// What is wrong with the folder: it has to be there, no symbolic link, this user's, and closed to all others (0700).
/// Empty if nothing is.
std::string wrong_with_folder(const std::string& folder);

/// The folder that a path is in; "." for a name alone.
std::string folder_of(const std::string& path);

}  // namespace toolwire::attach
