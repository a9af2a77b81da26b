// A new empty folder for one test, removed with its content at the end.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace toolwire_test {

/// One thread. Nothing below it is removed through a symbolic link.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::filesystem::path& where = std::filesystem::temp_directory_path()) {
    std::string name = (where / "toolwire-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::filesystem::filesystem_error("mkdtemp", name, last_error());
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  /// A folder in memory, for tests that make thousands of entries; the usual temporary folder if there is none.
  static std::filesystem::path in_memory() {
    return ::access("/dev/shm", W_OK) == 0 ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
  }

  const std::filesystem::path& path() const { return path_; }
  std::string text() const { return path_.string(); }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

  /// Writes a file, making the folders above it.
  std::filesystem::path file(const std::filesystem::path& name, std::string_view content = "") const {
    std::filesystem::path place = path_ / name;
    std::filesystem::create_directories(place.parent_path());
    std::ofstream(place, std::ios::binary) << content;
    return place;
  }

  std::filesystem::path folder(const std::filesystem::path& name) const {
    std::filesystem::create_directories(path_ / name);
    return path_ / name;
  }

  void link(const std::filesystem::path& target, const std::filesystem::path& name) const {
    std::filesystem::create_symlink(target, path_ / name);
  }

 private:
  static std::error_code last_error() { return {errno, std::system_category()}; }

  std::filesystem::path path_;
};

}  // namespace toolwire_test
