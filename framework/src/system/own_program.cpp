#include <toolwire/system/own_program.hpp>

#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace toolwire::system {

std::string own_program_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

int become_program_at(const std::string& path, std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv(path.c_str(), pointers.data());
  return errno;
}

}  // namespace toolwire::system
