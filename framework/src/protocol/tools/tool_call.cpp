#include "protocol/tools/tool_call.hpp"

#include <atomic>
#include <functional>
#include <utility>

#include "features/invoke.hpp"
#include "features/truncate_result.hpp"
#include "json/fast.hpp"
#include "log/log.hpp"
#include "protocol/in_seconds.hpp"
#include "protocol/input_requests/connect_context.hpp"
#include "protocol/input_requests/input_requests.hpp"
#include "protocol/tools/lower.hpp"
#include "protocol/tools/structured_root.hpp"
#include "types/echo.hpp"

namespace toolwire::protocol {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + why);
}

std::shared_ptr<const features::ServedTool> find_tool(const Exchange& exchange) {
  const Json* name = exchange.arguments().if_contains("name");
  if (name == nullptr || !name->is_string()) refuse("\"name\" must be a string, the name of a tool");
  auto tool = exchange.connection->service.tools.find(std::string_view(name->get_string()));
  if (!tool) refuse("Unknown tool \"" + types::echo(name->get_string()) + "\"; tools/list names those there are");
  return tool;
}

const Json& arguments_in(const Exchange& exchange) {
  static const Json none = JsonObject{};
  const Json* arguments = exchange.arguments().if_contains("arguments");
  if (arguments == nullptr || arguments->is_null()) return none;
  if (!arguments->is_object()) refuse("\"arguments\" must be an object");
  return *arguments;
}

}  // namespace

/// One run of the tool. A question ends it; the answers begin another.
struct ToolCall::Round {
  explicit Round(ToolCall& call);

  // As of this run: those of the call may grow while a tool that answers later still looks at them.
  const JsonObject answers;
  Context context;
  std::shared_ptr<const std::vector<Middleware>> middlewares;  // null if there are none
  std::optional<CallRequest> request;                          // what the middlewares see and may change
  std::vector<Next::Look> looks;
  std::atomic<bool> concluded{false};
};

ToolCall::Round::Round(ToolCall& call) : answers(call.answers_), context({}, answers, call.exchange_.meta()) {
  connect_context(context, call.exchange_, call.log_, call.progress_);
}

void ToolCall::prepare() {
  served_ = find_tool(exchange_);
  arguments_ = &arguments_in(exchange_);
  if (exchange_.revision->modern) answers_ = answers_in(*this);
  progress_ = progress_of(exchange_);
  time_left_ = tool().info.timeout;
  charged_ = tool().info.rate_per_minute <= 0 || continues_charged_call(exchange_);
}

void ToolCall::run() {
  try {
    if (!served_) prepare();
    begin_round();
  } catch (const ProtocolError& error) {
    fail(error);
  }
}

void ToolCall::begin_round() {
  if (exchange_.call->is_over()) return;
  if (!charged_ && !rate_allows()) return;
  charged_ = true;
  start_deadline();
  auto middlewares = exchange_.connection->service.middlewares();
  const auto& executor = exchange_.connection->service.options.executor;
  if (!middlewares && !executor && answers_at_once()) return run_at_once();
  auto round = std::allocate_shared<Round>(json::Recycled<Round>(), *this);
  round->middlewares = std::move(middlewares);
  if (round->middlewares) round->request.emplace(CallRequest{tool().info.name, *arguments_, tool().info});
  if (!executor) return step(round, 0);
  executor([self = shared_from_this(), round] {
    try {
      self->step(round, 0);
    } catch (const ProtocolError& error) {
      self->fail(error);
    }
  });
}

bool ToolCall::answers_at_once() const { return std::holds_alternative<ToolHandler>(tool().handler); }

/// The usual case, in which the round is not shared.
void ToolCall::run_at_once() {
  Round round(*this);
  features::invoke(*served_, *arguments_, round.context,
                   [&](AnyOutcome&& outcome) { conclude(round, std::move(outcome)); });
}

void ToolCall::run_again(JsonObject more_answers) {
  for (auto& [key, answer] : more_answers) answers_[key] = std::move(answer);
  run();
}

