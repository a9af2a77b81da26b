#include "driver/side_by_side.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::chrono::milliseconds look_every{200};

std::optional<ProcessorTime> processor_time() {
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  return processor_time_of(line);
}

/// How much of the processors' time was idle since the last look.
class IdleShare {
 public:
  std::optional<double> look() {
    const std::optional<ProcessorTime> now = processor_time();
    const std::optional<ProcessorTime> before = std::exchange(last_, now);
    if (!now || !before || now->all <= before->all || now->idle < before->idle) return std::nullopt;
    return static_cast<double>(now->idle - before->idle) / static_cast<double>(now->all - before->all);
  }

 private:
  std::optional<ProcessorTime> last_ = processor_time();
};

/// Hands out the numbers to its threads.
class Workers {
 public:
  Workers(std::size_t count, const Jobs& jobs, const std::function<void(std::size_t)>& work)
      : count_(count), jobs_(jobs), work_(work), wanted_(std::max(1U, jobs.first)) {}

  void run() {
    std::vector<std::jthread> threads;
    IdleShare idle;
    while (add_missing(threads)) adjust(idle.look());
    threads.clear();
    const MutexLock lock(mutex_);
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  /// Starts what is missing to the wanted number and waits for the next look. False once all numbers are given out.
  bool add_missing(std::vector<std::jthread>& threads) {
    MutexLock lock(mutex_);
    for (; running_ < wanted_ && next_ < count_; ++running_) threads.emplace_back([this] { serve(); });
    while (next_ < count_ && given_out_.wait_for(lock, look_every) != std::cv_status::timeout) {
    }
    return next_ < count_;
  }

  void adjust(std::optional<double> idle) {
    const MutexLock lock(mutex_);
    wanted_ = next_jobs(jobs_, wanted_, idle);
  }

  /// The next number; nothing if there is none, or if this thread is one too many.
  std::optional<std::size_t> take() {
    const MutexLock lock(mutex_);
    if (running_ > wanted_ || next_ >= count_) {
      --running_;
      return std::nullopt;
    }
    if (next_ + 1 == count_) given_out_.notify_all();
    return next_++;
  }

  void serve() {
    try {
      while (const std::optional<std::size_t> mine = take()) work_(*mine);
    } catch (...) {
      const MutexLock lock(mutex_);
      --running_;
      if (!problem_) problem_ = std::current_exception();
      next_ = count_;
      given_out_.notify_all();
    }
  }

  const std::size_t count_;
  const Jobs jobs_;
  const std::function<void(std::size_t)>& work_;
  Mutex mutex_;
  ConditionVariable given_out_;
  std::size_t next_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  unsigned running_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  unsigned wanted_ TOOLWIRE_GUARDED_BY(mutex_);
  std::exception_ptr problem_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace

std::optional<ProcessorTime> processor_time_of(std::string_view text) {
  constexpr std::string_view all_processors = "cpu ";
  if (!text.starts_with(all_processors)) return std::nullopt;
  std::istringstream line(std::string(text.substr(all_processors.size(), text.find('\n') - all_processors.size())));
  std::vector<std::uint64_t> fields;  // user, nice, system, idle, waiting for a disk, ...
  for (std::uint64_t field = 0; line >> field;) fields.push_back(field);
  if (fields.size() < 4) return std::nullopt;
  ProcessorTime time{.idle = fields[3]};
  for (const std::uint64_t field : fields) time.all += field;
  return time;
}

unsigned next_jobs(const Jobs& jobs, unsigned now, std::optional<double> idle) {
  if (idle && *idle > 0.4) now += 2;
  if (idle && *idle < 0.1 && now > 0) now -= 1;
  return std::clamp(now, std::max(1U, jobs.first), std::max({1U, jobs.first, jobs.most}));
}

void run_side_by_side(std::size_t count, const Jobs& jobs, const std::function<void(std::size_t)>& work) {
  Workers(count, jobs, work).run();
}

}  // namespace toolwire::conformance
