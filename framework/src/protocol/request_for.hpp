// What differs between the kinds of requests, as a value beside what they share. From the reading thread to the engine.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "json/fast.hpp"
#include "log/log.hpp"
#include "protocol/on_engine.hpp"
#include "protocol/request.hpp"

namespace toolwire::protocol {

/// A request of one kind. `Kind` is a value with
///   noun                                 what it is, in a word
///   Outcome, Result                      what its function comes to, and what that is when all is well
///   RequestTerms prepare(exchange)       finds what is asked for and its arguments; throws ProtocolError
///   subject(), name(), arguments()       of these
///   AnyRequest described(exchange)       as middleware sees it
///   answers_at_once()                    whether its rounds are not shared
///   run(arguments, context, send)        the function: its outcome goes to `send`, at once or later; throws anything
///   answer(request, result)              lowers the result; what it throws but for a ProtocolError is lost
///   fail(request, thrown)                ends the request with what its function has thrown
///   timeout_text(limit), fail_with_code, fail_late  what a client is told then
/// The object lives as long as the request.
template <class Kind>
class RequestFor final : public Request {
 public:
  explicit RequestFor(Exchange&& exchange) : Request(std::move(exchange)) {}

  Kind& kind() { return kind_; }

  std::string subject() const override { return kind_.subject(); }
  const std::string& name() const override { return kind_.name(); }
  const Json& arguments() const override { return kind_.arguments(); }
  void fail_with_code(std::string_view code, const std::string& text, bool retryable,
                      std::optional<std::int64_t> retry_after_ms) override {
    if constexpr (requires { &Kind::fail_with_code; }) {
      kind_.fail_with_code(*this, code, text, retryable, retry_after_ms);
    } else {
      Request::fail_with_code(code, text, retryable, retry_after_ms);
    }
  }
  void fail_late(const std::string& text) override {
    if constexpr (requires { &Kind::fail_late; }) {
      kind_.fail_late(*this, text);
    } else {
      Request::fail_late(text);
    }
  }

 private:
  using Outcome = typename Kind::Outcome;
  using Result = typename Kind::Result;

  RequestTerms take_apart() override { return kind_.prepare(exchange()); }
  bool answers_at_once() const override { return kind_.answers_at_once(); }
  AnyRequest described() const override { return kind_.described(exchange()); }
  std::string timeout_text(std::chrono::milliseconds limit) const override { return kind_.timeout_text(limit); }

  system::CurrentCall current() const override {
    return {Kind::noun, kind_.name(), exchange().call->id().text, exchange().connection->session.id()};
  }

  /// The usual way.
  void run_at_once() override {
    const system::CallScope scope(current());
    Round round(*this);
    try {
      kind_.run(kind_.arguments(), round.context, [this, &round](Outcome&& outcome) {
        if (!std::exchange(round.concluded, true)) finish_with(std::move(outcome));
      });
    } catch (...) {
      if (!std::exchange(round.concluded, true)) failed(std::current_exception());
    }
  }

  void invoke(const RoundPointer& round) override {
    const system::CallScope scope(current());
    auto self = std::static_pointer_cast<RequestFor>(shared_from_this());
    const Json& arguments = round->request ? round->request->arguments : kind_.arguments();
    try {
      kind_.run(arguments, round->context, [self, round](Outcome&& outcome) { self->came_to(*round, outcome); });
    } catch (...) {
      conclude(*round, {{}, std::current_exception()});
    }
  }

  void came_to(SharedRound& round, Outcome& outcome) {
    if (round.around) return conclude(round, as_outcome(std::move(outcome)));
    if (!round.concluded.exchange(true)) finish_with(std::move(outcome));
  }

  void finish_with(Outcome&& outcome) {
    if constexpr (std::is_same_v<Outcome, Result>) {
      if (!is_over()) answer(std::move(outcome));
    } else {
      if (is_over()) return;
      if (auto* result = std::get_if<Result>(&outcome)) return answer(std::move(*result));
      if (auto* questions = std::get_if<Questions>(&outcome)) return ask(std::move(*questions));
      finish(as_outcome(std::move(outcome)));
    }
  }

  void finish(AnyRequestOutcome&& outcome) override {
    if (auto* result = std::get_if<Result>(&outcome.value)) return answer(std::move(*result));
    auto* questions = std::get_if<Questions>(&outcome.value);
    if (questions != nullptr && !std::is_same_v<Outcome, Result>) return ask(std::move(*questions));
    if (std::holds_alternative<std::monostate>(outcome.value) && outcome.thrown) return failed(outcome.thrown);
    process::log(LogLevel::error, subject() + " was answered by a middleware with what is no result of its kind");
    fail(ProtocolError(error_code::internal_error,
                       "Internal error: " + subject() + " came to nothing that can be sent"));
  }

  void answer(Result&& result) {
    const system::CallScope scope(current());
    contained([&] { kind_.answer(*this, std::move(result)); });
  }

  void failed(const std::exception_ptr& thrown) {
    const system::CallScope scope(current());
    contained([&] { kind_.fail(*this, thrown); });
  }

  Kind kind_;
};

/// Has the engine run the request, after `ready(request)`. Returns false, and leaves the exchange as it is, when the
/// engine has no room.
template <class Kind, class Ready>
bool begin_request(Exchange& exchange, const Ready& ready) {
  if (!engine_has_room(exchange)) return false;
  engine::Channel& channel = *exchange.connection->channel;
  const std::size_t bytes = exchange.bytes;
  auto request = std::allocate_shared<RequestFor<Kind>>(json::Recycled<RequestFor<Kind>>(), std::move(exchange));
  ready(*request);
  channel.enqueue(std::move(request), bytes);
  return true;
}
template <class Kind>
bool begin_request(Exchange& exchange) {
  return begin_request<Kind>(exchange, [](auto&) {});
}

}  // namespace toolwire::protocol