void ToolCall::step(const std::shared_ptr<Round>& round, std::size_t index) {
  if (!round->middlewares || index == round->middlewares->size()) return invoke(round);
  auto self = shared_from_this();
  Reply::Send send = [self, round](AnyOutcome&& outcome) { self->conclude(*round, std::move(outcome)); };
  auto go_on = [self, round, index](Next::Look look) {
    if (look) round->looks.push_back(std::move(look));
    self->step(round, index + 1);
  };
  features::contain(tool(), send,
                    [&] { (*round->middlewares)[index](*round->request, round->context, Next(go_on, Reply(send))); });
}

void ToolCall::invoke(const std::shared_ptr<Round>& round) {
  const Json& arguments = round->request ? round->request->arguments : *arguments_;
  features::invoke(*served_, arguments, round->context, [self = shared_from_this(), round](AnyOutcome&& outcome) {
    self->conclude(*round, std::move(outcome));
  });
}

void ToolCall::conclude(Round& round, AnyOutcome&& outcome) {
  if (round.concluded.exchange(true) || exchange_.call->is_over()) return;
  for (auto look = round.looks.rbegin(); look != round.looks.rend(); ++look) (*look)(outcome);
  if (auto* result = std::get_if<ToolResult>(&outcome)) {
    if (served_->output) check_output(*served_->output, tool().info.name, *result);
    if (result->structured && wraps_structured(*exchange_.revision, tool().info.output_schema))
      result->structured = wrapped(std::move(*result->structured));
    keep_within_budget(*result);
    return answer(*result);
  }
  try {
    ask_client(shared_from_this(), std::move(std::get<Questions>(outcome)));
  } catch (const ProtocolError& error) {
    fail(error);
  }
}

void ToolCall::keep_within_budget(ToolResult& result) const {
  Service& service = exchange_.connection->service;
  const auto& own = tool().info.output_budget;
  const auto& budget = own ? own : service.options.output_budget;
  if (budget) result = features::truncate_result(*budget, std::move(result), service.kept_outputs);
}

bool ToolCall::rate_allows() {
  auto wait = exchange_.connection->service.rates.charge(tool().info.name, tool().info.rate_per_minute,
                                                         RateWindow::Clock::now());
  if (!wait) return true;
  answer(failure("rate_limited",
                 "\"" + tool().info.name + "\" may be called " + std::to_string(tool().info.rate_per_minute) +
                     " times a minute; try again in " + std::to_string(wait->count()) + " ms",
                 true, wait->count()));
  return false;
}

void ToolCall::start_deadline() {
  if (tool().info.timeout.count() <= 0) return;
  std::lock_guard lock(deadline_mutex_);
  deadline_ = exchange_.connection->crew.at(runtime::Timers::Clock::now() + time_left_, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->timed_out();
  });
}

void ToolCall::pause_deadline() {
  if (tool().info.timeout.count() <= 0) return;
  std::lock_guard lock(deadline_mutex_);
  if (!deadline_) return;
  exchange_.connection->crew.forget(*deadline_);
  time_left_ = deadline_->first - runtime::Timers::Clock::now();
  deadline_.reset();
}

/// A thread that is still inside the tool is lost until the tool returns; the log names the tool.
void ToolCall::timed_out() {
  const std::string& name = tool().info.name;
  const std::string limit = in_seconds(tool().info.timeout);
  if (!exchange_.call->is_over())
    process::log("tool \"" + name + "\" has not answered within " + limit + "; it is told to stop");
  answer(failure("timeout", "\"" + name + "\" timed out after " + limit, true));
  exchange_.call->request_stop();
}

void ToolCall::answer(const ToolResult& result) {
  if (progress_) progress_->send_held_back();
  log_.close();
  bool sent = exchange_.call->answer([&](std::string& out) { append_complete_tool_result(out, exchange_, result); });
  if (!sent) return;
  pause_deadline();
  exchange_.connection->crew.flush_from_outside();
}

void ToolCall::fail_with_code(std::string_view code, std::string text, bool retryable) {
  answer(failure(code, std::move(text), retryable));
}

void ToolCall::fail(const ProtocolError& error) {
  exchange_.fail(error);
  if (served_) pause_deadline();
  exchange_.connection->crew.flush_from_outside();
}

}  // namespace toolwire::protocol
