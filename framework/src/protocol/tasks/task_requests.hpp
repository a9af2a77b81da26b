// Whether a client may use tasks.
#pragma once

#include <string_view>

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";

/// Whether a client of 2026-07-28 has declared the extension with this request; older revisions have no such thing.
bool declares_tasks(const Exchange& exchange);

/// Throws -32021, naming the extension, if such a client has not (extension tasks, protocol errors).
void require_tasks(const Exchange& exchange);
[[noreturn]] void throw_tasks_required();

/// Whether a client may watch a task, if there is one with that id (see TopicTraits). Throws as require_tasks.
bool can_watch_task(const Exchange& exchange, std::string_view id);

}  // namespace toolwire::protocol
