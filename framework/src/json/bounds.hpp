// How large a text may be, beyond its bytes.
#pragma once

#include <cstddef>
#include <limits>

namespace toolwire::json {

struct Bounds {
  std::size_t depth;  // of arrays and objects
  /// And names of members, all together: each takes memory, however few bytes it is written with.
  std::size_t values = std::numeric_limits<std::size_t>::max();
};

}  // namespace toolwire::json
