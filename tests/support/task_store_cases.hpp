// Test cases for every task store, however it keeps its tasks.
#pragma once

#include <functional>
#include <memory>

#include "toolwire/task_store.hpp"

namespace toolwire_test {

using MakeStore = std::function<std::shared_ptr<toolwire::LocalTaskStore>()>;

/// Registers the cases with Boost.Test, in the suite `name`. `make` gives a store that is empty.
void add_task_store_cases(const char* name, const MakeStore& make);

/// A task that began at `created` milliseconds and is kept for `ttl`.
toolwire::TaskRecord task_of(std::string id, std::int64_t created = 0, std::int64_t ttl = 1000);
toolwire::TaskTime at(std::int64_t milliseconds);
toolwire::TaskState over(toolwire::TaskStatus status, std::int64_t updated = 0, std::int64_t ttl = 1000);

}  // namespace toolwire_test
