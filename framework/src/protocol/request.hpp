// One request from its first look to its answer, the same for tools, prompts, resources and lists: it is admitted, runs
// in rounds with questions to the client in between, and ends once. What differs between the kinds (what is run, how
// its result is lowered) is a value, see request_for.hpp; how middleware is passed, see rounds in request.cpp.
//
// The way, in its order: prepare → admit (used answers, rate, its turn) → run_round (middleware, function) → the
// outcome: a result, questions, or what was thrown → end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/job.hpp"
#include "protocol/exchange.hpp"
#include "protocol/input_requests/input_requests.hpp"
#include "protocol/logging/call_log.hpp"
#include "protocol/progress.hpp"
#include "protocol/serial_place.hpp"
#include "system/current_call.hpp"
#include "toolwire/detail/asking.hpp"
#include "toolwire/detail/call_clock.hpp"
#include "toolwire/detail/later_call.hpp"
#include "toolwire/middleware.hpp"
#include "toolwire/stores.hpp"

namespace toolwire::protocol {

/// The limits of one request, as its tool, prompt or resource has them.
struct RequestTerms {
  std::chrono::milliseconds timeout{};  // zero: none
  std::int64_t rate_per_minute = 0;     // zero: unlimited
  std::int64_t calls_per_minute = 0;    // of all tools by its caller; zero: unlimited
  bool single_use_answers = false;
  std::chrono::milliseconds answers_within{};  // zero: as long as the server allows
};

AnyRequestOutcome as_outcome(AnyOutcome&& outcome);
AnyRequestOutcome as_outcome(PromptOutcome&& outcome);
AnyRequestOutcome as_outcome(ResourceOutcome&& outcome);
inline AnyRequestOutcome as_outcome(ListResult&& result) { return {std::move(result), nullptr}; }

/// Shared by the thread that runs it, its Reply, the deadline, open questions and stores that were asked; lives until
/// none of them is left. Its steps come one after the other, on whichever thread has the news; `fail`, `end` and the
/// deadline may come at any time, and the first of them counts.
class Request : public engine::Job,
                public std::enable_shared_from_this<Request>,
                public detail::Asking<Request, NonceUse, RateStore::Wait, features::SerialTurn> {
 public:
  /// Its rounds run one at a time with all others of the line, in which its place is taken now. Before anything else.
  void stand_in(std::shared_ptr<features::SerialLine> line);
  /// Takes params apart, once. Throws ProtocolError (-32602) for what is not there, unusable members or a forged
  /// requestState. Done by `run` if it has not been done before.
  void prepare();
  /// For a call that is promised before it runs (a task), after `prepare`: uses up answers that count once. Returns
  /// true if they are admitted; throws ProtocolError if they are not. Returns false if a store is slow: then `later` is
  /// called, with what forbids the call, or null.
  bool admit_answers(std::function<void(const ProtocolError*)> later);
  /// Goes as far as it can at once; whatever goes wrong ends the request. On the engine.
  void run() override;
  /// Runs the function again with further answers.
  void run_again(JsonObject more_answers);
  bool is_over() const override { return exchange_.call->is_over(); }

  const Exchange& exchange() const { return exchange_; }
  const RequestTerms& terms() const { return terms_; }
  /// What is run, as `tool NAME`, `prompt NAME`, `resource URI`: answers given for one are not valid for another.
  virtual std::string subject() const = 0;
  /// The name of the tool or prompt, the URI of the resource; of a list its method.
  virtual const std::string& name() const = 0;
  /// The answers belong to these, too.
  virtual const Json& arguments() const = 0;
  /// All answers so far, by key.
  const JsonObject& answers() const;

  /// Ends the request by `answer`, which answers its call. From any thread.
  template <class Answer>
  void end(Answer answer) {
    before_answer();
    answer();
    after_answer();
  }
  void fail(const ProtocolError& error);
  /// Ends it with a failure that has a code (see `toolwire::failure`): a tool with an error result, others with -32603.
  virtual void fail_with_code(std::string_view code, const std::string& text, bool retryable,
                              std::optional<std::int64_t> retry_after_ms = {});
  /// Ends it because its time is over, whatever has been done by then.
  virtual void fail_late(const std::string& text);
  /// Stops the clock while a human is asked.
  void pause_clock();

 protected:
  /// One run of the function, if it is not shared.
  struct Round {
    explicit Round(Request& request);
    const HeldTurn turn;
    Context context;
    bool concluded = false;
  };
  /// One that others may hold on to: middleware, a Reply, an executor.
  struct SharedRound final : detail::LaterCall {
    explicit SharedRound(Request& of);

    void go_on(Job part) override;
    void post(Job work) override;
    Timer at(Clock::time_point when, Job what) override;
    void forget(const Timer& timer) override;
    void fail(std::exception_ptr thrown) override;

    Request& owner;  // whoever holds this holds it, too
    const HeldTurn turn;
    const JsonObject answers;  // as of this run: those of the request may grow while these are still in use
    Context context;
    std::shared_ptr<const std::vector<Around>> around;  // null if there is none
    std::optional<AnyRequest> request;                  // what middleware sees and may change
    std::optional<CallRequest> call;                    // of a tool: the same, as Server::around_call has it
    std::vector<RequestNext::Look> looks;
    std::atomic<bool> concluded{false};
  };
  using RoundPointer = std::shared_ptr<SharedRound>;

  explicit Request(Exchange&& exchange) : exchange_(std::move(exchange)), log_(exchange_) {}

  // What a kind does; they throw what a function may throw.
  virtual RequestTerms take_apart() = 0;
  virtual bool answers_at_once() const = 0;
  virtual void run_at_once() = 0;
  virtual AnyRequest described() const = 0;
  virtual void invoke(const RoundPointer& round) = 0;
  virtual void finish(AnyRequestOutcome&& outcome) = 0;
  virtual std::string timeout_text(std::chrono::milliseconds limit) const = 0;
  /// What a thread works on that works on this, after `prepare`.
  virtual system::CurrentCall current() const = 0;

  /// The outcome of a round: everybody who wanted to has a look at it. Only the first counts.
  void conclude(SharedRound& round, AnyRequestOutcome&& outcome);
  void ask(Questions&& questions);
  [[noreturn]] void asks_nothing();
  template <class Body>
  void contained(Body body) {
    try {
      body();
    } catch (const ProtocolError& error) {
      fail(error);
    } catch (const std::bad_alloc&) {
      fail_without_memory(*exchange_.call);
    }
  }

 private:
  /// What only a request has that goes on with an earlier round.
  struct Continuation {
    AnswersSoFar so_far;
    std::function<void(const ProtocolError*)> promised;  // who waits for `admit_answers`
    bool may_be_charged = false;                         // when it began, before it came with a sealed state
  };

  void take_answers();
  bool has_to_use_up() const { return continued_ && continued_->so_far.to_use_up; }
  void admit();
  bool use_up_answers();
  bool look_for_charge();
  /// Ends it before it has begun, and shows it to those who see what is refused.
  void refuse(std::string_view code, const std::string& text, std::optional<std::int64_t> retry_after_ms = {});
  void show_refused(const ToolResult& answer);
  bool charge_caller();
  bool charge();
  bool charge(const std::string& key, std::int64_t per_minute, RateStore::Wait& wait);
  bool wait_for_turn();
  HeldTurn take_turn() { return serial_ ? serial_->take_turn() : HeldTurn(); }
  void run_round();
  void cannot_begin(SharedRound& round, const std::exception_ptr& thrown);
  void step(const RoundPointer& round, std::size_t index);
  void pass(const RequestMiddleware& middleware, const RoundPointer& round, std::size_t index);
  void pass(const Middleware& middleware, const RoundPointer& round, std::size_t index);

  const Stores& stores() const { return exchange_.connection->service.stores; }
  friend class detail::Asking<Request, NonceUse, RateStore::Wait, features::SerialTurn>;
  void answered_later();
  void go_on();

  friend class detail::CallClock;
  void timed_out();
  void timed_out_in_line();
  void before_answer();
  void after_answer();

  const Exchange exchange_;
  RequestTerms terms_;
  std::unique_ptr<Continuation> continued_;  // null in the first round
  std::shared_ptr<Progress> progress_;
  CallLog log_;
  bool prepared_ = false;
  bool charged_ = false;
  bool caller_charged_ = false;
  std::unique_ptr<SerialPlace> serial_;     // null for all that run side by side
  std::optional<detail::CallClock> clock_;  // as `prepare` made it; none without a limit of time
};

}  // namespace toolwire::protocol
