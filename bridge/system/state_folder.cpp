#include "system/state_folder.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace toolwire::bridge {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

/// Empty if it is there afterwards.
std::string make_one(const std::string& folder) {
  struct stat about {};
  if (::mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST) return {};
  const int error = errno;  // a folder that is there may be refused in other words, as where nothing can be written
  return ::stat(folder.c_str(), &about) == 0 ? std::string()
                                             : "the folder " + folder + " cannot be made: " + std::strerror(error);
}

}  // namespace

std::string state_folder(std::string_view name) {
  if (const auto state = variable("XDG_STATE_HOME"); state.starts_with('/'))
    return std::string(state).append("/toolwire/").append(name);
  const auto home = variable("HOME");
  return home.starts_with('/') ? std::string(home).append("/.local/state/toolwire/").append(name) : std::string();
}

std::string make_state_folder(const std::string& folder) {
  for (std::size_t slash = folder.find('/', 1); slash != std::string::npos; slash = folder.find('/', slash + 1)) {
    if (std::string problem = make_one(folder.substr(0, slash)); !problem.empty()) return problem;
  }
  return make_one(folder);
}

}  // namespace toolwire::bridge
