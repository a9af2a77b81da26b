// The changes of this process, the last of which can be undone. Independent of the protocol.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "workspace/changes/changed.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// Not synchronised: changes are made one at a time.
class ChangeHistory {
 public:
  static constexpr std::size_t most = 1000;  // of the oldest more are forgotten; the trash has them still

  /// What one call has changed, in order. Dry runs are passed over.
  void add(const std::vector<Changed>& changes);

  /// Undoes the last call that is not undone yet, all of it, and tells what was done, one line each. Throws ToolError
  /// if there is none, or if a file is not as that call left it: then nothing is undone.
  std::vector<std::string> undo_last(const Roots& roots);

 private:
  std::deque<std::vector<Changed>> calls_;
};

}  // namespace workspace
