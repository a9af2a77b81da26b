#include "protocol/tasks/task.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "json/member_scan.hpp"
#include "log/log.hpp"
#include "protocol/request.hpp"
#include "protocol/tasks/task_text.hpp"
#include "protocol/tasks/tasks.hpp"

namespace toolwire::protocol {
namespace {

constexpr std::size_t max_message = 200;

/// What the first text of an error result says, for the status of the task.
std::string text_of(const JsonObject& result) {
  const Json* content = result.if_contains("content");
  if (content == nullptr || !content->is_array() || content->get_array().empty()) return {};
  const JsonObject* block = content->get_array().front().if_object();
  const Json* text = block != nullptr ? block->if_contains("text") : nullptr;
  if (text == nullptr || !text->is_string()) return {};
  std::string_view words = text->get_string();
  if (words.size() <= max_message) return std::string(words);
  std::size_t end = max_message;
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0u) == 0x80u) --end;
  return std::string(words.substr(0, end)) + "…";
}

/// What a call was answered with.
struct Answer {
  bool is_error = false;     // a JSON-RPC error
  bool tool_error = false;   // a result with isError
  std::string message = {};  // of either
  std::string_view payload;  // the result or error as it was written
};

/// `answer` is a whole message: `{"jsonrpc":"2.0","id":…,"result":…}`, or `"error"`.
Answer taken_apart(std::string_view answer) {
  Answer given;
  for (json::MemberScan member(answer); member.next();) {
    given.is_error = member.name() == "error";
    given.payload = member.value();
  }
  const Json outcome = parse_json(given.payload, {.max_depth = greatest_json_depth});
  const JsonObject& members = outcome.get_object();
  if (given.is_error) {
    given.message = std::string_view(members.at("message").get_string());
  } else if (const Json* is_error = members.if_contains("isError"); is_error != nullptr && *is_error == true) {
    given.tool_error = true;
    given.message = text_of(members);
  }
  return given;
}

}  // namespace

Task::Task(std::shared_ptr<Connection> connection, const Revision& revision, TaskRecord record)
    : connection_(std::move(connection)), revision_(revision), id_(record.id), record_(std::move(record)) {}

TaskRecord Task::record() const {
  const MutexLock lock(mutex_);
  return record_;
}

bool Task::is_unsaved() const {
  const MutexLock lock(mutex_);
  return unsaved_;
}

/// The state that follows on the present one.
TaskState Task::next(TaskStatus status, std::string message, std::string payload) const {
  TaskState state{status, std::move(message), std::move(payload), false, time_now(), record_.state.ttl};
  // A task that outlived its ttl is kept for that time again: otherwise its result would be gone before anyone could
  // read it.
  if (is_over(status) && state.ttl && state.updated - record_.created >= *state.ttl) {
    state.ttl = state.updated - record_.created + *state.ttl;
  }
  return state;
}

/// Under the lock. Returns whether the task is in that state now; not if another process has ended it: then the tool is
/// told to stop.
bool Task::enter(TaskState state) {
  if (is_over(record_.state.status)) return false;
  try {
    TaskStore& store = connection_->service.tasks.store();
    if (!store.change(id_, state)) {
      record_.state.status = TaskStatus::cancelled;
      if (auto kept = store.find(id_, time_now())) record_ = std::move(*kept);
      tell();
      connection_->crew.post([self = shared_from_this()] { self->cancel(); });
      return false;
    }
    unsaved_ = false;
  } catch (const std::exception& error) {
    unsaved_ = true;
    process::log("task " + id_ + " of \"" + record_.tool +
                 "\": its state could not be stored, it is tried again: " + error.what());
    if (begun_) save_later();
  }
  record_.state = std::move(state);
  tell();
  return true;
}

/// The timer keeps the task, so that it can be found while the store does not have its state.
void Task::save_later() {
  if (std::exchange(saving_, true)) return;
  const auto next = runtime::Timers::Clock::now() + connection_->service.tasks.options().poll_interval;
  connection_->crew.at(next, [self = shared_from_this()] { self->save_again(); });
}

void Task::save_again() {
  const MutexLock lock(mutex_);
  saving_ = false;
  if (!unsaved_) return;
  try {
    connection_->service.tasks.store().change(id_, record_.state);
    unsaved_ = false;
    if (is_over(record_.state.status)) connection_->service.tasks.forget(id_);
  } catch (const std::exception&) {  // logged when it was tried first
    save_later();
  }
}

void Task::tell() const {
  const auto poll = connection_->service.tasks.options().poll_interval;
  std::string params;
  if (revision_.modern) {
    append_detailed_task(params, record_, revision_, poll);
    return connection_->service.tell({Topic::task, id_, params});
  }
  if (connection_->notified_revision.load(std::memory_order_acquire) != &revision_) return;
  append_task(params, record_, revision_, poll);
  connection_->newest.append("notifications/tasks/status\n" + id_,
                             R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":{)" + params + "}}");
  connection_->crew.flush_from_outside();
}

/// Enters a final state, if it is not in one, and wakes everyone who waits for it.
void Task::end(TaskState state) {
  std::vector<WhenOver> waiting;
  std::shared_ptr<Request> asked;  // destroyed outside of the lock
  TaskRecord last;
  {
    const MutexLock lock(mutex_);
    enter(std::move(state));
    if (timer_) connection_->crew.forget(*timer_);
    asked = std::move(asking_);
    questions_.close();
    waiting.swap(waiting_);
    last = record_;
    if (!unsaved_) connection_->service.tasks.forget(id_);
  }
  for (const WhenOver& look : waiting) look(last);
}

