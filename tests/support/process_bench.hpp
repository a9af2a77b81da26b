// Programs that are run for a test of the process runner, and how they ended.
#pragma once

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "file_content.hpp"
#include "process/runner.hpp"
#include "scratch_folder.hpp"

namespace toolwire_test {

using namespace toolwire::bridge;
using std::chrono::steady_clock;

inline ProcessRequest shell(const std::string& text) {
  ProcessRequest request;
  request.start.command = {"sh", "-c", text};
  request.start.environment = {{"PATH", "/usr/bin:/bin"}};
  request.deadline = steady_clock::now() + std::chrono::seconds(60);
  return request;
}

/// Collects the ends of many runs.
class Ends {
 public:
  ProcessRunner::Callback taker() {
    return [this](ProcessEnd&& end) {
      const std::lock_guard lock(mutex_);
      ends_.push_back(std::move(end));
      changed_.notify_all();
    };
  }
  bool wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return ends_.size() >= count; });
  }
  std::vector<ProcessEnd> all() {
    const std::lock_guard lock(mutex_);
    return ends_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ProcessEnd> ends_;
};

/// Waits for what another process does; a condition, not a time, decides.
template <class Condition>
bool eventually(Condition condition) {
  const auto limit = steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

inline pid_t id_in(const std::filesystem::path& file) { return static_cast<pid_t>(std::stol(content_of(file))); }

inline bool is_gone(pid_t id) { return ::kill(id, 0) != 0 && errno == ESRCH; }

inline std::size_t thread_count() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// Lists the descriptors of the shell, as another process sees them.
inline std::string open_descriptors() { return "ls /proc/$$/fd"; }

}  // namespace toolwire_test
