// What the kernel says about the memory of a process. In 1 000 000 bytes.
#pragma once

#include <sys/types.h>

namespace toolwire::bench {

struct Memory {
  double resident_mb = 0;      ///< Rss: with all pages of shared libraries
  double proportional_mb = 0;  ///< Pss: shared pages divided by those who share them
  double own_mb = 0;           ///< Private_Clean and Private_Dirty
};

/// From /proc/PID/smaps_rollup; zeros when the process is gone.
Memory memory_of(pid_t process);

}  // namespace toolwire::bench
