// What happens to the files of watched folders (Linux inotify). Knows nothing of who wants to know, and waits for
// nothing: its descriptor is for poll(2).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// One event. A plain value; the name lives as long as the call it is handed to.
struct FolderEvent {
  int folder = -1;             ///< As `watch` returned it.
  std::string_view name = {};  ///< In the folder; empty: the folder itself.
  bool is_folder = false;      ///< What `name` names.
  bool comes = false;          ///< Made, or moved here.
  bool goes = false;           ///< Deleted, or moved away.
  bool is_moved = false;       ///< Whichever of both.
  bool lost_some = false;      ///< Nothing of the above, but other events were too many to be kept.
  bool is_last = false;        ///< The folder is not watched any more.
};

/// How a folder is watched. A plain value.
struct FolderWatch {
  bool attributes = true;      ///< Tells of changed times and rights, too.
  bool follows_links = true;   ///< Else a folder that is a symbolic link is refused.
  bool unlinked_files = true;  ///< Tells of files, too, that have no name any more.
};

/// Tells of files that were written, made, deleted and moved. One thread.
class FolderEvents {
 public:
  /// Throws std::system_error if the system gives no more of these.
  FolderEvents();

  /// Readable when there is something to take; does not block.
  [[nodiscard]] int descriptor() const { return events_.get(); }

  /// Returns a number of the folder, the same for the same folder, or -1 with errno.
  int watch(const std::string& folder, FolderWatch how = {});
  void unwatch(int folder);

  /// Hands over all that has happened, in its order.
  void take(const std::function<void(const FolderEvent&)>& handle);

 private:
  FileDescriptor events_;
};

}  // namespace toolwire::system
