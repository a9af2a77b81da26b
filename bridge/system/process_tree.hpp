// What processes are below one, and what they use, as /proc tells it. Of processes that end meanwhile it tells less.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <toolwire/system/process_id.hpp>

namespace toolwire::bridge {

/// The processes that `process` has started and that are still its children.
std::vector<system::ProcessId> children_of(system::ProcessId process);

/// What processes use. A plain value.
struct ProcessCost {
  std::size_t processes = 0;
  std::uint64_t memory = 0;                     ///< Bytes; what several processes share counts in parts.
  std::chrono::milliseconds processor_time{0};  ///< Since they began, with that of children that have ended.

  ProcessCost& operator+=(const ProcessCost& other);
};

/// Of one process alone; nothing if there is none.
ProcessCost cost_of(system::ProcessId process);

/// Of a process and all that are below it.
ProcessCost cost_of_tree(system::ProcessId process);

}  // namespace toolwire::bridge
