// How a call becomes a task, in either form of tasks.
#pragma once

#include <string_view>

#include "target/search.hpp"

namespace toolwire::conformance::tasks {

inline constexpr std::string_view extension = "io.modelcontextprotocol/tasks";

/// The client's, with the extension.
JsonObject capabilities_with_tasks(const Search& search);
/// Params of a call as a client of tasks makes it.
JsonObject task_call(const Search& search, const JsonObject& entry);
/// The task that the result of such a call is; null if it is none.
Json task_in(const Search& search, const Json& result);

}  // namespace toolwire::conformance::tasks
