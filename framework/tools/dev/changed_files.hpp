// Tells when one of some files is written, replaced or made again.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <toolwire/detail/mutex.hpp>
#include <toolwire/engine.hpp>
#include <toolwire/system/folder_events.hpp>
#include <vector>

namespace toolwire::dev {

class ChangedFiles {
 public:
  /// `changed` is called on a thread of its own; often several times for one change. Files and folders that go
  /// are waited for.
  /// Throws std::system_error if the system watches no more files.
  ChangedFiles(const std::vector<std::filesystem::path>& files, std::function<void()> changed);

 private:
  void take();
  bool watch_folders() TOOLWIRE_REQUIRES(mutex_);
  void look_for_files();

  const std::function<void()> changed_;
  Mutex mutex_;
  system::FolderEvents events_ TOOLWIRE_GUARDED_BY(mutex_);
  std::map<std::string, std::set<std::string>> names_ = {};              ///< Of files, by folder.
  std::map<int, std::string> watched_ TOOLWIRE_GUARDED_BY(mutex_) = {};  ///< Folders, by their numbers.
  bool is_looking_ TOOLWIRE_GUARDED_BY(mutex_) = false;                  ///< For files that have gone.
  Engine engine_;
  Engine::Watch watch_ = {};
};

}  // namespace toolwire::dev
