// Test cases for every task store, however it keeps its tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolwire/task_store.hpp"

namespace toolwire_test {

using MakeStore = std::function<std::shared_ptr<toolwire::TaskStore>()>;

/// A store as one that answers by returning, however long that takes; throws what it fails with.
class WaitedTasks {
 public:
  explicit WaitedTasks(std::shared_ptr<toolwire::TaskStore> store) : store_(std::move(store)) {}

  bool insert(const toolwire::TaskRecord& task, std::size_t bound, toolwire::TaskTime now) const;
  std::optional<toolwire::TaskRecord> find(std::string_view id, toolwire::TaskTime now) const;
  bool change(std::string_view id, const toolwire::TaskState& state) const;
  std::vector<toolwire::TaskRecord> list(std::uint64_t after, std::size_t count, toolwire::TaskTime now) const;

 private:
  std::shared_ptr<toolwire::TaskStore> store_;
};

/// Registers the cases with Boost.Test, in the suite `name`. `make` gives a store that is empty.
void add_task_store_cases(const char* name, const MakeStore& make);

/// A task that began at `created` milliseconds and is kept for `ttl`.
toolwire::TaskRecord task_of(std::string id, std::int64_t created = 0, std::int64_t ttl = 1000);
toolwire::TaskTime at(std::int64_t milliseconds);
toolwire::TaskState over(toolwire::TaskStatus status, std::int64_t updated = 0, std::int64_t ttl = 1000);

}  // namespace toolwire_test
