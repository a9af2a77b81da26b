// What is known of a runtime before it is started, and how it is treated. Plain values.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/detail/back_off.hpp>
#include <toolwire/json.hpp>

#include "activities/runtime/schedule.hpp"
#include "process/spawn.hpp"

namespace toolwire::bridge::runtimes {

/// One pool of processes that all run the same directory of tools.
struct RuntimeOptions {
  std::string name = {};                  ///< For texts.
  ProcessStart start = {};                ///< Of each process; it has an input in any case.
  std::vector<std::string> secrets = {};  ///< Values that are taken out of what its processes say.
  std::size_t size = 2;                   ///< Processes at most; started when calls need them.
  std::size_t calls_at_once = 16;         ///< In one process; further calls wait.
  std::size_t max_waiting = 10'000;       ///< Beyond: "busy".
  Recycling recycling{.max_failures = 10};
  std::string reloads = {};              ///< A directory whose sources are loaded anew when they change; empty: none.
  std::optional<Json> permissions = {};  ///< What is granted to tools; nothing: what they declare.

  std::chrono::milliseconds timeout{300'000};  ///< Of a call.
  std::chrono::milliseconds grace{2'000};      ///< Of a cancelled call; then its process is killed.
  std::chrono::milliseconds start_timeout{30'000};
  std::chrono::milliseconds max_wait{5'000};  ///< Of a call for a start that is put off; beyond: refused at once.
  std::chrono::milliseconds max_hold{500};    ///< Of a share of the calls for a process that is starting.
  std::chrono::milliseconds health_interval{30'000};  ///< Between looks at a process that has nothing to do.
  std::chrono::milliseconds health_timeout{10'000};   ///< Of its answer.
  std::chrono::milliseconds drain{1'000};             ///< Of a process that is to end.
  BackOffOptions back_off{.stable = std::chrono::milliseconds(0)};  ///< "Stable": it has answered a call.

  /// One line for the operator, without line feed; on a thread of the engine. Must not wait.
  std::function<void(const std::string&)> log = {};
};

}  // namespace toolwire::bridge::runtimes
