#include "commands/command_output.hpp"

#include <array>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <toolwire/child_process.hpp>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

/// Kills a process that is not done in time.
class Deadline {
 public:
  Deadline(ChildProcess& process, std::chrono::milliseconds time)
      : thread_([this, &process, time] {
          MutexLock lock(mutex_);
          passed_ = !done_changed_.wait_for(lock, time, [this]() TOOLWIRE_REQUIRES(mutex_) { return done_; });
          if (passed_) process.kill();
        }) {}
  ~Deadline() { end(); }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  /// Returns whether it has passed.
  bool end() {
    {
      const MutexLock lock(mutex_);
      done_ = true;
      done_changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
    const MutexLock lock(mutex_);
    return passed_;
  }

 private:
  Mutex mutex_;
  ConditionVariable done_changed_;
  bool done_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool passed_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

ChildProcess started(const std::vector<std::string>& command) {
  try {
    return ChildProcess({.command = command, .own_group = true, .end_with_parent = true});
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string("expected a program that can be started: ") + error.what());
  }
}

}  // namespace

std::string output_of(const std::vector<std::string>& command, const CommandLimits& limits) {
  ChildProcess process = started(command);
  process.close_input();
  Deadline deadline(process, limits.time);
  std::string output;
  std::array<char, 4096> bytes{};
  for (std::ptrdiff_t count = 0;
       output.size() <= limits.bytes && (count = process.transport().read(bytes.data(), bytes.size())) > 0;)
    output.append(bytes.data(), static_cast<std::size_t>(count));
  const bool too_long = output.size() > limits.bytes;
  if (too_long) process.kill();
  const ExitStatus status = process.wait();
  const std::string name = "\"" + command.front() + "\"";
  if (deadline.end())
    throw std::runtime_error("expected " + name + " to be done within " + std::to_string(limits.time.count()) + " ms");
  if (too_long) throw std::runtime_error("expected at most " + std::to_string(limits.bytes) + " bytes of " + name);
  if (!status.success()) throw std::runtime_error("expected " + name + " to succeed; it " + status.text());
  return output;
}

}  // namespace toolwire::bridge
