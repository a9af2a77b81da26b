// Reports that files have been edited, however an editor does that: written in place, renamed over, removed and made
// again. Independent of their content.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <toolwire/system/folder_events.hpp>
#include <toolwire/system/wake_event.hpp>
#include <utility>
#include <vector>

namespace toolwire::bridge {

/// One thread of its own. Watches the folders of the files (inotify), as an editor may put a new file in a file's
/// place; a path that is a folder is watched for everything in it. Symbolic links are followed, also
/// when they are made to lead elsewhere.
class FileWatch {
 public:
  /// `changed` runs on the thread of the watch, once for edits that follow each other within `quiet`. Throws
  /// std::system_error naming a folder that cannot be watched.
  FileWatch(const std::vector<std::string>& paths, std::function<void()> changed,
            std::chrono::milliseconds quiet = std::chrono::milliseconds(100));
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

 private:
  void watch(const std::vector<std::string>& paths);
  void follow_links();
  void run();
  bool wait(int milliseconds) const;
  bool take_events();

  const std::function<void()> changed_;
  const std::chrono::milliseconds quiet_;
  system::FolderEvents events_;
  system::WakeEvent wake_;
  using Names = std::vector<std::pair<int, std::string>>;  // by watched folder; an empty name: all of it
  std::vector<std::string> paths_;
  Names names_;
  Names targets_;  // of links among the paths
  std::thread thread_;
};

}  // namespace toolwire::bridge
