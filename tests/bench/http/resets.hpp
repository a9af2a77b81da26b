// Clients that leave in the middle of their calls.
#pragma once

#include <cstddef>

#include "judgement.hpp"

namespace toolwire::bench {

/// Makes so many calls to a toolwire server of its own, eight at a time. Throws std::runtime_error. Before there are
/// threads.
Resets reset_calls(std::size_t calls);

}  // namespace toolwire::bench
