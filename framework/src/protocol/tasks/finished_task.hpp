// Tasks whose work has ended where nobody of their process is left: they end as they would have ended there.
#pragma once

#include <optional>
#include <string_view>

#include "protocol/exchange.hpp"
#include "toolwire/stores.hpp"
#include "toolwire/task_store.hpp"

namespace toolwire::protocol {

/// Whether its process has stopped to work on it.
bool is_abandoned(const TaskRecord& task, TaskTime now);

/// As Tasks::find, for whoever sends this request. The first who finds a task whose work has ended without its process
/// ends it: the result is checked, cut and written as one of its tool, in the revision of this request, and stored, and
/// listeners hear of it. `id` lives until the function has returned.
void find_finished(const Exchange& asker, std::string_view id, Done<std::optional<TaskRecord>> done);

}  // namespace toolwire::protocol
