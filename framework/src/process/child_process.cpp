#include <toolwire/child_process.hpp>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "process/child_transport.hpp"
#include "process/error_tail.hpp"
#include "process/start.hpp"
#include "system/later.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/system/program_start.hpp"

namespace toolwire {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds after_kill{5000};  // only a process stuck inside the system needs it

ExitStatus status_from(int status) {
  if (WIFEXITED(status)) return {.code = WEXITSTATUS(status)};
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {};
}

milliseconds time_until(Clock::time_point deadline) {
  return std::max(milliseconds{0}, std::chrono::ceil<milliseconds>(deadline - Clock::now()));
}

int poll_time(milliseconds time) { return static_cast<int>(std::min<milliseconds::rep>(time.count(), INT_MAX)); }

}  // namespace

std::string ExitStatus::text() const {
  if (signal != 0) {
    const char* name = ::sigdescr_np(signal);
    return "was killed by signal " + std::to_string(signal) + (name == nullptr ? "" : " (" + std::string{name} + ")");
  }
  return code >= 0 ? "exited with status " + std::to_string(code) : "ended with an unknown status";
}

class ChildProcess::Parts {
 public:
  Parts(const Program& program, system::StartedProgram started)
      : id{started.process},
        own_group{program.own_group},
        exited{std::move(started.ended)},
        transport{std::move(started.output), std::move(started.input), exited.get()} {
    if (started.errors.is_open()) tail.emplace(std::move(started.errors), program, exited.get());
  }

  void signal(int number) {
    const MutexLock lock(mutex_);
    if (!status_) ::kill(own_group ? -id : id, number);
  }

  /// Waits without reaping, so that the id is not reused meanwhile, and without a lock.
  bool wait_until(Clock::time_point deadline) {
    while (true) {
      if (has_ended()) return true;
      const milliseconds left = time_until(deadline);
      if (left.count() == 0) return false;
      if (exited.is_open()) {
        pollfd waiting{exited.get(), POLLIN, 0};
        ::poll(&waiting, 1, poll_time(left));
      } else {
        std::this_thread::sleep_for(std::min(left, milliseconds{2}));  // kernels before 5.3
      }
    }
  }

  ExitStatus collect() {
    const ExitStatus status = reap();
    transport.end_input();
    if (tail) tail->finish();
    return status;
  }

  const system::ProcessId id;
  const bool own_group;
  const system::FileDescriptor exited;  // or closed, on old kernels
  process::ChildTransport transport;
  std::optional<process::ErrorTail> tail;

 private:
  bool has_ended() {
    const MutexLock lock(mutex_);
    if (status_) return true;
    siginfo_t about{};
    const int result = ::waitid(P_PID, static_cast<id_t>(id), &about, WEXITED | WNOHANG | WNOWAIT);
    // ECHILD: this program ignores SIGCHLD, or other code waited for all children; the exit status is lost.
    return result == 0 ? about.si_pid != 0 : errno == ECHILD;
  }

  ExitStatus reap() {
    const MutexLock lock(mutex_);
    if (status_) return *status_;
    if (own_group) ::kill(-id, SIGKILL);  // while the id cannot have been reused
    int status = 0;
    pid_t reaped = 0;
    while ((reaped = ::waitpid(id, &status, 0)) < 0 && errno == EINTR) {
    }
    system::forget_started(id);
    status_ = reaped == id ? status_from(status) : ExitStatus{};
    return *status_;
  }

  Mutex mutex_;
  std::optional<ExitStatus> status_ TOOLWIRE_GUARDED_BY(mutex_);
};

ChildProcess::ChildProcess(const Program& program)
    : parts_{std::make_unique<Parts>(program, process::start(program))} {}

ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    if (parts_) stop();
    parts_ = std::move(other.parts_);
  }
  return *this;
}

ChildProcess::~ChildProcess() {
  if (parts_) stop();
}

system::ProcessId ChildProcess::id() const { return parts_->id; }

Transport& ChildProcess::transport() { return parts_->transport; }

void ChildProcess::close_input() { parts_->transport.close_output(); }

void ChildProcess::signal(int number) { parts_->signal(number); }

void ChildProcess::kill() { parts_->signal(SIGKILL); }

std::optional<ExitStatus> ChildProcess::exit_status() { return wait_for(milliseconds{0}); }

std::optional<ExitStatus> ChildProcess::wait_for(milliseconds time) {
  if (!parts_->wait_until(system::later<Clock>(time))) return std::nullopt;
  return parts_->collect();
}

ExitStatus ChildProcess::wait() {
  while (true) {
    if (const auto status = wait_for(milliseconds::max())) return *status;
  }
}

ExitStatus ChildProcess::stop(Grace grace) {
  close_input();
  if (const auto status = wait_for(grace.after_end_of_input)) return *status;
  signal(SIGTERM);
  if (const auto status = wait_for(grace.after_terminate)) return *status;
  signal(SIGKILL);
  if (const auto status = wait_for(after_kill)) return *status;
  parts_->transport.end_input();
  return {};
}

std::string ChildProcess::error_tail() const { return parts_->tail ? parts_->tail->text() : std::string{}; }

}  // namespace toolwire
