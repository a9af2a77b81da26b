#include "process/runner.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <future>
#include <map>
#include <system_error>
#include <utility>

#include <toolwire/detail/event_loop.hpp>
#include "process/running_process.hpp"

namespace toolwire::bridge {

/// All but `start` and the counter belongs to the loop.
class ProcessRunner::Parts {
 public:
  explicit Parts(ProcessRunnerOptions options)
      : max_running_(std::max<std::size_t>(1, options.max_running)),
        max_open_(max_running_ + options.max_waiting),
        loop_(std::move(options.engine)) {}

  ~Parts() { close(); }

  void start(ProcessRequest request, std::stop_token stop, Callback callback);
  void close() {
    loop_.post([this] { end_all(); });
    loop_.stop();
  }

 private:
  struct Run {
    ProcessRequest request;  // until it is started
    Callback callback;       // until it is answered
    std::unique_ptr<std::stop_callback<std::function<void()>>> on_stop;
    std::optional<EventLoop::Timer> deadline;  // while it waits for its turn
    std::unique_ptr<RunningProcess> process;
  };

  void begin(std::uint64_t id, ProcessRequest request, const std::stop_token& stop, Callback callback);
  void begin_waiting();
  void launch(std::uint64_t id, Run& run);
  void end(std::uint64_t id, const char* code, const char* text);
  void answer(std::uint64_t id, ProcessEnd&& end);
  void gone(std::uint64_t id);
  void end_all();

  const std::size_t max_running_;
  const std::size_t max_open_;
  std::atomic<std::size_t> open_ = 0;
  std::atomic<std::uint64_t> last_id_ = 0;
  std::map<std::uint64_t, Run> runs_;
  std::deque<std::uint64_t> waiting_;  // may name runs that have ended
  std::size_t running_ = 0;
  bool closed_ = false;
  EventLoop loop_;
};

void ProcessRunner::Parts::start(ProcessRequest request, std::stop_token stop, Callback callback) {
  if (open_.fetch_add(1) >= max_open_) {
    return loop_.post_or_run([this, callback = std::move(callback)] {
      --open_;
      callback({.code = "busy", .text = "too many programs are waiting to run; try again later"});
    });
  }
  loop_.post_or_run(
      [this, id = ++last_id_, request = std::move(request), stop = std::move(stop),
       callback = std::move(callback)]() mutable { begin(id, std::move(request), stop, std::move(callback)); });
}

void ProcessRunner::Parts::begin(std::uint64_t id, ProcessRequest request, const std::stop_token& stop,
                                 Callback callback) {
  if (closed_) {
    --open_;
    return callback({.code = "cancelled", .text = "the bridge is shutting down"});
  }
  Run& run = runs_[id];
  if (request.deadline)
    run.deadline = loop_.at(*request.deadline, [this, id] { end(id, "timeout", "timed out before it could start"); });
  run.request = std::move(request);
  run.callback = std::move(callback);
  waiting_.push_back(id);
  run.on_stop = std::make_unique<std::stop_callback<std::function<void()>>>(
      stop, [this, id] { loop_.post([this, id] { end(id, "cancelled", "cancelled"); }); });
  // Posted after a stop that has come already, so that the program of a stopped request is never started.
  loop_.post([this] { begin_waiting(); });
}

void ProcessRunner::Parts::begin_waiting() {
  while (running_ < max_running_ && !waiting_.empty()) {
    const std::uint64_t id = waiting_.front();
    waiting_.pop_front();
    if (const auto found = runs_.find(id); found != runs_.end()) launch(id, found->second);
  }
}

void ProcessRunner::Parts::launch(std::uint64_t id, Run& run) {
  if (run.deadline) loop_.cancel(*run.deadline);
  run.deadline.reset();
  try {
    run.process = std::make_unique<RunningProcess>(
        loop_, std::move(run.request), [this, id](ProcessEnd&& end) { answer(id, std::move(end)); },
        [this, id] { loop_.post([this, id] { gone(id); }); });
    running_ += 1;
  } catch (const std::exception& error) {
    answer(id, {.code = "unavailable", .text = error.what()});
    runs_.erase(id);
  }
}

void ProcessRunner::Parts::end(std::uint64_t id, const char* code, const char* text) {
  const auto found = runs_.find(id);
  if (found == runs_.end()) return;
  if (found->second.process) return found->second.process->end(code, text);
  if (found->second.deadline) loop_.cancel(*found->second.deadline);
  answer(id, {.code = code, .text = text});
  runs_.erase(id);
}

void ProcessRunner::Parts::answer(std::uint64_t id, ProcessEnd&& end) {
  Run& run = runs_.at(id);
  const Callback callback = std::exchange(run.callback, nullptr);
  run.on_stop.reset();
  --open_;
  if (callback) callback(std::move(end));
}

void ProcessRunner::Parts::gone(std::uint64_t id) {
  if (runs_.erase(id) == 0) return;
  running_ -= 1;
  begin_waiting();
}

void ProcessRunner::Parts::end_all() {
  closed_ = true;
  waiting_.clear();
  for (auto& [id, run] : runs_) {
    if (run.callback) answer(id, {.code = "cancelled", .text = "the bridge is shutting down"});
  }
  for (auto& [id, run] : runs_) {
    if (run.process) run.process->kill();  // all of them first, so that they end in parallel
  }
  runs_.clear();
}

ProcessRunner::ProcessRunner(ProcessRunnerOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}

ProcessRunner::~ProcessRunner() = default;

void ProcessRunner::close() { parts_->close(); }

void ProcessRunner::start(ProcessRequest request, std::stop_token stop, Callback callback) {
  parts_->start(std::move(request), std::move(stop), std::move(callback));
}

ProcessEnd ProcessRunner::run(ProcessRequest request, std::stop_token stop) {
  auto promise = std::make_shared<std::promise<ProcessEnd>>();
  std::future<ProcessEnd> end = promise->get_future();
  start(std::move(request), std::move(stop), [promise](ProcessEnd&& came) { promise->set_value(std::move(came)); });
  return end.get();
}

}  // namespace toolwire::bridge
