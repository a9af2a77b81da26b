// Questions of a task to its client: open in the task until tasks/update answers them (extension tasks, update
// requests), or sent as requests of our own (2025-11-25), where the task only shows that it waits.
#include <algorithm>
#include <utility>

#include "json/writer.hpp"
#include "protocol/input_requests/question_params.hpp"
#include "protocol/tasks/task.hpp"
#include "protocol/tasks/tasks.hpp"

namespace toolwire::protocol {

/// A key that was used before must not be used again for another question, so a tool that asks again gets a new one.
std::string Task::wire_key(const std::string& key) {
  std::string fresh = key;
  for (int again = 2; !used_keys_.insert(fresh).second; ++again) fresh = key + "-" + std::to_string(again);
  return fresh;
}

std::string Task::open_questions_text() const {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const auto& [key, open] : open_) {
    writer.key(key).begin_object();
    writer.key("method").string(open.question.method);
    if (Json params = params_for(revision_, open.question); !params.is_null()) writer.key("params").value(params);
    writer.end_object();
  }
  writer.end_object();
  return text;
}

void Task::ask(std::shared_ptr<AskedRequest> request, Questions&& questions) {
  request->pause_deadline();
  Lock lock(mutex_);
  if (is_over(record_.state.status)) return;
  asking_ = std::move(request);
  answers_.clear();
  for (Question& question : questions.list) {
    std::string key = wire_key(question.key);
    open_.emplace(std::move(key), Open{question.key, std::move(question)});
  }
  if (open_.empty()) return run_again(lock);
  enter(next(TaskStatus::input_required, {}, open_questions_text()));
  give_up_in_time();
}

void Task::take_answers(const JsonObject& responses) {
  Lock lock(mutex_);
  const std::size_t before = open_.size();
  for (const auto& [key, response] : responses) {
    auto found = open_.find(std::string(key));
    if (found == open_.end()) continue;
    answers_[found->second.key] = response;
    open_.erase(found);
  }
  if (open_.size() == before) return;
  if (open_.empty()) return run_again(lock);
  enter(next(TaskStatus::input_required, {}, open_questions_text()));
}

void Task::run_again(Lock& lock) {
  auto request = std::exchange(asking_, nullptr);
  if (timer_) connection_->crew.forget(*timer_);
  timer_.reset();
  JsonObject answers = std::move(answers_);
  answers_ = JsonObject{};
  enter(next(TaskStatus::working));
  lock.unlock();
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
  Lock lock(mutex_);
  timer_.reset();
  if (open_.empty()) return;
  for (const auto& [key, open] : open_) answers_[open.key] = JsonObject{{"action", "cancel"}};
  open_.clear();
  run_again(lock);
}

void Task::waits_for_input() {
  Lock lock(mutex_);
  enter(next(TaskStatus::input_required, {}, "{}"));
}

void Task::goes_on() {
  Lock lock(mutex_);
  enter(next(TaskStatus::working));
}

}  // namespace toolwire::protocol
