#include "client/tool_call.hpp"

#include <utility>

#include <toolwire/json_members.hpp>

#include "client/server_requests.hpp"

namespace toolwire::client {
namespace {

constexpr int max_rounds = 100;  // a server that never stops asking would otherwise keep both sides busy

JsonObject meta_of(CallOptions& options) {
  add_trace(options.meta, options.trace);
  return std::move(options.meta);
}

JsonObject params_of(std::string_view tool, Json arguments) {
  if (arguments.is_null()) arguments.emplace_object();
  if (!arguments.is_object()) throw std::invalid_argument("the arguments of a call must be a JSON object");
  return {{"name", JsonString{tool}}, {"arguments", std::move(arguments)}};
}

JsonObject with_meta(JsonObject params, JsonObject meta) {
  if (!meta.empty()) params["_meta"] = std::move(meta);
  return params;
}

/// 2026-07-28 basic: an unknown resultType is invalid, a missing one means "complete".
CallResult result_from(Json raw) {
  if (!raw.is_object())
    throw ProtocolError(error_code::internal_error, "the server sent a result that is no object",
                        JsonObject{{"outcome", "unknown"}});
  if (const Json* type = find_member(raw, "resultType"); type != nullptr && *type != "complete")
    throw ProtocolError(error_code::internal_error, "the server sent a result of unknown type " + to_json_text(*type));
  CallResult result;
  if (const Json* content = find_member(raw, "content"); content != nullptr && content->is_array())
    result.content = content->get_array();
  if (const Json* structured = find_member(raw, "structuredContent")) result.structured = *structured;
  if (const Json* is_error = find_member(raw, "isError"); is_error != nullptr && !is_error->is_null()) {
    // Whether the tool has failed is not to be guessed.
    if (!is_error->is_bool())
      throw ProtocolError(error_code::internal_error,
                          "the server sent a result whose isError is neither true nor false",
                          JsonObject{{"outcome", "unknown"}});
    result.is_error = is_error->get_bool();
  }
  result.raw = std::move(raw);
  return result;
}

}  // namespace

ToolCall::ToolCall(std::shared_ptr<Connection> connection, std::string_view tool, Json arguments, CallOptions options)
    : ToolCall{std::move(connection), "tools/call", tool, params_of(tool, std::move(arguments)), std::move(options)} {}

ToolCall::ToolCall(std::shared_ptr<Connection> connection, std::string_view method, std::string_view what,
                   JsonObject params, CallOptions options)
    : connection_{std::move(connection)},
      method_{method},
      what_{what},
      timeout_{options.timeout.value_or(connection_->options().timeout)},
      deadline_{deadline_after(timeout_)},
      params_(with_meta(std::move(params), meta_of(options))) {
  const bool has_task_member =
      method_ == "tools/call" && connection_->options().tasks && !connection_->dialect().modern();
  if (options.as_task && has_task_member) params_["task"] = JsonObject{};
  pending_->on_progress = std::move(options.on_progress);
}

void ToolCall::start() {
  if (connection_->dialect().modern() || connection_->options().tasks) {
    // Weak, or the call would own itself.
    pending_->intercept = [weak = weak_from_this()](Json& result) {
      const auto call = weak.lock();
      return call != nullptr && (call->take_questions(result) || call->take_task(result));
    };
  }
  connection_->send(pending_, method_, params_, pending_->on_progress != nullptr, deadline_);
}

void ToolCall::start(std::function<void(CallOutcome&&)> done) {
  // Owns the call until it is over, so that its handle need not be kept.
  pending_->on_done = [this, self = shared_from_this(), tell = std::move(done)]() mutable {
    const auto owned = std::exchange(self, nullptr);
    clock_.end(connection_->deadlines());
    CallOutcome outcome;
    try {
      outcome = wait();
    } catch (...) {
      outcome = std::current_exception();
    }
    try {
      tell(std::move(outcome));
    } catch (...) {  // a function of the embedding program; it has nobody to tell
    }
  };
  try {
    start();
  } catch (...) {
    pending_->on_done = nullptr;
    throw;
  }
  // Not before: what is given up has been sent.
  clock_.start(connection_->deadlines(), time_until(deadline_), weak_from_this());
}

void ToolCall::timed_out() { give_up(client::timed_out(what_, timeout_), "timeout"); }

CallResult ToolCall::wait() {
  if (deadline_ == Clock::time_point::max()) {
    pending_->wait();
  } else if (!pending_->wait_until(deadline_)) {
    timed_out();
  }
  return result_from(pending_->result());
}

void ToolCall::cancel(const std::string& reason) {
  const std::string because = reason.empty() ? "" : ": " + reason;
  give_up({.kind = Failure::Kind::cancelled, .text = "the call was cancelled" + because}, reason);
}

void ToolCall::give_up(Failure failure, const std::string& reason) {
  std::shared_ptr<TaskFollowing> following;
  {
    const MutexLock lock(mutex_);
    following = following_;
  }
  if (following == nullptr) return connection_->abandon(*pending_, std::move(failure), reason);
  connection_->forget(*pending_, std::move(failure));  // the request itself is answered
  following->cancel();
}

/// In the reading thread.
bool ToolCall::take_task(const Json& result) {
  if (!connection_->options().tasks) return false;
  auto task = task_in(connection_->dialect(), result);
  if (!task) return false;
  auto following = std::make_shared<TaskFollowing>(connection_, std::move(*task),
                                                   [weak = weak_from_this()](Pending::Outcome&& outcome) {
                                                     const auto call = weak.lock();
                                                     if (call == nullptr) return;
                                                     call->connection_->settle(call->pending_, std::move(outcome));
                                                   });
  {
    const MutexLock lock(mutex_);
    if (following_ != nullptr) return true;  // the same id answered twice
    following_ = following;
  }
  following->start();
  if (pending_->is_done()) following->cancel();  // given up meanwhile
  return true;
}

/// 2026-07-28 basic/patterns/mrtr. In the reading thread.
bool ToolCall::take_questions(Json& result) {
  const Json* type = find_member(result, "resultType");
  if (type == nullptr || *type != "input_required") return false;
  if (asking_.exchange(true)) return true;  // the same id answered twice
  if (++rounds_ > max_rounds) {
    fail(Failure::Kind::refused, "the server asked more than " + std::to_string(max_rounds) + " times",
         error_code::internal_error);
    return true;
  }
  connection_->ask([call = shared_from_this(), questions = std::move(result)] { call->answer_and_repeat(questions); });
  return true;
}

void ToolCall::answer_and_repeat(const Json& questions) {
  if (pending_->is_done()) return;  // cancelled while others were asked
  try {
    JsonObject params = params_;
    if (const Json* asked = find_member(questions, "inputRequests"))
      params["inputResponses"] = answer_all(connection_->options(), *asked);
    if (const Json* state = find_member(questions, "requestState")) params["requestState"] = *state;
    if (pending_->is_done()) return;  // cancelled meanwhile
    asking_ = false;
    connection_->send(pending_, method_, params, pending_->on_progress != nullptr, deadline_);
  } catch (const ProtocolError& error) {
    fail(Failure::Kind::refused, std::string{"the server's question cannot be answered: "} + error.what(), error.code);
  } catch (const std::exception& error) {
    fail(Failure::Kind::lost, error.what());
  }
}

void ToolCall::fail(Failure::Kind kind, const std::string& text, int code) {
  // The server awaits nothing: its answer was the question.
  connection_->forget(*pending_, {.kind = kind, .text = text, .code = code});
}

}  // namespace toolwire::client
