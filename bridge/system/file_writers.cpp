#include "system/file_writers.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace toolwire::bridge {
namespace {

constexpr std::size_t names_size = 16384;

/// Many systems give each user a group of the same name, and let it write what the user makes.
bool is_own_group(gid_t group) {
  std::array<char, names_size> bytes{};
  passwd user{};
  passwd* found_user = nullptr;
  if (::getpwuid_r(::geteuid(), &user, bytes.data(), bytes.size(), &found_user) != 0 || found_user == nullptr)
    return false;
  const std::string name(user.pw_name);
  if (user.pw_gid != group) return false;
  ::group entry{};
  ::group* found_group = nullptr;
  if (::getgrgid_r(group, &entry, bytes.data(), bytes.size(), &found_group) != 0 || found_group == nullptr)
    return false;
  for (char** member = entry.gr_mem; member != nullptr && *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return name == entry.gr_name;
}

enum class Sticky { says_nothing, protects };

std::string writers(const std::string& path, Sticky sticky) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return {};
  if (file.st_uid != ::geteuid() && file.st_uid != 0) return "its owner, the user " + std::to_string(file.st_uid);
  if (sticky == Sticky::protects && (file.st_mode & S_ISVTX) != 0) return {};
  if ((file.st_mode & S_IWOTH) != 0) return "everybody";
  if ((file.st_mode & S_IWGRP) == 0 || is_own_group(file.st_gid)) return {};
  return "the group " + std::to_string(file.st_gid);
}

}  // namespace

std::string other_writers_of_folders(const std::string& path) {
  std::error_code error;
  const std::filesystem::path written = std::filesystem::absolute(path, error);
  const std::filesystem::path meant = std::filesystem::canonical(path, error);
  for (const std::filesystem::path& one : {written, meant}) {
    const std::string folder = one.parent_path().string();
    std::string others = folder.empty() ? std::string() : writers(folder, Sticky::protects);
    if (!others.empty()) return others;
  }
  return {};
}

std::string other_writers(const std::string& path) { return writers(path, Sticky::says_nothing); }

}  // namespace toolwire::bridge
