#include "system/file_state.hpp"

#include <sys/stat.h>

#include <initializer_list>

namespace toolwire::bridge {

std::string file_state(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return {};
  std::string state;
  for (const long long number :
       {static_cast<long long>(about.st_dev), static_cast<long long>(about.st_ino),
        static_cast<long long>(about.st_size), static_cast<long long>(about.st_mtim.tv_sec),
        static_cast<long long>(about.st_mtim.tv_nsec), static_cast<long long>(about.st_ctim.tv_sec),
        static_cast<long long>(about.st_ctim.tv_nsec)})
    state += std::to_string(number) + " ";
  return state;
}

}  // namespace toolwire::bridge
