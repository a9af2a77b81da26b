// The asking half of a request: questions of a back-end on their way to the user, and answers on their way back.
#include <cstddef>
#include <utility>

#include "activities/mcp/round.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr unsigned max_rounds = 100;               // a server that asks for ever would otherwise keep all sides busy
constexpr std::size_t max_waiting_questions = 16;  // questions of a legacy server that wait for another to be answered

/// An older host that could not answer is reported by the framework as {"action":"cancel"}, whatever was asked.
bool answers(const ServerRequest& question, const Json& answer) {
  if (!answer.is_object()) return false;
  return question.method == "elicitation/create" || !answer.get_object().contains("action");
}

}  // namespace

/// 2026-07-28 basic/patterns/mrtr.
void BackRequest::take_questions(const JsonObject& result) {
  static const JsonObject none;
  const Json* requests = result.if_contains("inputRequests");
  const JsonObject& asked = requests != nullptr && requests->is_object() ? requests->get_object() : none;
  JsonObject next;
  if (const Json* state = result.if_contains("requestState")) next["requestState"] = *state;
  Questions questions;
  std::vector<std::string> keys;
  for (const auto& [key, request] : asked) {
    const JsonObject* question = request.if_object();
    const Json* method = question == nullptr ? nullptr : question->if_contains("method");
    if (method == nullptr || !method->is_string() || !may_ask(method->get_string()))
      return refuse_to_go_on(subject() + " asks what a server may not ask.");
    const Json* params = question->if_contains("params");
    keys.emplace_back(key);
    questions.list.push_back({std::string(key), std::string(std::string_view(method->get_string())),
                              params != nullptr && params->is_object() ? *params : Json(JsonObject{})});
  }
  std::unique_lock lock(mutex_);
  handle_.reset();
  if (over_ || cancelled_) return;
  input_ = std::move(next);
  const bool too_often = sendings_ >= max_rounds;
  lock.unlock();
  if (too_often) return refuse_to_go_on(subject() + " asks without end.");
  if (questions.list.empty()) return line_.send_again(shared_from_this());  // it only wants to be called again
  const auto prefix = line_.open_question(shared_from_this());
  if (!prefix) return end(Trouble{"busy", "Too many questions of back-ends are open; try again later.", true});
  lock.lock();
  asked_keys_ = std::move(keys);
  ask(*prefix, std::move(questions), lock);
}

/// Ends the round with questions, whose keys lead back to this request.
void BackRequest::ask(const std::string& prefix, Questions&& questions, std::unique_lock<std::mutex>& lock) {
  const auto round = std::exchange(round_, nullptr);
  asked_round_ = round;
  lock.unlock();
  if (!round) return line_.close_question(prefix);  // the host cancelled meanwhile
  for (Question& question : questions.list) question.key.insert(0, prefix);
  const std::lock_guard telling(round->telling);
  round->ended = true;
  round->caller->ask(std::move(questions));
}

bool BackRequest::carry(ServerRequest& question, bool later) {
  {
    const std::lock_guard lock(mutex_);
    if (over_ || cancelled_ || kept_.index() != 0) return false;
    if (!round_ || asked_) {
      if (!later || carried_.size() >= max_waiting_questions) return false;
      carried_.push_back(std::move(question));
      return true;
    }
  }
  ask_carried(std::move(question));
  return true;
}

/// True also if the round has ended meanwhile: then nobody is asked, and the question is refused for that.
bool BackRequest::host_can(const Questions& questions) {
  const std::shared_ptr<Round> round = current_round();
  if (!round) return true;
  const std::lock_guard telling(round->telling);
  return round->ended || round->caller->context().can_ask(questions);
}

void BackRequest::ask_carried(ServerRequest&& question) {
  Questions questions{{{"0", question.method, question.params}}};
  if (!host_can(questions))
    return question.refuse(error_code::method_not_found, "the client has not declared that it can answer this");
  const auto prefix = line_.open_question(shared_from_this());
  if (!prefix) return question.refuse(error_code::internal_error, "too many questions to the user are open");
  std::unique_lock lock(mutex_);
  if (asked_) {  // another came first: this one is asked once that is answered
    carried_.push_back(std::move(question));
    return line_.close_question(*prefix);
  }
  if (!round_) {  // the call has ended meanwhile
    lock.unlock();
    line_.close_question(*prefix);
    return line_.carry(std::move(question));
  }
  asked_.emplace(std::move(question));
  ask(*prefix, std::move(questions), lock);
}

void BackRequest::resume(std::unique_ptr<Caller> caller, const std::string& prefix, const JsonObject& answers) {
  begin_round(std::move(caller));
  std::unique_lock lock(mutex_);
  if (over_) {
    over_ = false;
    kept_ = Trouble{"question_lost", "The question was answered too late: its call was given up. Call again.", true};
  }
  const bool carried = asked_.has_value();  // another call's, perhaps: answered even if this one has its result
  if (carried) {
    lock.unlock();
    answer_carried(answers, prefix + "0");
    lock.lock();
  }
  if (kept_.index() != 0) {
    Ending ending = std::exchange(kept_, {});
    lock.unlock();
    return end(std::move(ending));
  }
  if (carried) return;
  JsonObject responses;
  for (const std::string& key : asked_keys_) {
    if (const Json* answer = answers.if_contains(prefix + key)) responses[key] = *answer;
  }
  input_["inputResponses"] = std::move(responses);
  lock.unlock();
  line_.send_again(shared_from_this());
}

void BackRequest::answer_carried(const JsonObject& given, const std::string& key) {
  std::optional<ServerRequest> asked;
  std::optional<ServerRequest> next;
  {
    const std::lock_guard lock(mutex_);
    asked.swap(asked_);
    if (!carried_.empty()) {
      next.emplace(std::move(carried_.front()));
      carried_.erase(carried_.begin());
    }
  }
  const Json* answer = given.if_contains(key);
  if (answer != nullptr && answers(*asked, *answer)) {
    asked->answer(*answer);
  } else {
    asked->refuse(error_code::internal_error, "the user gave no answer");
  }
  if (next) ask_carried(std::move(*next));
}

}  // namespace toolwire::bridge::mcp
