// Sets modes and times of files for a program that may not do it itself: Landlock does not know them, and a filter of
// system calls sees no names. The calls wait (CallFilter); here the file is opened first and looked at then, so nothing
// the program does meanwhile makes it another one. Independent of the program.
#pragma once

#include <string>
#include <vector>

namespace workspace {

/// Takes one call from the listener, and does it if the file lies in one of these folders (absolute, without links).
/// Else the call fails with EPERM, as does setting the bits for other users' rights (set-user-id) and another owner.
/// Never waits long.
void answer_metadata_call(int listener, const std::vector<std::string>& folders);

}  // namespace workspace
