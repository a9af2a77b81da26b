// This process becomes another program, and which program it is now.
#pragma once

#include <string>
#include <vector>

namespace toolwire::bridge {

/// The file of this program, and what tells one build of it from another.
struct OwnProgram {
  std::string path = {};
  std::string build = {};
};

/// Throws std::system_error if the system does not say.
OwnProgram own_program();

/// With this environment, these streams and no other descriptor that was opened here. Returns never; throws
/// std::system_error if the program cannot be executed. To be called while there is one thread.
[[noreturn]] void become(const std::vector<std::string>& command);

}  // namespace toolwire::bridge