void Task::add(std::string_view answer) {
  const Answer given = taken_apart(answer);
  MutexLock lock(mutex_);
  TaskState state =
      next(given.is_error ? TaskStatus::failed : TaskStatus::completed, given.message, std::string(given.payload));
  state.tool_error = given.tool_error;
  lock.unlock();
  end(std::move(state));
}

void Task::leave_out() {
  MutexLock lock(mutex_);
  TaskState state = cancelled_by_client_
                        ? next(TaskStatus::cancelled, "The task was cancelled by request.")
                        : next(TaskStatus::failed, "Interrupted: the connection on which it was begun has ended.");
  if (!cancelled_by_client_) state.payload = interruption_text(state.message);
  lock.unlock();
  end(std::move(state));
}

void Task::begins() {
  {
    const MutexLock lock(mutex_);
    begun_ = true;
  }
  if (connection_->service.tasks.store().is_shared()) watch();
}

void Task::watch() {
  const auto next = runtime::Timers::Clock::now() + connection_->service.tasks.options().poll_interval;
  connection_->crew.at(next, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->look_at_store();
  });
}

void Task::look_at_store() {
  try {
    const auto kept = connection_->service.tasks.store().find(id_, time_now());
    if (kept && !is_over(kept->state.status)) return watch();
  } catch (const std::exception&) {  // told when its state is to be stored
    return watch();
  }
  cancel();
}

void Task::ask(std::shared_ptr<Request> request, Questions&& questions) {
  request->pause_deadline();
  const MutexLock lock(mutex_);
  if (is_over(record_.state.status)) return;
  asking_ = std::move(request);
  questions_.open(std::move(questions.list));
  if (questions_.none()) return run_again();
  enter(next(TaskStatus::input_required, {}, questions_.text(revision_)));
  give_up_in_time();
}

void Task::take_answers(const JsonObject& responses) {
  const MutexLock lock(mutex_);
  if (!questions_.take(responses)) return;
  if (questions_.none()) return run_again();
  enter(next(TaskStatus::input_required, {}, questions_.text(revision_)));
}

void Task::run_again() {
  auto request = std::exchange(asking_, nullptr);
  if (timer_) connection_->crew.forget(*timer_);
  timer_.reset();
  JsonObject answers = questions_.take_answers();
  enter(next(TaskStatus::working));
  connection_->crew.post([request = std::move(request), answers = std::move(answers)]() mutable {
    request->run_again(std::move(answers));
  });
}

/// The questions are open as long as the client was told that the task is kept, and no shorter than others; then they
/// count as cancelled.
void Task::give_up_in_time() {
  if (timer_ || !record_.state.ttl) return;
  const auto left =
      std::max(record_.created + *record_.state.ttl - time_now(), connection_->service.options.limits.question_age);
  timer_ = connection_->crew.at(runtime::Timers::Clock::now() + left, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->grow_old();
  });
}

void Task::grow_old() {
  const MutexLock lock(mutex_);
  timer_.reset();
  if (questions_.none()) return;
  questions_.cancel_all();
  run_again();
}

void Task::waits_for_input() {
  const MutexLock lock(mutex_);
  enter(next(TaskStatus::input_required, {}, "{}"));
}

void Task::goes_on() {
  const MutexLock lock(mutex_);
  enter(next(TaskStatus::working));
}

/// Extension tasks has no progress notifications for tasks, only their status.
void Task::report(std::string_view message) {
  const MutexLock lock(mutex_);
  // Reports of a tool that is asking, or is over, are late.
  if (message.empty() || record_.state.status != TaskStatus::working || message == record_.state.message) return;
  switch (reports_.say(message, runtime::Timers::Clock::now())) {
    case PacedReports::Then::take:
      return enter_report();
    case PacedReports::Then::ask_again:
      connection_->crew.at(reports_.next(), [weak = weak_from_this()] {
        if (auto self = weak.lock()) self->report_later();
      });
      return;
    case PacedReports::Then::nothing:
      return;
  }
}

void Task::report_later() {
  const MutexLock lock(mutex_);
  if (reports_.due() && record_.state.status == TaskStatus::working) enter_report();
}

void Task::enter_report() {
  enter(next(TaskStatus::working,
             reports_.take(runtime::Timers::Clock::now(), connection_->service.tasks.options().poll_interval)));
}

bool Task::cancel() {
  auto call = call_.lock();
  if (!call) return false;
  cancelled_by_client_ = true;
  if (!call->cancel()) return false;
  connection_->crew.job_over();
  return true;
}

void Task::when_over(WhenOver look) {
  MutexLock lock(mutex_);
  if (!is_over(record_.state.status)) return waiting_.push_back(std::move(look));
  TaskRecord last = record_;
  lock.unlock();
  look(last);
}

JsonObject Task::related() const { return related_meta(id_); }

std::function<void(double, std::optional<double>, std::string_view)> reporter_of(const Exchange& exchange) {
  if (exchange.task == nullptr || !exchange.revision->modern) return {};
  return [weak = exchange.task->weak_from_this()](double, std::optional<double>, std::string_view message) {
    if (auto task = weak.lock()) task->report(message);
  };
}

}  // namespace toolwire::protocol
