// Clients that leave in the middle of their calls.
#pragma once

#include <cstddef>

namespace toolwire::bench {

/// What became of calls whose connections were reset at random.
struct Resets {
  std::size_t began = 0;      // at the server, before their connection was reset
  std::size_t answered = 0;   // before that
  std::size_t cancelled = 0;  // because of it
  double longest = 0;         // milliseconds from a reset until the tool was told
};

/// Makes so many calls to a toolwire server of its own, eight at a time. Throws std::runtime_error. Before there are
/// threads.
Resets reset_calls(std::size_t calls);

}  // namespace toolwire::bench
