#include "client/task_following.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <toolwire/json_members.hpp>

#include "client/incoming.hpp"
#include "client/later_request.hpp"
#include "client/server_requests.hpp"

namespace toolwire::client {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds usual_interval{1'000};
constexpr milliseconds shortest_interval{10};
constexpr milliseconds max_interval{60'000};
constexpr std::size_t max_questions = 1'000;  // a server that never stops asking would otherwise keep both sides busy

milliseconds interval_in(const Json& task) {
  const Json* wish = find_member(task, "pollIntervalMs");
  if (wish == nullptr || !wish->is_number()) return usual_interval;
  const auto bounded = std::clamp(wish->to_number<double>(), static_cast<double>(shortest_interval.count()),
                                  static_cast<double>(max_interval.count()));
  return milliseconds(static_cast<std::int64_t>(bounded));
}

Failure failure_of(const std::exception_ptr& why) {
  try {
    std::rethrow_exception(why);
  } catch (const ProtocolError& error) {
    return {.kind = Failure::Kind::refused, .text = error.what(), .code = error.code, .data = error.data};
  } catch (const std::exception& error) {
    return {.kind = Failure::Kind::lost, .text = error.what()};
  }
}

bool is_only_late(const std::exception_ptr& why) {
  try {
    std::rethrow_exception(why);
  } catch (const TimeoutError&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

std::optional<TaskHandle> task_in(const Dialect& dialect, const Json& result) {
  if (dialect.modern()) {
    if (text_or(result, "resultType") != "task") return std::nullopt;
    return TaskHandle{text_or(result, "taskId"), interval_in(result)};
  }
  const Json* task = find_member(result, "task");
  if (task == nullptr || find_member(result, "content") != nullptr) return std::nullopt;
  return TaskHandle{text_or(*task, "taskId"), usual_interval};
}

TaskFollowing::TaskFollowing(std::shared_ptr<Connection> connection, TaskHandle task,
                             std::function<void(Pending::Outcome&&)> done)
    : connection_{std::move(connection)}, task_{std::move(task)}, done_{std::move(done)} {}

void TaskFollowing::start() { connection_->dialect().modern() ? look_later() : await_result(); }

void TaskFollowing::cancel() {
  {
    const MutexLock lock(mutex_);
    if (!std::exchange(done_, nullptr)) return;
  }
  try {
    std::make_shared<LaterRequest>(connection_, "tasks/cancel", [](RequestOutcome&&) {
    })->start({{"taskId", task_.id}}, {});
  } catch (const ConnectionError&) {  // there is no one to notify
  }
}

void TaskFollowing::look_later() {
  connection_->deadlines().at(Clock::now() + task_.poll_interval, [self = shared_from_this()] { self->look(); });
}

void TaskFollowing::look() {
  {
    const MutexLock lock(mutex_);
    if (!done_) return;
  }
  try {
    std::make_shared<LaterRequest>(connection_, "tasks/get", [self = shared_from_this()](RequestOutcome&& outcome) {
      self->take(std::move(outcome));
    })->start({{"taskId", task_.id}}, {});
  } catch (const CongestedError&) {
    look_later();
  } catch (const ConnectionError& error) {
    finish(Failure{.kind = Failure::Kind::lost, .text = error.what()});
  }
}

/// 2025-11-25: the answer to tasks/result comes when the task is over, and is that of the call.
void TaskFollowing::await_result() {
  const auto done = [self = shared_from_this()](RequestOutcome&& outcome) {
    if (const auto* why = std::get_if<std::exception_ptr>(&outcome)) return self->finish(failure_of(*why));
    self->finish(std::move(std::get<Json>(outcome)));
  };
  try {
    std::make_shared<LaterRequest>(connection_, "tasks/result", done)
        ->start({{"taskId", task_.id}}, {.timeout = milliseconds::max()});
  } catch (const ConnectionError& error) {
    finish(Failure{.kind = Failure::Kind::lost, .text = error.what()});
  }
}

void TaskFollowing::take(RequestOutcome&& outcome) {
  if (const auto* task = std::get_if<Json>(&outcome)) return take_state(*task);
  const auto& why = std::get<std::exception_ptr>(outcome);
  is_only_late(why) ? look_later() : finish(failure_of(why));
}

void TaskFollowing::take_state(const Json& task) {
  const std::string status = text_or(task, "status");
  task_.poll_interval = interval_in(task);
  if (status == "completed") {
    const Json* result = find_member(task, "result");
    return finish(result == nullptr ? Json(JsonObject{}) : *result);
  }
  if (status == "failed") {
    const Json* error = find_member(task, "error");
    return finish(error != nullptr ? refusal(*error)
                                   : Failure{.kind = Failure::Kind::refused,
                                             .text = "the task failed at the server, which does not say why",
                                             .code = error_code::internal_error});
  }
  if (status == "cancelled")
    return finish(Failure{.kind = Failure::Kind::cancelled, .text = "the task was cancelled at the server"});
  if (status == "input_required") ask_what_is_new(task);
  look_later();  // also while the user is asked: it may go on without the answers
}

/// Questions stay in the task until the server has seen the answers: those that were asked are not asked again.
void TaskFollowing::ask_what_is_new(const Json& task) {
  const Json* const questions = find_member(task, "inputRequests");
  if (questions == nullptr || !questions->is_object()) return;
  JsonObject fresh;
  for (const auto& [key, question] : questions->get_object()) {
    if (asked_.insert(std::string{key}).second) fresh[key] = question;
  }
  if (asked_.size() > max_questions)
    return refuse_to_answer("it is one of more than " + std::to_string(max_questions), error_code::internal_error);
  if (!fresh.empty()) connection_->ask([self = shared_from_this(), asked = std::move(fresh)] { self->answer(asked); });
}

void TaskFollowing::answer(const JsonObject& questions) {
  try {
    JsonObject answers = answer_all(connection_->options(), Json(questions));
    {
      const MutexLock lock(mutex_);
      if (!done_) return;  // it has ended meanwhile
    }
    connection_->send("tasks/update", {{"taskId", task_.id}, {"inputResponses", std::move(answers)}},
                      deadline_after(connection_->options().timeout));
  } catch (const ProtocolError& error) {
    refuse_to_answer(error.what(), error.code);
  } catch (const std::exception& error) {
    finish(Failure{.kind = Failure::Kind::lost, .text = error.what()});
  }
}

void TaskFollowing::refuse_to_answer(const std::string& why, int code) {
  finish(Failure{
      .kind = Failure::Kind::refused, .text = "the server's question cannot be answered: " + why, .code = code});
}

void TaskFollowing::finish(Pending::Outcome outcome) {
  std::function<void(Pending::Outcome &&)> done;
  {
    const MutexLock lock(mutex_);
    done = std::exchange(done_, nullptr);
  }
  if (done) done(std::move(outcome));
}

}  // namespace toolwire::client
