// Reports that files have been edited, however an editor does that: written in place, renamed over, removed and made
// again. Independent of their content.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <toolwire/system/folder_events.hpp>
#include <utility>
#include <vector>

#include <toolwire/detail/event_loop.hpp>

namespace toolwire::bridge {

/// Watches the folders of the files (inotify), as an editor may put a new file in a file's
/// place; a path that is a folder is watched for everything in it, also when another takes its place. Symbolic links
/// are followed, also when they are made to lead elsewhere.
class FileWatch {
 public:
  static constexpr std::chrono::milliseconds usual_quiet{100};

  /// `changed` runs on a thread of the engine, one call at a time, once for edits that follow each other within
  /// `quiet`. Without an engine: has one of its own. Throws std::system_error naming a folder that cannot be watched.
  FileWatch(const std::vector<std::string>& paths, std::function<void()> changed,
            std::chrono::milliseconds quiet = usual_quiet, std::shared_ptr<Engine> engine = {});
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

 private:
  using Names = std::vector<std::pair<int, std::string>>;  // by watched folder; an empty name: all of it

  void watch(const std::vector<std::string>& paths);
  std::string add(const std::string& path, Names& names);
  void follow_folders();
  void follow_links();
  void wait_for_quiet();
  bool take_events();

  const std::function<void()> changed_;
  const std::chrono::milliseconds quiet_;
  system::FolderEvents events_;
  std::vector<std::string> paths_;
  Names names_;
  Names targets_;                            // of links among the paths
  std::optional<EventLoop::Timer> told_at_;  // when it has been quiet for long enough
  EventLoop loop_;                           // the last member: it uses the others
};

}  // namespace toolwire::bridge
