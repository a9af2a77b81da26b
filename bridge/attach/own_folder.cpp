#include "attach/own_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace toolwire::attach {

std::string wrong_with_folder(const std::string& folder) {
  struct stat about {};
  if (::lstat(folder.c_str(), &about) != 0) return "the folder " + folder + " cannot be used: " + std::strerror(errno);
  if (!S_ISDIR(about.st_mode)) return "expected a folder, and no link to one: " + folder;
  if (about.st_uid != ::geteuid())
    return "the folder " + folder + " belongs to user " + std::to_string(about.st_uid) +
           "; expected one of yours, user " + std::to_string(::geteuid());
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return "others may enter the folder " + folder + "; expected one for you alone (chmod 700)";
  return {};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace toolwire::attach
