// Whether a folder is a place for a socket that only this user is to reach, and the secret that opens what is in it.
#pragma once

#include <string>

namespace toolwire::attach {

/// What is wrong with the folder: it has to be there, no symbolic link, this user's, and closed to all others (0700).
/// Empty if nothing is.
std::string wrong_with_folder(const std::string& folder);

/// What whoever connects to a socket in the folder has to say first. A program of this user that may not read the file,
/// because the bridge confines it, gets no further.
struct Secret {
  std::string text = {};     // 64 hexadecimal digits
  std::string trouble = {};  // why there is none
};

/// From the file `secret` in the folder, which is made when it is missing; whoever asks at the same time gets the same.
/// None if something is wrong with the folder.
Secret secret_of(const std::string& folder);

/// The folder that a path is in; "." for a name alone.
std::string folder_of(const std::string& path);

}  // namespace toolwire::attach
