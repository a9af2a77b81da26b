#include "protocol/request.hpp"

#include <thread>
#include <utility>

#include "json/fast.hpp"
#include "log/log.hpp"
#include "protocol/input_requests/connect_context.hpp"
#include "protocol/tools/result_of_thrown.hpp"
#include "system/later.hpp"
#include "toolwire/detail/context_builder.hpp"
#include "toolwire/detail/what_of.hpp"
#include "toolwire/rate_window.hpp"
#include "toolwire/system/log_line.hpp"
#include "types/in_seconds.hpp"

namespace toolwire::protocol {
namespace {

const JsonObject no_answers;

bool is_protocol_error(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ProtocolError&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// Has a store asked. One that throws has failed: its Done is given up with that, and the log says why.
template <class Ask>
void ask_store(std::string_view what, Ask ask) {
  try {
    ask();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    process::log(LogLevel::error,
                 "the store of " + std::string(what) + " has failed: " + detail::what_of(std::current_exception()));
  }
}

/// A look of Server::around_call sees results and questions: exceptions as what the model reads of them, and errors of
/// the protocol not at all.
RequestNext::Look look_at_call(Next::Look look, const Service& service, std::string tool) {
  return [look = std::move(look), &service, tool = std::move(tool)](AnyRequestOutcome& outcome) {
    if (std::holds_alternative<std::monostate>(outcome.value)) {
      if (!outcome.thrown || is_protocol_error(outcome.thrown)) return;
      outcome.value = result_of_thrown(service, outcome.thrown, tool);
    }
    AnyOutcome seen;
    if (auto* questions = std::get_if<Questions>(&outcome.value)) {
      seen = std::move(*questions);
    } else if (auto* result = std::get_if<ToolResult>(&outcome.value)) {
      seen = std::move(*result);
    } else {
      return;
    }
    look(seen);
    AnyRequestOutcome after = as_outcome(std::move(seen));
    outcome.value = std::move(after.value);
    if (after.thrown) outcome.thrown = std::move(after.thrown);
  };
}

template <class... Kinds>
AnyRequestOutcome widened(std::variant<Kinds...>&& outcome) {
  return std::visit(
      [](auto& one) -> AnyRequestOutcome {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(one)>, ProtocolError>) {
          return {{}, std::make_exception_ptr(std::move(one))};
        } else {
          return {std::move(one), nullptr};
        }
      },
      outcome);
}

}  // namespace

AnyRequestOutcome as_outcome(AnyOutcome&& outcome) { return widened(std::move(outcome)); }
AnyRequestOutcome as_outcome(PromptOutcome&& outcome) { return widened(std::move(outcome)); }
AnyRequestOutcome as_outcome(ResourceOutcome&& outcome) { return widened(std::move(outcome)); }

const JsonObject& Request::answers() const { return continued_ ? continued_->so_far.answers : no_answers; }

Request::Round::Round(Request& request)
    : turn(request.take_turn()), context({}, request.answers(), request.exchange_.meta()) {
  connect_context(context, request.exchange_, request.log_, request.progress_);
}

Request::SharedRound::SharedRound(Request& of)
    : owner(of), turn(of.take_turn()), answers(of.answers()), context({}, answers, of.exchange_.meta()) {
  connect_context(context, of.exchange_, of.log_, of.progress_);
  detail::ContextBuilder(context).go_on_by(*this);
}

// What it has handed over may have run, and let go of this and of its owner, before the call returns. A part that is
// dropped takes the Reply along, and thus ends the call with an error.

void Request::SharedRound::go_on(Job part) {
  auto in_scope = [request = owner.shared_from_this(), part = std::move(part)] {
    const system::CallScope scope(request->current());
    part();
  };
  const auto& executor = owner.exchange_.connection->service.options.executor;
  if (!executor) return post(std::move(in_scope));
  try {
    executor(std::move(in_scope));
  } catch (...) {
    process::log(LogLevel::error, "no thread could be found for a call to go on, which fails if it was dropped: " +
                                      detail::what_of(std::current_exception()));
  }
}

void Request::SharedRound::post(Job work) {
  const auto channel = owner.exchange_.connection->channel;
  channel->post(std::move(work));
}

/// Without threads whoever runs the tools waits in their place.
Request::SharedRound::Timer Request::SharedRound::at(Clock::time_point when, Job what) {
  const auto channel = owner.exchange_.connection->channel;
  if (channel->has_timers()) return channel->at(when, std::move(what));
  std::this_thread::sleep_until(when);
  channel->post(std::move(what));
  return {when, 0};
}

void Request::SharedRound::forget(const Timer& timer) {
  const auto channel = owner.exchange_.connection->channel;
  channel->forget(timer);
}

void Request::SharedRound::fail(std::exception_ptr thrown) { owner.conclude(*this, {{}, std::move(thrown)}); }

// Before it runs

void Request::run() {
  if (is_over()) return;
  contained([this] {
    if (!prepared_) prepare();
    if (clock_) clock_->start(*exchange_.connection->channel, terms_.timeout, weak_from_this());
    admit();
  });
}

void Request::run_again(JsonObject more_answers) {
  if (!continued_) continued_ = std::make_unique<Continuation>();
  for (auto& member : more_answers) continued_->so_far.answers[member.key()] = std::move(member.value());
  if (serial_) serial_->join_again();
  run();
}

void Request::stand_in(std::shared_ptr<features::SerialLine> line) {
  serial_ = std::make_unique<SerialPlace>(std::move(line));
}

void Request::prepare() {
  prepared_ = true;
  terms_ = take_apart();
  if (terms_.timeout.count() > 0) clock_.emplace();
  if (exchange_.revision->modern) take_answers();
  progress_ = progress_of(exchange_);
  caller_charged_ = terms_.calls_per_minute <= 0;
  charged_ = terms_.rate_per_minute <= 0;
}

void Request::take_answers() {
  auto so_far = answers_in(*this);
  if (!so_far) return;
  continued_ = std::make_unique<Continuation>();
  continued_->so_far = std::move(*so_far);
  continued_->may_be_charged = true;
}

/// Each of these is done already, or is done now and returns true; else it waits for a store, whose answer leads back
/// here, or has ended the request.
void Request::admit() {
  if (has_to_use_up() && !use_up_answers()) return;
  const bool is_free = caller_charged_ && charged_;
  if (!is_free && continued_ && continued_->may_be_charged && !look_for_charge()) return;
  if (!caller_charged_ && !charge_caller()) return;
  if (!charged_ && !charge()) return;
  if (serial_ && !wait_for_turn()) return;
  run_round();
}

bool Request::use_up_answers() {
  const auto use = asked<NonceUse>([this](Done<NonceUse> done) {
    const UsedUp& state = *continued_->so_far.to_use_up;
    ask_store("used answers", [&] { stores().used_answers->use(state.nonce, state.expires, std::move(done)); });
  });
  if (!use) return false;
  if (const auto* why = std::get_if<std::exception_ptr>(&*use)) refuse_unsure_answers(*why);
  if (std::get<NonceUse>(*use) == NonceUse::again) refuse_used_answers();
  continued_->so_far.to_use_up.reset();
  return true;
}

/// A call that comes again with answers was charged when it began, and is free once. If that cannot be determined, it
/// is not.
bool Request::look_for_charge() {
  const auto use = asked<NonceUse>([this](Done<NonceUse> done) {
    const auto age = exchange_.connection->service.options.limits.state_age;
    ask_store("continued calls", [&] {
      stores().continuations->use(nonce_in(exchange_), system::later<std::chrono::system_clock>(age), std::move(done));
    });
  });
  if (!use) return false;
  continued_->may_be_charged = false;
  const auto* known = std::get_if<NonceUse>(&*use);
  const bool is_first = known != nullptr && *known == NonceUse::first;
  caller_charged_ = caller_charged_ || is_first;
  charged_ = charged_ || is_first;
  return true;
}

void Request::refuse(std::string_view code, const std::string& text, std::optional<std::int64_t> retry_after_ms) {
  show_refused(failure(code, text, true, retry_after_ms));
  fail_with_code(code, text, true, retry_after_ms);
}

void Request::show_refused(const ToolResult& answer) {
  const auto looks = exchange_.connection->service.refused_looks();
  AnyRequest request = looks ? described() : AnyRequest{};
  if (request.tool == nullptr) return;
  Context context({}, answers(), exchange_.meta());
  connect_context(context, exchange_, log_, progress_);
  const CallRequest call{request.subject, request.arguments, *request.tool};
  for (const RefusedLook& look : *looks) {
    try {
      look(call, context, answer);
    } catch (...) {
      process::log(LogLevel::error, "a refused call of \"" + call.tool +
                                        "\" could not be shown: " + detail::what_of(std::current_exception()));
    }
  }
}

/// What it is refused for then has been counted here all the same.
bool Request::charge_caller() {
  RateStore::Wait wait;
  if (!charge(quota_key(exchange_.caller()), terms_.calls_per_minute, wait)) return false;
  if (wait) {
    refuse("rate_limited", quota_reached_text(terms_.calls_per_minute, *wait), wait->count());
    return false;
  }
  caller_charged_ = true;
  return true;
}

bool Request::charge() {
  RateStore::Wait wait;
  const std::string& caller = exchange_.caller();
  const std::string own_key = caller.empty() ? std::string() : rate_key(name(), caller);
  if (!charge(own_key.empty() ? name() : own_key, terms_.rate_per_minute, wait)) return false;
  if (wait) {
    refuse("rate_limited", rate_limited_text(name(), terms_.rate_per_minute, *wait), wait->count());
    return false;
  }
  charged_ = true;
  return true;
}

/// Whether the store has said how long to wait.
bool Request::charge(const std::string& key, std::int64_t per_minute, RateStore::Wait& wait) {
  const auto answer = asked<RateStore::Wait>([&](Done<RateStore::Wait> done) {
    ask_store("rates", [&] { stores().rates->charge(key, per_minute, std::move(done)); });
  });
  if (!answer) return false;
  if (const auto* why = std::get_if<std::exception_ptr>(&*answer)) {
    log_rarely(LogLevel::error, "the rate of " + subject() + " cannot be looked up: " + detail::what_of(*why));
    refuse("unavailable", "The server cannot tell how often this was called; try again shortly");
    return false;
  }
  wait = std::get<RateStore::Wait>(*answer);
  return true;
}

/// Whoever gives up the place ends the request, too.
bool Request::wait_for_turn() {
  const auto turn = asked<features::SerialTurn>(
      [this](Done<features::SerialTurn> done) { serial_->wait(*exchange_.call, std::move(done)); });
  return turn && std::holds_alternative<features::SerialTurn>(*turn) && serial_->begin();
}

bool Request::admit_answers(std::function<void(const ProtocolError*)> later) {
  if (!has_to_use_up()) return true;
  continued_->promised = std::move(later);
  try {
    if (!use_up_answers()) return false;
  } catch (...) {
    continued_->promised = nullptr;
    throw;
  }
  continued_->promised = nullptr;
  return true;
}

// When a store has answered later

void Request::answered_later() {
  exchange_.connection->channel->post([self = shared_from_this()] { self->go_on(); });
}

void Request::go_on() {
  if (!continued_ || !continued_->promised) {
    if (!is_over()) contained([this] { admit(); });
    return;
  }
  try {
    if (has_to_use_up() && !use_up_answers()) return;
  } catch (const ProtocolError& error) {
    return std::exchange(continued_->promised, nullptr)(&error);
  }
  std::exchange(continued_->promised, nullptr)(nullptr);
}

// One round

void Request::run_round() {
  const Service& service = exchange_.connection->service;
  auto around = service.middlewares();
  const auto& executor = service.options.executor;
  if (!around && !executor && answers_at_once()) return run_at_once();
  auto round = std::allocate_shared<SharedRound>(json::Recycled<SharedRound>(), *this);
  round->around = std::move(around);
  if (round->around) round->request.emplace(described());
  if (!executor) return step(round, 0);
  try {
    executor([self = shared_from_this(), round] { self->step(round, 0); });
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    cannot_begin(*round, std::current_exception());
  }
}

/// The executor of the program has thrown. What it has begun all the same may have ended the round already.
void Request::cannot_begin(SharedRound& round, const std::exception_ptr& thrown) {
  if (round.concluded.exchange(true) || is_over()) return;
  process::log(LogLevel::error, "no thread could be found for " + subject() + ": " + detail::what_of(thrown));
  fail_with_code("unavailable", "The server cannot run this now; try again shortly", true);
}

void Request::step(const RoundPointer& round, std::size_t index) {
  if (!round->around || index == round->around->size()) return invoke(round);
  try {
    std::visit([&](const auto& middleware) { pass(middleware, round, index); }, (*round->around)[index]);
  } catch (...) {
    conclude(*round, {{}, std::current_exception()});
  }
}

void Request::pass(const RequestMiddleware& middleware, const RoundPointer& round, std::size_t index) {
  auto self = shared_from_this();
  auto go_on = [self, round, index](RequestNext::Look look) {
    if (look) round->looks.push_back(std::move(look));
    self->step(round, index + 1);
  };
  BasicReply<AnyRequestOutcome> reply(
      [self, round](AnyRequestOutcome&& outcome) { self->conclude(*round, std::move(outcome)); });
  middleware(*round->request, round->context, RequestNext(std::move(go_on), std::move(reply)));
}

void Request::pass(const Middleware& middleware, const RoundPointer& round, std::size_t index) {
  AnyRequest& request = *round->request;
  if (request.kind != RequestKind::tool) return step(round, index + 1);
  if (!round->call) round->call.emplace(CallRequest{request.subject, request.arguments, *request.tool});
  auto self = shared_from_this();
  auto go_on = [self, round, index](Next::Look look) {
    const Service& service = self->exchange_.connection->service;
    if (look) round->looks.push_back(look_at_call(std::move(look), service, round->request->subject));
    self->step(round, index + 1);
  };
  Reply reply([self, round](AnyOutcome&& outcome) { self->conclude(*round, as_outcome(std::move(outcome))); });
  middleware(*round->call, round->context, Next(std::move(go_on), std::move(reply)));
}

void Request::conclude(SharedRound& round, AnyRequestOutcome&& outcome) {
  if (round.concluded.exchange(true) || is_over()) return;
  for (auto look = round.looks.rbegin(); look != round.looks.rend(); ++look) {
    try {
      (*look)(outcome);
    } catch (...) {
      outcome = {{}, std::current_exception()};
    }
  }
  finish(std::move(outcome));
}

void Request::ask(Questions&& questions) {
  contained([&] {
    if (questions.list.empty()) return asks_nothing();
    request_input(shared_from_this(), std::move(questions));
  });
}

/// No answer would ever come.
void Request::asks_nothing() {
  process::log(LogLevel::error, subject() + " has returned Questions without a question");
  throw ProtocolError(error_code::internal_error, "Internal error: " + subject() + " asked nothing",
                      JsonObject{{"code", "execution"}, {"retryable", false}});
}

// The end

void Request::fail(const ProtocolError& error) {
  end([&] { exchange_.fail(error); });
}

void Request::fail_with_code(std::string_view code, const std::string& text, bool retryable,
                             std::optional<std::int64_t> retry_after_ms) {
  JsonObject data{{"code", code}, {"retryable", retryable}};
  if (retry_after_ms) data["retryAfterMs"] = *retry_after_ms;
  fail(ProtocolError(error_code::internal_error, text, std::move(data)));
}

/// Reading once more does no harm.
void Request::fail_late(const std::string& text) { fail_with_code("timeout", text, true); }

void Request::before_answer() {
  if (progress_) progress_->send_held_back();
  log_.close();
}

void Request::after_answer() {
  if (clock_) clock_->end(*exchange_.connection->channel);
  exchange_.connection->channel->flush_from_outside();
}

void Request::pause_clock() {
  if (clock_) clock_->pause(*exchange_.connection->channel);
}

/// A thread that is still inside the function is lost until it returns; the log names what was called.
void Request::timed_out() {
  const system::CallScope scope(current());
  if (serial_ && serial_->give_up()) return timed_out_in_line();
  if (!is_over()) {
    process::log(subject() + " has not answered within " + types::in_seconds(terms_.timeout) + "; it is told to stop");
  }
  fail_late(timeout_text(terms_.timeout));
  exchange_.call->request_stop();
}

/// Nothing has been done, so it may be called again.
void Request::timed_out_in_line() {
  if (!is_over()) process::log(subject() + " has waited for its turn for " + types::in_seconds(terms_.timeout));
  const std::string why = ", before it began: it waits for calls to end that it must not run beside";
  fail_with_code("timeout", timeout_text(terms_.timeout) + why, true);
  exchange_.call->request_stop();
}

}  // namespace toolwire::protocol
