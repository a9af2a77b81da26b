// What the system says of a process, and whether its memory is its own.
#pragma once

#include <sys/types.h>

#include <fstream>
#include <string>

#include "file_content.hpp"

namespace toolwire_test {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TOOLWIRE_TEST_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define TOOLWIRE_TEST_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TOOLWIRE_TEST_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define TOOLWIRE_TEST_THREAD_SANITIZER
#endif

/// The thread sanitizer has one of its own in each process.
#if defined(TOOLWIRE_TEST_THREAD_SANITIZER)
constexpr int threads_of_sanitizer = 1;
#else
constexpr int threads_of_sanitizer = 0;
#endif

#if defined(TOOLWIRE_TEST_ADDRESS_SANITIZER) || defined(TOOLWIRE_TEST_THREAD_SANITIZER)
constexpr bool memory_is_ours = false;  // but that of a sanitizer as well
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

/// Whether the process has ended, collected by its parent or not.
inline bool has_ended(pid_t process) {
  const std::string stat = content_of("/proc/" + std::to_string(process) + "/stat");
  const std::size_t name_ends = stat.rfind(") ");
  return name_ends == std::string::npos || stat.compare(name_ends + 2, 1, "Z") == 0;
}

}  // namespace toolwire_test
