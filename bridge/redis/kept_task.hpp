// A task as it is kept in Redis: what is sealed of it. Independent of how it comes there.
#pragma once

#include <string>

#include <toolwire/task_store.hpp>

namespace toolwire::redis {

/// A plain value.
struct KeptTask {
  TaskRecord task;    ///< Without its number, which is not sealed.
  std::string lease;  ///< The name of the lease of whoever runs it.
};

std::string text_of(const KeptTask& kept);
/// Throws std::runtime_error for a text that is not one of these.
KeptTask kept_task_in(const std::string& text);

}  // namespace toolwire::redis
