#include <toolwire/bridge/tool_turn.hpp>
#include <toolwire/text.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <utility>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

std::string_view kind_of(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_array()) return "an array";
  if (value.is_string()) return "a string";
  return value.is_bool() ? "true or false" : "a number";
}

ToolAnswer refusal(std::string text, std::string_view code) {
  return {true, std::move(text), JsonObject{{"code", code}}};
}

/// Problems of the arguments that do not depend on the tool's schema.
std::optional<ToolAnswer> unusable(const ToolCallBlock& call) {
  const std::string tool = "The arguments of \"" + call.name + "\"";
  if (!call.unreadable.empty())
    return refusal(tool + " are no JSON: expected an object as the tool's schema describes it. They began with: " +
                       text::visible(text::head(call.unreadable, 200), text::lines),
                   "invalid_arguments");
  if (call.input.is_object()) return std::nullopt;
  return refusal(tool + " at \"\": expected an object as the tool's schema describes it, found " +
                     std::string(kind_of(call.input)),
                 "invalid_arguments");
}

/// Why nothing is run; nothing for a message that stopped for its tools.
std::optional<ToolAnswer> reason_not_to_run(StopReason reason) {
  switch (reason) {
    case StopReason::tool_use:
      return std::nullopt;
    case StopReason::stop:
      return refusal("Not run: the message says that the turn is over (stopReason \"stop\").", "not_run");
    case StopReason::length:
      return refusal(
          "Not run: the message was cut off at the output limit, so this call may be incomplete. Call again, with "
          "shorter arguments or in several steps.",
          "not_run");
    case StopReason::error:
      return refusal("Not run: the model's message ended with an error.", "not_run");
    case StopReason::aborted:
      return refusal("Not run: the model's message was stopped before its end.", "not_run");
  }
  return std::nullopt;
}

NextStep next_step(StopReason reason, bool has_calls) {
  switch (reason) {
    case StopReason::tool_use:
      return has_calls ? NextStep::ask_model : NextStep::done;
    case StopReason::stop:
      return NextStep::done;
    case StopReason::length:
      return NextStep::make_room;
    case StopReason::error:
    case StopReason::aborted:
      return NextStep::stopped;
  }
  return NextStep::done;
}

std::string what_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "an exception that is not derived from std::exception";
  }
}

/// The calls of one message under way. Shared by them; thread-safe.
class Turn : public std::enable_shared_from_this<Turn> {
 public:
  Turn(std::vector<ToolCallBlock> calls, std::shared_ptr<ToolRunner> tools, TurnOptions options, NextStep next,
       std::function<void(ToolTurn)> done)
      : calls_(std::move(calls)), tools_(std::move(tools)), options_(std::move(options)), done_(std::move(done)) {
    turn_.next = next;
    turn_.results.resize(calls_.size());
  }

  /// Starts what may be started, on one thread at a time: a call that ends at once does not nest the next one in it.
  void go_on() {
    MutexLock lock(mutex_);
    if (starting_) return;
    starting_ = true;
    const std::size_t most = options_.parallel ? std::max<std::size_t>(options_.at_once, 1) : 1;
    while (started_ < calls_.size() && started_ - ended_ < most) {
      const std::size_t index = started_++;
      lock.unlock();
      start(index);
      lock.lock();
    }
    starting_ = false;
    if (ended_ < calls_.size() || told_) return;
    told_ = true;
    ToolTurn turn = std::move(turn_);
    lock.unlock();
    done_(std::move(turn));
  }

  /// Gives every call the same answer and runs none.
  void refuse_all(const ToolAnswer& answer) {
    ToolTurn turn = untouched();
    for (std::size_t index = 0; index < calls_.size(); ++index) turn.results[index] = result_of(index, answer);
    done_(std::move(turn));
  }

 private:
  ToolTurn untouched() {
    const MutexLock lock(mutex_);
    return std::move(turn_);
  }

  void start(std::size_t index) {
    ToolCallBlock& call = calls_[index];
    if (auto answer = refused(call)) return end(index, std::move(*answer));
    auto answered = std::make_shared<std::atomic<bool>>(false);
    auto done = [self = shared_from_this(), index, answered](ToolAnswer answer) {
      if (!answered->exchange(true)) self->end(index, std::move(answer));
    };
    try {
      tools_->start(call, options_.call, done);
    } catch (...) {
      done(refusal("\"" + call.name + "\" failed: " + what_of(std::current_exception()), "execution"));
    }
  }

  std::optional<ToolAnswer> refused(ToolCallBlock& call) {
    if (options_.call.stop.stop_requested()) return refusal("Not run: the turn was stopped.", "cancelled");
    try {
      if (options_.before) {
        if (auto answer = options_.before(call)) return answer;
      }
    } catch (...) {
      return refusal("Not run: " + what_of(std::current_exception()), "denied");
    }
    return unusable(call);
  }

  ToolResultMessage result_of(std::size_t index, ToolAnswer answer) const {
    const ToolCallBlock& call = calls_[index];
    if (options_.budget) {
      if (const auto cut = cut_for(answer.text, *options_.budget)) {
        answer.details["output"] = JsonObject{{"lines", cut->lines}, {"bytes", answer.text.size()}};
        answer.text = shown(answer.text, *cut, {}, options_.budget->advice);
      }
    }
    ToolResultMessage result{call.id,
                             call.name,
                             answer.is_error,
                             {{std::move(answer.text)}},
                             std::move(answer.details),
                             std::move(answer.images)};
    try {
      if (options_.after) options_.after(call, result);
    } catch (...) {
      result.details["afterHook"] = what_of(std::current_exception());
    }
    result.tool_call_id = call.id;
    result.tool_name = call.name;
    return result;
  }

  void end(std::size_t index, ToolAnswer answer) {
    ToolResultMessage result = result_of(index, std::move(answer));
    {
      const MutexLock lock(mutex_);
      turn_.results[index] = std::move(result);
      ++ended_;
    }
    go_on();
  }

  std::vector<ToolCallBlock> calls_;  // fixed in number; each belongs to its call alone
  const std::shared_ptr<ToolRunner> tools_;
  const TurnOptions options_;
  const std::function<void(ToolTurn)> done_;
  Mutex mutex_;
  ToolTurn turn_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t started_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::size_t ended_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool starting_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool told_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

}  // namespace

void start_turn(const AssistantMessage& message, std::shared_ptr<ToolRunner> tools, TurnOptions options,
                std::function<void(ToolTurn)> done) {
  std::vector<ToolCallBlock> calls = tool_calls_in(message);
  const NextStep next = next_step(message.stop_reason, !calls.empty());
  auto turn = std::make_shared<Turn>(std::move(calls), std::move(tools), std::move(options), next, std::move(done));
  if (const auto reason = reason_not_to_run(message.stop_reason)) return turn->refuse_all(*reason);
  turn->go_on();
}

ToolTurn run_turn(const AssistantMessage& message, std::shared_ptr<ToolRunner> tools, TurnOptions options) {
  const auto promise = std::make_shared<std::promise<ToolTurn>>();  // shared: it is still in use when `get` returns
  start_turn(message, std::move(tools), std::move(options),
             [promise](ToolTurn done) { promise->set_value(std::move(done)); });
  return promise->get_future().get();
}

}  // namespace toolwire::bridge
