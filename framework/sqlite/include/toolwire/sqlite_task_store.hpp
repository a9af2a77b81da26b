// Tasks in an SQLite file: they survive the process, and all processes that use the file see them. A library of its own
// (toolwire::sqlite_tasks), so that a server without it needs no SQLite. Independent of how tasks run and who asks for
// them.
#pragma once

#include <filesystem>
#include <memory>

#include "toolwire/task_store.hpp"

namespace toolwire {

/// Opens or creates the store; its file and the folders it makes are readable by their owner only. Several processes
/// may use it at once, on one machine: no lock is held between two operations, and one waits up to 250 ms for another.
/// Throws std::runtime_error naming the file and why it cannot be used: no permission, no database, a later format.
std::shared_ptr<LocalTaskStore> sqlite_task_store(const std::filesystem::path& file);

}  // namespace toolwire
