#include <toolwire/system/find_program.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace toolwire::system {
namespace {

bool is_program(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name, const std::string& folders, RelativeFolders relative) {
  if (name.find('/') != std::string::npos) return name;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    begin = end + 1;
    if (relative == RelativeFolders::skipped && !folder.starts_with('/')) continue;
    if (std::string path = (folder.empty() ? "." : folder) + "/" + name; is_program(path)) return path;
  }
  return std::nullopt;
}

}  // namespace toolwire::system
