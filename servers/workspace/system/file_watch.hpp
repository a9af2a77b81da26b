// Tells when files below the roots change (Linux inotify). Independent of its listeners.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "workspace/system/roots.hpp"

namespace workspace {

/// Called on the watch's own thread.
struct WatchEvents {
  std::function<void(const std::string& absolute_path)> changed;  // a file was written, made, moved or removed
  std::function<void()> list_changed;  // files were added or removed; several changes at once are reported once
};

/// Watches every directory that a walk enters (.git, the trash and what .gitignore names are left out), at most
/// `max_directories`. The roots must outlive it.
class FileWatch {
 public:
  static constexpr std::size_t max_directories = 8192;

  FileWatch(const Roots& roots, WatchEvents events);
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;
  /// Waits for the thread; no callback runs afterwards.
  ~FileWatch();

  /// Begins to watch; calls after the first do nothing. Earlier changes are not reported. From any thread.
  void start();
  /// Waits until all directories that were there at the start are watched.
  void wait_until_watching();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace workspace
