// Calls through a pool of the bridge, beside those at its pipe.
#pragma once

#include <string>

namespace toolwire_bench {

/// Microseconds of 100 calls, the best tenth of many repetitions.
struct Hundred {
  double sequential = 0;
  double batch = 0;
};

/// One process of `python` with the tools in `folder`, called by one thread. Throws std::runtime_error.
Hundred hundred_through_pool(const std::string& python, const std::string& folder, int repetitions);

}  // namespace toolwire_bench
