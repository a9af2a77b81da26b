#include "activities/mcp/back_request.hpp"

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <toolwire/json_members.hpp>
#include <toolwire/redact.hpp>
#include <toolwire/text.hpp>
#include <utility>

#include "activities/mcp/input_required.hpp"
#include "activities/mcp/own_thread.hpp"
#include "activities/mcp/round.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr unsigned max_sessions = 3;  // of a remote server, one after the other, that a request is begun in
constexpr unsigned max_rounds = 100;  // otherwise a server that never stops asking would keep all sides busy
constexpr std::size_t max_waiting_questions = 16;  // questions of a legacy server that wait for another to be answered

constexpr std::string_view client_capabilities = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view log_level_key = "io.modelcontextprotocol/logLevel";

std::optional<LogLevel> least_wanted(const Context& context) {
  if (!context.wants_log(static_cast<LogLevel>(log_level_names.size() - 1))) return std::nullopt;
  for (std::size_t i = 0; i < log_level_names.size(); ++i) {
    if (context.wants_log(static_cast<LogLevel>(i))) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

JsonObject joined(JsonObject members, const JsonObject& more) {
  for (const auto& [key, value] : more) members[key] = value;
  return members;
}

bool is_complete(const Json* type) {
  return type == nullptr || (type->is_string() && std::string_view(type->get_string()) == "complete");
}

}  // namespace

void BackRequest::Cancel::operator()() const {
  if (const auto self = request.lock()) self->cancel("the host cancelled the call");
}

BackRequest::BackRequest(BackLine& line, std::string method, JsonObject params, std::unique_ptr<Caller> caller)
    : line_(line),
      method_(std::move(method)),
      params_(std::move(params)),
      tool_(tool_in(method_, params_)),
      peer_(caller->context().peer_process()),
      first_(std::move(caller)) {
  auto input = next_input(first_->context().answers());
  if (!input) return;
  rounds_ = input->round;
  input_ = std::move(input->members);
}

void BackRequest::begin() { begin_round(std::move(first_)); }

void BackRequest::begin_round(std::unique_ptr<Caller> caller) {
  Context& context = caller->context();
  const std::stop_token stop = context.stop_token();
  auto round = std::make_shared<Round>();
  round->caller = std::move(caller);
  std::shared_ptr<Round> before;
  {
    const MutexLock lock(mutex_);
    meta_ = line_.meta_for(context);
    wants_progress_ = context.wants_progress();
    log_level_ = least_wanted(context);
    before = std::exchange(asked_round_, nullptr);
    round_ = round;
  }
  round->when_cancelled.emplace(stop, Cancel{weak_from_this()});
}

std::optional<BackRequest::Sending> BackRequest::begin_sending() {
  const MutexLock lock(mutex_);
  if (over_ || cancelled_) return std::nullopt;
  Sending sending{.number = ++sendings_};
  sending.options.timeout = std::chrono::milliseconds::max();
  if (!meta_.empty()) sending.options.meta = meta_;
  if (log_level_) sending.options.meta[log_level_key] = name_of(*log_level_);
  if (wants_progress_ || log_level_) {  // progress and log messages have to come before the result
    sending.options.on_progress = [weak = weak_from_this()](const ProgressReport& progress) {
      if (const auto self = weak.lock()) self->report(progress);
    };
  }
  if (!input_.empty()) sending.with_input = joined(params_, input_);
  return sending;
}

bool BackRequest::send(Client& client) {
  const ServerDescription& server = client.server();
  auto sending = begin_sending();
  if (!sending) return true;
  CallOptions& options = sending->options;
  if (!server.modern) {
    options.meta.erase(client_capabilities);
    options.meta.erase(log_level_key);
  }
  auto span = line_.begin_span(method_, params_, options.meta, server.revision);
  if (span) options.trace = span->context();
  try {
    auto handle = client.start_request(method_, sending->with_input ? *sending->with_input : params_,
                                       std::move(options), [self = shared_from_this(), span](RequestOutcome&& got) {
                                         if (span) self->end_span(*span, got);
                                         self->take(std::move(got));
                                       });
    MutexLock lock(mutex_);
    if (sendings_ != sending->number || over_) return true;
    handle_ = handle;
    if (!cancelled_) return true;
    lock.unlock();
    handle.cancel("the host cancelled the call");
  } catch (const CongestedError& error) {
    if (span) span->end({.error_type = "busy"});
    end(Trouble{"busy", subject() + " is busy: " + error.what(), true});
  } catch (const ConnectionError&) {
    if (span) span->end({.error_type = "unavailable"});
    return false;
  } catch (const std::exception& error) {
    refuse_to_go_on(subject() + " cannot be called: " + error.what());
  }
  return true;
}

void BackRequest::end_span(traces::OpenSpan& span, const RequestOutcome& outcome) const {
  if (const auto* error = std::get_if<std::exception_ptr>(&outcome)) {
    const Trouble trouble = trouble_from(*error, line_.name());
    if (trouble.refused_with == 0) return span.end({.error_type = trouble.code});
    return span.end({.error_type = std::to_string(trouble.refused_with), .rpc_code = trouble.refused_with});
  }
  const bool is_error = bool_member(std::get<Json>(outcome), "isError").value_or(false);
  span.end({.error_type = is_error ? "tool_error" : ""});
}

void BackRequest::cancel(const std::string& reason) {
  std::optional<RequestHandle> handle;
  {
    const MutexLock lock(mutex_);
    cancelled_ = true;
    handle = handle_;
  }
  if (handle) handle->cancel(reason);
  end(Trouble{"cancelled", "The call was cancelled.", false});
}

void BackRequest::abandon(const std::string& reason) {
  cancel(reason);
  std::optional<ServerRequest> asked;  // refused when it is dropped, without the lock
  std::shared_ptr<Round> round;
  const MutexLock lock(mutex_);
  over_ = true;
  asked.swap(asked_);
  round.swap(asked_round_);
}

void BackRequest::take(RequestOutcome&& outcome) {
  const OnBackEndThread here;
  if (const auto* error = std::get_if<std::exception_ptr>(&outcome)) {
    if (line_.is_remote() && was_of_a_lost_session(*error) && may_be_sent_again())
      return line_.send_after_restart(shared_from_this());
    Trouble trouble = trouble_from(*error, line_.name());
    if (!host_declares_for_itself()) trouble.required_capabilities.reset();
    trouble.text = without(std::move(trouble.text), *line_.secrets());
    return end(std::move(trouble));
  }
  Json& result = std::get<Json>(outcome);
  const JsonObject* members = result.if_object();
  if (members == nullptr) return end_unknown(subject() + " sent a result that is no object.");
  const Json* type = members->if_contains("resultType");
  if (is_complete(type)) {
    take_out(result, *line_.secrets());
    return end(Json(std::move(result)));
  }
  if (*type == "input_required") return take_questions(*members);
  end_unknown(subject() + " sent a result of an unknown type.");
}

/// A host of a revision with a handshake does not: then the back-end has judged what the bridge declares.
bool BackRequest::host_declares_for_itself() {
  const MutexLock lock(mutex_);
  return meta_.contains(client_capabilities);
}

bool BackRequest::may_be_sent_again() {
  const MutexLock lock(mutex_);
  handle_.reset();
  return !over_ && !cancelled_ && sendings_ < max_sessions;
}

void BackRequest::end(Ending&& ending) {
  const auto* trouble = std::get_if<Trouble>(&ending);
  const bool cancelled = trouble != nullptr && trouble->code == "cancelled";
  std::shared_ptr<Round> round;
  std::vector<ServerRequest> carried;          // perhaps of other calls: they are assigned to another call, or refused
  std::optional<std::stop_source> withdrawal;  // of a question that is open
  {
    const MutexLock lock(mutex_);
    if (over_) return;
    handle_.reset();
    carried.swap(carried_);
    over_ = round_ != nullptr;
    round.swap(round_);
    if (!round && kept_.index() == 0) kept_ = std::move(ending);
    if (!round) withdrawal = withdrawal_;
  }
  if (withdrawal) withdrawal->request_stop();
  for (ServerRequest& question : carried) line_.carry(std::move(question));
  if (cancelled || !round) return;
  const MutexLock lock(round->telling);
  if (std::exchange(round->ended, true)) return;
  if (trouble != nullptr) return round->caller->fail(*trouble);
  round->caller->succeed(std::move(std::get<Json>(ending)));
}

bool BackRequest::log(LogLevel level, const Json& data, std::string_view logger) {
  const OnBackEndThread here;
  const std::shared_ptr<Round> round = current_round();
  if (!round) return false;
  const MutexLock lock(round->telling);
  if (round->ended || !round->caller->context().wants_log(level)) return false;
  round->caller->context().log(level, data, logger);
  return true;
}

void BackRequest::report(const ProgressReport& progress) {
  const OnBackEndThread here;
  const std::shared_ptr<Round> round = current_round();
  if (!round) return;
  const MutexLock lock(round->telling);
  if (round->ended) return;
  const std::string message = redact(text::stripped(progress.message, text::lines), *line_.secrets());
  round->caller->context().progress(progress.progress, progress.total, message);
}

void BackRequest::take_questions(const JsonObject& result) {
  auto required = input_required_from(result);
  if (!required) return refuse_to_go_on(subject() + " asks what a server may not ask.");
  for (Question& question : required->questions.list) make_fit_to_show(question, *line_.secrets());
  MutexLock lock(mutex_);
  handle_.reset();
  if (over_ || cancelled_) return;
  const unsigned round = rounds_ + sendings_;
  add_to_keys(required->questions, round, required->next);
  input_ = std::move(required->next);
  lock.unlock();
  if (round >= max_rounds) return refuse_to_go_on(subject() + " asks without end.");
  if (required->questions.list.empty()) return line_.send_again(shared_from_this());
  end_with(std::move(required->questions));
}

void BackRequest::end_with(Questions&& questions) {
  std::shared_ptr<Round> round;
  {
    const MutexLock lock(mutex_);
    if (over_) return;
    over_ = true;
    round.swap(round_);
  }
  if (!round) return;
  const MutexLock telling(round->telling);
  if (!std::exchange(round->ended, true)) round->caller->ask(std::move(questions));
}

/// Ends the round with questions, whose keys lead back to this request.
void BackRequest::ask(const std::string& prefix, Questions&& questions) {
  const auto round = std::exchange(round_, nullptr);
  asked_round_ = round;
  withdrawal_ = std::stop_source();
  questions.withdrawn = withdrawal_.get_token();
  const MutexUnlock unlocked(mutex_);
  if (!round) return line_.close_question(prefix);  // the host cancelled meanwhile
  for (Question& question : questions.list) question.key.insert(0, prefix);
  const MutexLock telling(round->telling);
  round->ended = true;
  round->caller->ask(std::move(questions));
}

bool BackRequest::carry(ServerRequest& question, bool later) {
  {
    const MutexLock lock(mutex_);
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
  const MutexLock telling(round->telling);
  return round->ended || round->caller->context().can_ask(questions);
}

void BackRequest::ask_carried(ServerRequest&& question) {
  Questions questions{{{"0", question.method, question.params}}};
  make_fit_to_show(questions.list.front(), *line_.secrets());
  if (!host_can(questions))
    return question.refuse(error_code::method_not_found, "the client has not declared that it can answer this");
  const auto prefix = line_.open_question(shared_from_this());
  if (!prefix) return question.refuse(error_code::internal_error, "too many questions to the user are open");
  MutexLock lock(mutex_);
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
  ask(*prefix, std::move(questions));
}

void BackRequest::resume(std::unique_ptr<Caller> caller, const std::string& prefix, const JsonObject& answers) {
  begin_round(std::move(caller));
  MutexLock lock(mutex_);
  if (over_) {
    over_ = false;
    kept_ = Trouble{"question_lost", "The question was answered too late: its call was given up. Call again.", true};
  }
  if (asked_) {  // perhaps another call's: answered even if this one has its result
    lock.unlock();
    answer_carried(answers, prefix + "0");
    lock.lock();
  }
  if (kept_.index() == 0) return;
  Ending ending = std::exchange(kept_, {});
  lock.unlock();
  end(std::move(ending));
}

void BackRequest::answer_carried(const JsonObject& answers, const std::string& key) {
  std::optional<ServerRequest> asked;
  std::optional<ServerRequest> next;
  bool withdrawn = false;  // then it may be another call's
  {
    const MutexLock lock(mutex_);
    asked.swap(asked_);
    withdrawn = withdrawal_.stop_requested();
    if (!carried_.empty()) {
      next.emplace(std::move(carried_.front()));
      carried_.erase(carried_.begin());
    }
  }
  const Json* answer = answers.if_contains(key);
  const bool is_answered = answer != nullptr && is_answer(asked->method, *answer);
  if (withdrawn && (!is_answered || text_or(*answer, "action") == "cancel")) {
    line_.carry(std::move(*asked));
  } else if (is_answered) {
    asked->answer(*answer);
  } else {
    asked->refuse(error_code::internal_error, "the user gave no answer");
  }
  if (next) ask_carried(std::move(*next));
}

}  // namespace toolwire::bridge::mcp
