// What the system says of a process, and whether its memory is its own.
#pragma once

#include <sys/types.h>

#include <fstream>
#include <string>

namespace toolwire_test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_ours = false;  // but that of a sanitizer as well
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool memory_is_ours = false;
#else
constexpr bool memory_is_ours = true;
#endif
#else
constexpr bool memory_is_ours = true;
#endif

/// A number of /proc/PID/status, e.g. "Threads" or "VmHWM" (kB).
inline long status_of(pid_t process, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name + ":", 0) == 0) return std::stol(line.substr(name.size() + 1));
  }
  return -1;
}

}  // namespace toolwire_test
