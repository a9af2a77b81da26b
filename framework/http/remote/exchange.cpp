#include "remote/exchange.hpp"

#include <algorithm>
#include <utility>

#include <toolwire/json_members.hpp>

#include "remote/missed_changes.hpp"

namespace toolwire::remote {
namespace {

constexpr unsigned max_failures = 5;  // to resume a stream, in a row

}  // namespace

Exchange::Exchange(SentMessage message, std::shared_ptr<ExchangeOwner> owner, std::size_t max_message)
    : message_(std::move(message)), owner_(std::move(owner)), reader_(max_message) {}

void Exchange::begin() { send(owner_->post_of(message_), {}); }

void Exchange::send(HttpRequest request, milliseconds wait) {
  ++tries_;
  reader_.begin();
  if (wait.count() > 0) request.not_before = HttpRequest::Clock::now() + wait;
  request.on_piece = [self = shared_from_this()](const HttpResponse& head, std::string_view piece) {
    return self->take(head, piece);
  };
  owner_->start(std::move(request), stop_.get_token(),
                [self = shared_from_this()](HttpOutcome&& outcome) { self->ended(std::move(outcome)); });
}

/// False once nothing more is wanted.
bool Exchange::take(const HttpResponse& head, std::string_view piece) {
  if (stop_.stop_requested()) return false;
  return reader_.take(head, piece, [&](std::string&& text) { take_text(head, std::move(text)); }) && !answered_;
}

void Exchange::take_text(const HttpResponse& head, std::string text) {
  if (answered_) return;
  tries_ = 0;
  try {
    for (ReceivedMessage& message : received_messages(text)) {
      if (!message.is_response()) {
        owner_->arrived(message.line);
        if (stays()) note_acknowledgement(message);
      } else if (message_.is_request() && !answered_ && message.answers(message_.id)) {
        take_answer(head, message);
      } else if (const auto* const error = message.error_without_id(); error && message_.is_request() && !answered_) {
        auto named = received_messages(error_line(message_.id, *error));  // nothing else was sent here
        take_answer(head, named.front());
      }
    }
  } catch (const JsonError&) {
    std::ranges::replace(text, '\n', ' ');
    owner_->arrived(std::move(text));  // it is reported where all lines are that are no messages
  }
}

void Exchange::take_answer(const HttpResponse& head, ReceivedMessage& answer) {
  if (stays() && acknowledged_ && find_member(answer.json, "result") != nullptr) return;  // it ends: begun again
  answered_ = true;
  owner_->answered(message_, head, answer);
  owner_->arrived(answer.line);
}

void Exchange::note_acknowledgement(const ReceivedMessage& message) {
  if (text_member(message.json, "method") != "notifications/subscriptions/acknowledged") return;
  if (std::exchange(acknowledged_, true)) {
    for (std::string& line : missed_changes(message_.listened_to, message_.id)) owner_->arrived(std::move(line));
  }
}

void Exchange::ended(HttpOutcome&& outcome) {
  if (answered_ || stop_.stop_requested()) return over();
  if (reader_.is_too_large())
    return fail({.code = "too_large",
                 .text = owner_->conversation().origin + " sent a message that is too large",
                 .is_unknown = true});
  const auto* const failure = std::get_if<HttpFailure>(&outcome);
  if (failure == nullptr) return ended_with(std::get<HttpResponse>(outcome));
  if (failure->code == "cancelled") return owner_->lost(failure->text), over();
  if (stays() && acknowledged_) return send_again();
  if (!reader_.events().last_id().empty() && (!is_resumed_ || ++failures_ < max_failures)) return cut();
  refuse(refusal_of(*failure, owner_->conversation()));
}

void Exchange::ended_with(const HttpResponse& head) {
  // A call whose stream is resumed has been begun: its POST is not for sending again.
  if (is_resumed_ && (head.status == 429 || head.status >= 500) && ++failures_ < max_failures) return resume();
  const auto wait = is_resumed_ ? std::nullopt : time_to_retry(head, message_, tries_);
  if (wait) return send(owner_->post_of(message_), *wait);
  if (form_of(head) == BodyForm::events && message_.is_request()) {
    failures_ = 0;
    return cut();
  }
  std::string body = reader_.take_body();
  if (form_of(head) == BodyForm::json && message_.is_request()) {
    take_text(head, body);
    if (answered_) return over();
    return fail({.code = "back_end_error",
                 .text = owner_->conversation().origin + " answered a request with JSON that is not its answer",
                 .is_unknown = true});
  }
  if (head.success() && !message_.is_request()) return over();
  if (stays() && acknowledged_ && head.status >= 500) return send_again();
  refuse(refusal_of(head, body, message_, owner_->conversation()));
}

/// The stream has ended before the answer came.
void Exchange::cut() {
  if (stays() && acknowledged_) return send_again();
  if (message_.modern() || reader_.events().last_id().empty())
    return fail({.code = "unavailable",
                 .text = owner_->conversation().origin + " ended the stream before the answer had come",
                 .retryable = true,
                 .is_unknown = true});
  resume();
}

/// A server may let its client ask again and again instead of keeping the stream open (2025-11-25).
void Exchange::resume() {
  is_resumed_ = true;
  send(owner_->stream(reader_.events().last_id()), wait_before(tries_, reader_.events().retry()));
}

void Exchange::send_again() { send(owner_->post_of(message_), wait_before(tries_)); }

void Exchange::refuse(const Refusal& refusal) {
  if (message_.is_request() && refusal.session_lost)
    owner_->arrived(failure_line(message_.id, {.code = is_resumed_ ? "unavailable" : "session_lost",
                                               .text = refusal.end,
                                               .retryable = true,
                                               .is_unknown = is_resumed_}));
  if (!refusal.end.empty()) return owner_->lost(refusal.end), over();
  if (is_resumed_ && (refusal.error || refusal.failure->code == "back_end_error")) return fail_to_resume(refusal);
  if (refusal.failure) return fail(*refusal.failure);
  if (message_.is_request()) owner_->arrived(error_line(message_.id, *refusal.error));
  over();
}

/// What the server refuses is the stream, not the message, which it has begun with.
void Exchange::fail_to_resume(const Refusal& refusal) {
  const std::string& origin = owner_->conversation().origin;
  fail({.code = "unavailable",
        .text = origin + " ended the stream before the answer had come, and does not resume it: " +
                (refusal.failure ? refusal.failure->text : text_or(*refusal.error, "message")),
        .retryable = true});
}

void Exchange::fail(const Failure& failure) {
  // A subscription that was there before cannot be had any more: the client has to begin anew to hear of changes.
  if (stays() && acknowledged_) return owner_->lost(failure.text), over();
  Failure told = failure;
  told.is_unknown = told.is_unknown || is_resumed_;  // what is resumed has been begun
  if (message_.is_request()) owner_->arrived(failure_line(message_.id, told));
  over();
}

void Exchange::over() { owner_->over(*this); }

}  // namespace toolwire::remote
