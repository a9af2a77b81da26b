// What happens to the files of watched folders (Linux inotify). Never waits: its descriptor is for poll(2). Independent
// of who wants to know.
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
  bool is_moved = false;       ///< By being moved, whether it comes or goes.
  bool lost_some = false;      ///< None of the above: there were too many events, and some are lost.
  bool is_last = false;        ///< The folder is not watched any more.
};

/// How a folder is watched. A plain value.
struct FolderWatch {
  bool attributes = true;      ///< Also tells of changed times and rights.
  bool follows_links = true;   ///< Else a folder that is a symbolic link is refused.
  bool unlinked_files = true;  ///< Also tells of files that no longer have a name.
};

/// Tells of files that were written, made, deleted and moved. One thread.
class FolderEvents {
 public:
  /// Throws std::system_error if the system allows no more of them.
  FolderEvents();

  /// Readable when there is something to take; does not block.
  [[nodiscard]] int descriptor() const { return events_.get(); }

  /// Returns a number that stands for the folder, the same for the same folder, or -1 with errno.
  int watch(const std::string& folder, FolderWatch how = {});
  void unwatch(int folder);

  /// Hands over all that has happened, in its order.
  void take(const std::function<void(const FolderEvent&)>& handle);

 private:
  FileDescriptor events_;
};

}  // namespace toolwire::system
