// Work on tasks that goes on whatever becomes of the process that began them, and that every process of the server can
// ask about: at workers elsewhere, for example. Independent of where that is.
#pragma once

#include <string_view>

#include "toolwire/result.hpp"
#include "toolwire/stores.hpp"
#include "toolwire/task_store.hpp"

namespace toolwire::detail {

/// The member of `_meta` by which a tool learns that its call is a task, where the store is one of these:
/// {"id": "…", "timeMs": 600000}, the longest time that it may take; 0: as long as it likes.
inline constexpr std::string_view task_member = "dev.toolwire/task";

/// A TaskStore may be this, too. Thread-safe; never waits and never throws. `task`: its id, which lives until the
/// function has returned.
class TaskWork {
 public:
  enum class Stage {
    none,     ///< There is no such work: nobody knows how far the task came.
    goes_on,  ///< It may still come to something.
    ended
  };
  /// What is known of the work on a task.
  struct Found {
    Stage stage = Stage::none;
    ToolResult result = {};  ///< Of work that has ended, also of one that failed.
  };

  virtual ~TaskWork() = default;
  /// Whether work on a task of this process goes on without it: then the task is left as it is when the process ends.
  virtual bool is_kept(std::string_view task) = 0;
  /// This process ends its service: what it hears of such work from now on, as that it cannot be followed any more, is
  /// not how the task ends.
  virtual void leave() = 0;
  /// Whether it does, and work on the task is kept.
  virtual bool is_left(std::string_view task) = 0;
  /// What has become of a task whose process has ended.
  virtual void look(std::string_view task, Done<Found> done) = 0;
  /// The task is over, so that nobody wants a result any more: what has not begun does not begin, and what has is told
  /// to stop. Also called for tasks of other processes that there is no work on.
  virtual void stop(std::string_view task) = 0;
};

/// Null if work ends with the process that began it.
inline TaskWork* task_work_of(TaskStore& store) { return dynamic_cast<TaskWork*>(&store); }

}  // namespace toolwire::detail
