// A request that runs a function which may ask the client, answer later, report progress and log: prompts/get and
// resources/read. Tools have more around them, see tools/tool_call.hpp.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "protocol/input_requests/asked_request.hpp"
#include "protocol/input_requests/input_requests.hpp"
#include "protocol/logging/call_log.hpp"
#include "protocol/progress.hpp"
#include "toolwire/context.hpp"

namespace toolwire::protocol {

/// What is the same for all of them. Shared by the thread that runs it, its reply, the deadline and open questions.
class FunctionRequest : public AskedRequest, public std::enable_shared_from_this<FunctionRequest> {
 public:
  /// Runs the function with the answers there are. Throws ProtocolError.
  void run();

  const Exchange& exchange() const final { return exchange_; }
  const JsonObject& answers() const final { return answers_; }
  void run_again(JsonObject more_answers) final;
  void fail(const ProtocolError& error) final;
  void pause_deadline() final;

 protected:
  /// One run of the function. A question ends it; the answers begin another.
  struct Round {
    explicit Round(const FunctionRequest& request);
    const JsonObject answers;
    Context context;
    std::atomic<bool> concluded{false};
  };
  using RoundPointer = std::shared_ptr<Round>;

  /// `timeout`: zero for none.
  FunctionRequest(Exchange&& exchange, std::chrono::milliseconds timeout);
  /// For constructors, when subject and arguments are known. Throws -32602, see `answers_in`.
  void take_answers();

  /// Runs the function; what it throws is contained by `contain`.
  virtual void invoke(const RoundPointer& round) = 0;

  /// True once for each round that is not over in another way.
  bool may_conclude(Round& round) { return !round.concluded.exchange(true) && !exchange_.call->is_over(); }
  void ask(Questions&& questions);
  /// Ends the request by `answer`, which answers its call.
  template <class Answer>
  void conclude_with(Answer answer) {
    before_answer();
    answer();
    after_answer();
  }
  /// What the exception in flight ends the request with. Details of those that were not meant for the client go to
  /// stderr.
  ProtocolError error_of_exception() const;

 private:
  void start_deadline();
  void timed_out();
  void before_answer();
  void after_answer();

  const Exchange exchange_;
  const std::chrono::milliseconds timeout_;
  JsonObject answers_;
  std::shared_ptr<Progress> progress_;
  CallLog log_;
  std::mutex deadline_mutex_;
  std::optional<runtime::Timers::Handle> deadline_;
  std::chrono::steady_clock::duration time_left_{};
};

/// What depends on the kind of outcome: a variant of a result, Questions and ProtocolError.
template <class Outcome>
class RequestFor : public FunctionRequest {
 public:
  using Result = std::variant_alternative_t<0, Outcome>;
  using Send = std::function<void(Outcome&&)>;

 protected:
  using FunctionRequest::FunctionRequest;

  /// Runs the function; its outcome goes to `send`, at once or later. May throw what a function may throw.
  virtual void call(Context& context, const Send& send) = 0;
  virtual void answer(Result&& result) = 0;

 private:
  void invoke(const RoundPointer& round) final {
    auto self = std::static_pointer_cast<RequestFor>(shared_from_this());
    try {
      call(round->context, [self, round](Outcome&& outcome) { self->conclude(round, std::move(outcome)); });
    } catch (...) {
      conclude(round, Outcome(error_of_exception()));
    }
  }

  void conclude(const RoundPointer& round, Outcome&& outcome) {
    if (!may_conclude(*round)) return;
    if (auto* result = std::get_if<Result>(&outcome)) return answer(std::move(*result));
    if (auto* questions = std::get_if<Questions>(&outcome)) return ask(std::move(*questions));
    fail(std::get<ProtocolError>(outcome));
  }
};

}  // namespace toolwire::protocol
