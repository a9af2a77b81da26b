// Removes a folder when nobody needs it any more, also if who did was killed: a process of this server's own code that
// waits for that and does nothing else. Independent of what is in the folder.
#pragma once

#include <string>
#include <toolwire/system/file_descriptor.hpp>
#include <utility>

namespace workspace {

/// One thread.
class FolderJanitor {
 public:
  FolderJanitor() = default;
  /// Forks: before the process is confined and before the first thread. Throws std::system_error.
  explicit FolderJanitor(const std::string& folder);
  FolderJanitor(FolderJanitor&& other) noexcept
      : needed_(std::move(other.needed_)),
        unneeded_(std::move(other.unneeded_)),
        process_(std::exchange(other.process_, -1)) {}
  FolderJanitor& operator=(FolderJanitor&& other) noexcept {
    std::swap(needed_, other.needed_);
    std::swap(unneeded_, other.unneeded_);
    std::swap(process_, other.process_);
    return *this;
  }
  /// Waits until the folder is gone.
  ~FolderJanitor();

  /// While any process has this open the folder stays.
  int needed() const { return needed_.get(); }
  /// Hangs up (POLLHUP) when no process has that open any more.
  int unneeded() const { return unneeded_.get(); }
  /// This process does not need it; others may.
  void give_away() {
    needed_.reset();
    unneeded_.reset();
  }

 private:
  toolwire::system::FileDescriptor needed_, unneeded_;
  int process_ = -1;
};

}  // namespace workspace
