// A temporary folder that belongs to one program and is removed with it.
#pragma once

#include <string>

namespace toolwire::bridge {

/// A new folder only its user can enter, below the folder for temporary files. One owner; removed with everything in it
/// unless it was given away.
class PrivateFolder {
 public:
  /// Throws std::system_error if there is no place for it.
  PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();

  const std::string& path() const { return path_; }
  /// From now on another owner removes it.
  void give_away() { is_ours_ = false; }

 private:
  std::string path_;
  bool is_ours_ = true;
};

/// Removes a folder and everything below it, however deep, without following symbolic links, as far as the system
/// allows. Nobody may be using it. Async-signal-safe.
void remove_folder(const char* path);

}  // namespace toolwire::bridge
