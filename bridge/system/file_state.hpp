// Whether a file is still the one it was. Independent of its content.
#pragma once

#include <string>

namespace toolwire::bridge {

/// Of two calls the same text, if the file was neither written to nor replaced between them: its place on the disk, its
/// size, and when it and what the system keeps of it were changed last. The last of these no program can set, so that
/// an edit is seen that keeps size and time. Empty: there is no such file. Symbolic links are followed.
std::string file_state(const std::string& path);

}  // namespace toolwire::bridge
