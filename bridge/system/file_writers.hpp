// Who may write a file besides its user: what decides which programs are started must be in nobody else's hands.
#pragma once

#include <string>

namespace toolwire::bridge {

/// Who else can write the file, for a message: "everybody", "the group 50", "its owner, the user 1001". Empty if it
/// is only this user or root, or the file cannot be looked at. The group that is this user's alone does not count.
std::string other_writers(const std::string& path);

/// The same for the folders in which the file stands, and in which what a link leads to does: who can write there can
/// put another file in its place, unless the folder is sticky and the file another's.
std::string other_writers_of_folders(const std::string& path);

}  // namespace toolwire::bridge
