// What the kernel says about the memory of a server. In 1 000 000 bytes.
#pragma once

#include <sys/types.h>

#include "bench/session.hpp"

namespace toolwire::bench {

struct Memory {
  double resident_mb = 0;      ///< Rss: with all pages of shared libraries
  double proportional_mb = 0;  ///< Pss: shared pages divided by those who share them
  double own_mb = 0;           ///< Private_Clean and Private_Dirty
};

/// From /proc/PID/smaps_rollup; zeros when the process is gone.
Memory memory_of(pid_t process);

/// Of a fresh server that was asked for its tools and has then done nothing for 200 ms.
Memory idle_memory(const Candidate& candidate);

}  // namespace toolwire::bench
