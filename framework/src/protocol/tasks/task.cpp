#include "protocol/tasks/task.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "json/member_scan.hpp"
#include "log/log.hpp"
#include "protocol/request.hpp"
#include "protocol/tasks/task_text.hpp"
#include "protocol/tasks/tasks.hpp"
#include "system/later.hpp"
#include "toolwire/detail/task_work.hpp"
#include "toolwire/detail/what_of.hpp"

namespace toolwire::protocol {
namespace {

constexpr std::size_t max_message = 200;

/// The first text of an error result, for the status of the task.
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

/// The present state with a new status.
TaskState Task::next(TaskStatus status, std::string message, std::string payload) const {
  TaskState state{status, std::move(message), std::move(payload), false, time_now(), record_.state.ttl};
  // A task that outlived its ttl is kept for that time again: otherwise its result would be gone before anyone could
  // read it.
  if (is_over(status) && state.ttl && state.updated - record_.created >= *state.ttl) {
    state.ttl = state.updated - record_.created + *state.ttl;
  }
  return state;
}

/// Enters a state, unless it is in a final one, and has it stored; subscribers are told when the store has answered.
void Task::enter(TaskState state) {
  if (is_over(record_.state.status)) return;
  record_.state = std::move(state);
  unsaved_ = true;
  told_ = false;
  if (!storing_) return begin_storing();
  outrun_ = true;
}

void Task::begin_storing() {
  storing_ = true;
  outrun_ = false;
  store_state();
}

/// Continues as long as the store answers at once; runs again when it answers later.
void Task::store_state() {
  TaskStore& store = connection_->service.tasks.store();
  if (!refused_) {
    const TaskState& state = record_.state;
    const auto changed = asked<bool>([&](Done<bool> done) { store.change(id_, state, std::move(done)); });
    if (!changed) return;
    if (const auto* why = std::get_if<std::exception_ptr>(&*changed)) return not_stored(*why);
    if (std::get<bool>(*changed)) return stored();
    refused_ = true;
  }
  auto kept = asked<std::optional<TaskRecord>>([&](auto done) { store.find(id_, time_now(), std::move(done)); });
  if (!kept) return;
  refused_ = false;
  if (const auto* why = std::get_if<std::exception_ptr>(&*kept)) return not_stored(*why);
  ended_elsewhere(std::get<0>(std::move(*kept)));
}

void Task::stored() {
  storing_ = false;
  if (outrun_) return begin_storing();
  unsaved_ = false;
  if (!std::exchange(told_, true)) tell();
}

void Task::not_stored(const std::exception_ptr& why) {
  storing_ = false;
  if (outrun_) return begin_storing();
  if (begun_) save_later();
  if (std::exchange(told_, true)) return;  // a retry: the failure was logged at the first attempt
  process::log(LogLevel::error, "task " + id_ + " of \"" + record_.tool +
                                    "\": its state could not be stored, it is tried again: " + detail::what_of(why));
  tell();
}

/// Another process has ended the task in the store, or the store has lost it: the call behind it is told to stop.
void Task::ended_elsewhere(std::optional<TaskRecord> kept) {
  storing_ = false;
  unsaved_ = false;
  record_.state.status = TaskStatus::cancelled;
  if (kept) {
    record_ = std::move(*kept);
  } else {
    process::log(LogLevel::error, "task " + id_ + " of \"" + record_.tool +
                                      "\" is not in the task store any more, as if that had been emptied: its call is "
                                      "stopped, and what it has come to is lost");
  }
  tell();
  connection_->channel->post([self = shared_from_this()] { self->cancel(); });
}

void Task::answered_later() {
  connection_->channel->post([self = shared_from_this()] { self->go_on_storing(); });
}

void Task::go_on_storing() {
  Ending ending;
  {
    const MutexLock lock(mutex_);
    store_state();
    ending = take_ending();
  }
  ending.tell();
}

/// Empty until the task is over and the store has its last state, or fails.
Task::Ending Task::take_ending() {
  if (!is_over(record_.state.status) || storing_) return {};
  if (!unsaved_) connection_->service.tasks.forget(id_);
  if (waiting_.empty()) return {};
  return {std::exchange(waiting_, {}), record_};
}

void Task::Ending::tell() const {
  for (const WhenOver& look : waiting) look(last);
}

/// The timer keeps the task, so that it can be found while the store does not have its state.
void Task::save_later() {
  if (std::exchange(saving_, true)) return;
  const auto next = engine::Timers::Clock::now() + connection_->service.tasks.options().poll_interval;
  connection_->channel->at(next, [self = shared_from_this()] { self->save_again(); });
}

void Task::save_again() {
  Ending ending;
  {
    const MutexLock lock(mutex_);
    saving_ = false;
    if (!unsaved_ || storing_) return;
    begin_storing();
    ending = take_ending();
  }
  ending.tell();
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
  connection_->channel->flush_from_outside();
}

/// Enters a final state, unless it is in one, and wakes everyone who waits for it.
void Task::end(TaskState state) {
  Ending ending;
  std::shared_ptr<Request> asked;  // destroyed outside of the lock
  {
    const MutexLock lock(mutex_);
    enter(std::move(state));
    if (timer_) connection_->channel->forget(*timer_);
    asked = std::move(asking_);
    questions_.close();
    ending = take_ending();
  }
  detail::TaskWork* const work = detail::task_work_of(connection_->service.tasks.store());
  if (work != nullptr && work->is_kept(id_)) work->stop(id_);
  ending.tell();
}

void Task::add(std::string_view answer) {
  Tasks& tasks = connection_->service.tasks;
  detail::TaskWork* const work = detail::task_work_of(tasks.store());
  if (work != nullptr && work->is_left(id_)) return tasks.forget(id_);
  const Answer given = taken_apart(answer);
  MutexLock lock(mutex_);
  TaskState state =
      next(given.is_error ? TaskStatus::failed : TaskStatus::completed, given.message, std::string(given.payload));
  state.tool_error = given.tool_error;
  lock.unlock();
  end(std::move(state));
}

/// Work that goes on elsewhere does so without this process, and whoever asks later ends the task.
void Task::leave_out() {
  Tasks& tasks = connection_->service.tasks;
  detail::TaskWork* const work = detail::task_work_of(tasks.store());
  if (!cancelled_by_client_ && work != nullptr && work->is_kept(id_)) return tasks.forget(id_);
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
  const auto next = engine::Timers::Clock::now() + connection_->service.tasks.options().poll_interval;
  connection_->channel->at(next, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->look_at_store();
  });
}

void Task::look_at_store() {
  connection_->service.tasks.store().find(id_, time_now(),
                                          Done<std::optional<TaskRecord>>::to<&Task::looked>(shared_from_this()));
}

void Task::looked(Kept&& kept) {
  if (!take_what_was_done(kept)) connection_->channel->post([self = shared_from_this()] { self->watch(); });
}

/// Somebody has said that there is something to see; when to look next stays as it is.
void Task::look_now() {
  connection_->channel->post([self = shared_from_this()] {
    self->connection_->service.tasks.store().find(self->id_, time_now(),
                                                  Done<std::optional<TaskRecord>>::to<&Task::looked_in_between>(self));
  });
}

void Task::looked_in_between(Kept&& kept) { take_what_was_done(kept); }

/// Returns true if the task has ended. A failure of the store is reported when the task's state is to be stored.
bool Task::take_what_was_done(const Kept& kept) {
  const auto* task = std::get_if<std::optional<TaskRecord>>(&kept);
  const bool ended = task != nullptr && (!*task || is_over((*task)->state.status));
  if (ended) {
    connection_->channel->post([self = shared_from_this()] { self->cancel(); });
  } else {
    look_for_answers();
  }
  return ended;
}

/// Those that clients have given in other processes. What fails is asked for again at the next look.
void Task::look_for_answers() {
  std::size_t after = 0;
  {
    const MutexLock lock(mutex_);
    if (questions_.none()) return;
    after = answers_taken_;
  }
  connection_->service.tasks.store().answers(
      id_, after,
      Done<std::vector<std::string>>(
          [self = shared_from_this(), after](Done<std::vector<std::string>>::Result&& added) {
            auto* const answers = std::get_if<std::vector<std::string>>(&added);
            if (answers == nullptr || answers->empty()) return;
            self->connection_->channel->post(
                [self, after, answers = std::move(*answers)] { self->answered_elsewhere(after, answers); });
          }));
}

/// Two looks may bring the same, if the store is slow.
void Task::answered_elsewhere(std::size_t after, const std::vector<std::string>& answers) {
  for (const std::string& answer : answers) {
    {
      const MutexLock lock(mutex_);
      if (after++ < answers_taken_) continue;
      ++answers_taken_;
    }
    const Json responses = parse_json(answer);
    if (const JsonObject* const object = responses.if_object()) take_answers(*object);
  }
}

void Task::ask(std::shared_ptr<Request> request, Questions&& questions) {
  request->pause_clock();
  when_withdrawn_.reset();  // that of the round before
  MutexLock lock(mutex_);
  if (is_over(record_.state.status)) return;
  asking_ = std::move(request);
  questions_.open(std::move(questions.list));
  if (questions_.none()) return run_again();
  enter(next(TaskStatus::input_required, {}, questions_.text(revision_)));
  give_up_in_time();
  lock.unlock();  // it may be withdrawn already
  when_withdrawn_.emplace(questions.withdrawn, Withdrawal{weak_from_this()});
}

void Task::Withdrawal::operator()() const {
  if (auto self = task.lock()) self->go_on_without_answers();
}

void Task::take_answers(const JsonObject& responses) {
  const MutexLock lock(mutex_);
  if (!questions_.take(responses)) return;
  if (questions_.none()) return run_again();
  enter(next(TaskStatus::input_required, {}, questions_.text(revision_)));
}

void Task::run_again() {
  auto request = std::exchange(asking_, nullptr);
  if (timer_) connection_->channel->forget(*timer_);
  timer_.reset();
  JsonObject answers = questions_.take_answers();
  enter(next(TaskStatus::working));
  connection_->channel->post([request = std::move(request), answers = std::move(answers)]() mutable {
    request->run_again(std::move(answers));
  });
}

/// Questions stay open for the time to live of the task, and at least as long as questions of other calls; then they
/// count as cancelled.
void Task::give_up_in_time() {
  if (timer_ || !record_.state.ttl) return;
  const auto left = left_for_questions(*record_.state.ttl, record_.created, time_now(),
                                       connection_->service.options.limits.question_age);
  timer_ = connection_->channel->at(system::later<engine::Timers::Clock>(left), [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->go_on_without_answers();
  });
}

void Task::go_on_without_answers() {
  const MutexLock lock(mutex_);
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
  // While the tool's questions are open, or the task is over, a report is out of date.
  if (message.empty() || record_.state.status != TaskStatus::working || message == record_.state.message) return;
  switch (reports_.say(message, engine::Timers::Clock::now())) {
    case PacedReports::Then::take:
      return enter_report();
    case PacedReports::Then::ask_again:
      connection_->channel->at(reports_.next(), [weak = weak_from_this()] {
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
             reports_.take(engine::Timers::Clock::now(), connection_->service.tasks.options().poll_interval)));
}

bool Task::cancel() {
  auto call = call_.lock();
  if (!call) return false;
  cancelled_by_client_ = true;
  if (!call->cancel()) return false;
  connection_->channel->job_over();
  return true;
}

void Task::when_over(WhenOver look) {
  {
    const MutexLock lock(mutex_);
    if (!is_over(record_.state.status)) return waiting_.push_back(std::move(look));
  }
  when_certain(std::move(look));
}

void Task::when_certain(WhenOver look) {
  MutexLock lock(mutex_);
  if (is_over(record_.state.status) && storing_) return waiting_.push_back(std::move(look));
  const TaskRecord now = record_;
  lock.unlock();
  look(now);
}

JsonObject Task::related() const { return related_meta(id_); }

std::function<void(double, std::optional<double>, std::string_view)> reporter_of(const Exchange& exchange) {
  if (exchange.task == nullptr || !exchange.revision->modern) return {};
  return [weak = exchange.task->weak_from_this()](double, std::optional<double>, std::string_view message) {
    if (auto task = weak.lock()) task->report(message);
  };
}

}  // namespace toolwire::protocol
