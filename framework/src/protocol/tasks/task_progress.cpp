// What a tool says of its progress, as the status of its task: extension tasks has no progress notifications for them.
// No more often than clients are advised to ask, because every state goes to the store.
#include <utility>

#include "protocol/tasks/task.hpp"
#include "protocol/tasks/tasks.hpp"

namespace toolwire::protocol {

void Task::report(std::string_view message) {
  std::lock_guard lock(mutex_);
  // Reports of a tool that is asking, or is over, are late.
  if (message.empty() || record_.state.status != TaskStatus::working || message == record_.state.message) return;
  reported_ = message;
  if (runtime::Timers::Clock::now() >= next_report_) return enter_report();
  if (std::exchange(reporting_, true)) return;
  connection_->crew.at(next_report_, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->report_later();
  });
}

void Task::report_later() {
  std::lock_guard lock(mutex_);
  reporting_ = false;
  if (record_.state.status == TaskStatus::working && !reported_.empty()) enter_report();
}

/// Under the lock.
void Task::enter_report() {
  next_report_ = runtime::Timers::Clock::now() + connection_->service.tasks.options().poll_interval;
  enter(next(TaskStatus::working, std::exchange(reported_, {})));
}

std::function<void(double, std::optional<double>, std::string_view)> reporter_of(const Exchange& exchange) {
  if (exchange.task == nullptr || !exchange.revision->modern) return {};
  return [weak = exchange.task->weak_from_this()](double, std::optional<double>, std::string_view message) {
    if (auto task = weak.lock()) task->report(message);
  };
}

}  // namespace toolwire::protocol
