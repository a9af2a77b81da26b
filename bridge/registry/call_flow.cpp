#include "registry/call_flow.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <toolwire/detail/what_of.hpp>
#include <toolwire/error.hpp>
#include <toolwire/rate_window.hpp>
#include <toolwire/result_checks.hpp>
#include <toolwire/system/log_line.hpp>

#include "registry/call_fields.hpp"
#include "registry/call_time.hpp"
#include "registry/checked_result.hpp"
#include "registry/latent_activity.hpp"
#include "registry/outcome_code.hpp"

namespace toolwire::bridge {
namespace {

/// The deadline may have been set a little earlier, by a clock of coarser resolution.
constexpr std::chrono::milliseconds clock_slack{50};

std::optional<CallInHand::Clock::time_point> deadline_of(const ToolDefinition& tool,
                                                         CallInHand::Clock::time_point now) {
  const std::chrono::seconds time = call_time(tool.metadata);
  if (time.count() <= 0) return std::nullopt;
  return now + time;
}

/// Whether the call was charged in an earlier round: if it asked for anything but its approval.
bool was_charged(const Context& context) {
  return std::ranges::any_of(context.answers(), [](const auto& answer) { return answer.key() != Approval::key; });
}

OutputBounds bounds_for(const ToolDefinition& tool, OutputBounds bounds) {
  if (!tool.output_budget) return bounds;
  bounds.lines = tool.output_budget->lines;
  bounds.bytes = tool.output_budget->bytes;
  return bounds;
}

Keep keep_for(const ToolDefinition& tool, const ActivityPointer& activity) {
  if (tool.output_budget) {
    const KeptPart part = tool.output_budget->keep;
    return part == KeptPart::head ? Keep::head : part == KeptPart::tail ? Keep::tail : Keep::head_and_tail;
  }
  return activity && activity->kind() == "process" ? Keep::head_and_tail : Keep::head;
}

}  // namespace

void CallFlow::start(const std::shared_ptr<CallCore>& core, ToolPointer tool, Resolution resolution, Call call,
                     Context& context, Reply reply) {
  auto flow = std::make_shared<CallFlow>(core, std::move(tool), std::move(resolution), std::move(call), context,
                                         std::move(reply));
  flow->begin();
  flow->run(*core);
}

void CallFlow::refuse(const std::shared_ptr<CallCore>& core, ToolPointer tool, const Resolution& resolution,
                      Context& context, Reply reply, ToolResult why) {
  Call call{.tool = tool->definition.name, .activity = resolution.activity};
  auto flow = std::make_shared<CallFlow>(core, std::move(tool), resolution, std::move(call), context, std::move(reply));
  flow->begin();
  flow->fail(std::move(why));
}

CallFlow::CallFlow(const std::shared_ptr<CallCore>& core, ToolPointer tool, Resolution resolution, Call call,
                   Context& context, Reply reply)
    : core_(core),
      bounds_(bounds_for(tool->definition, core->options.bounds)),
      policies_(core->policies()),
      tool_(std::move(tool)),
      resolution_(std::move(resolution)),
      call_(std::move(call)),
      context_(context, deadline_of(tool_->definition, began_)),
      in_hand_{tool_->definition, call_, context_, began_},
      reply_(std::move(reply)),
      charged_(tool_->definition.metadata.rate_limit_per_minute.value_or(0) <= 0 || was_charged(context)) {}

/// A call that is cancelled or times out is answered by the keeper of its deadline; observers are notified here.
void CallFlow::begin() {
  if (policies_->observers.empty()) return;
  for (const auto& observer : policies_->observers) observer->began(in_hand_);
  auto tell = [weak = weak_from_this()](const CallEnd& end) {
    if (const auto self = weak.lock()) self->tell_observers(end);
  };
  const auto late_from = context_.deadline() ? std::optional(*context_.deadline() - clock_slack) : std::nullopt;
  watch_ = std::make_shared<CallWatch>(late_from, std::move(tell));
  watch_->stop_with(context_.stop_token());
}

void CallFlow::run(CallCore& core) {
  static constexpr std::array stages{&CallFlow::check_parameters, &CallFlow::look_at_rate, &CallFlow::approve,
                                     &CallFlow::charge_rate,      &CallFlow::confirm,      &CallFlow::execute};
  try {
    while (stage_ < stages.size() && (this->*stages[stage_])(core)) ++stage_;
  } catch (const ProtocolError& error) {
    finish(AnyOutcome(error));
  } catch (...) {
    fail(result_of_exception(std::current_exception(), call_.tool));
  }
}

void CallFlow::answered_later() {
  const auto core = core_.lock();
  if (!core || !core->options.executor) return run_later();
  core->options.executor([self = shared_from_this()] { self->run_later(); });
}

/// A call that was told to stop meanwhile has been answered, and must have no effect.
void CallFlow::run_later() {
  const auto core = core_.lock();
  if (!core || context_.stop_requested()) return fail(failure("cancelled", "The call was cancelled", false));
  run(*core);
}

bool CallFlow::check_parameters(CallCore&) { return parameters_fit(); }

bool CallFlow::parameters_fit() {
  const auto why = misfit(*tool_, call_.parameters);
  if (why) fail(failure("invalid_arguments", *why, true));
  return !why;
}

/// Checks the rate before the user is asked, so that nobody is asked about a call that is refused.
bool CallFlow::look_at_rate(CallCore& core) {
  return charged_ || allows(asked<RateStore::Wait>([&](Done<RateStore::Wait> done) {
           core.rates->look(rate_key(), *tool_->definition.metadata.rate_limit_per_minute, std::move(done));
         }));
}

bool CallFlow::charge_rate(CallCore& core) {
  return charged_ || allows(asked<RateStore::Wait>([&](Done<RateStore::Wait> done) {
           core.rates->charge(rate_key(), *tool_->definition.metadata.rate_limit_per_minute, std::move(done));
         }));
}

std::string CallFlow::rate_key() { return toolwire::rate_key(call_.tool, context_.request().principal().id); }

/// False without an answer of the store yet.
bool CallFlow::allows(const std::optional<Done<RateStore::Wait>::Result>& answer) {
  if (!answer) return false;
  if (const auto* why = std::get_if<std::exception_ptr>(&*answer)) {
    log_rarely(LogLevel::error,
               "the rate of tool \"" + call_.tool + "\" cannot be looked up: " + toolwire::detail::what_of(*why));
    fail(failure("unavailable", "The server cannot tell how often this was called; try again shortly", true));
    return false;
  }
  const RateStore::Wait wait = std::get<RateStore::Wait>(*answer);
  if (!wait) return true;
  const std::int64_t per_minute = *tool_->definition.metadata.rate_limit_per_minute;
  fail(failure("rate_limited", rate_limited_text(call_.tool, per_minute, *wait), true, wait->count()));
  return false;
}

bool CallFlow::approve(CallCore&) {
  if (policies_->approval) return go_on_with(policies_->approval->decide(in_hand_));
  if (!tool_->definition.metadata.requires_approval) return true;
  return go_on_with(Refuse{failure(
      "approval_required", "\"" + call_.tool + "\" needs somebody's approval, and there is nobody to give it", false)});
}

bool CallFlow::confirm(CallCore&) {
  return !policies_->confirmation || go_on_with((*policies_->confirmation)(in_hand_));
}

bool CallFlow::go_on_with(Decision&& decision) {
  if (auto* refused = std::get_if<Refuse>(&decision)) {
    refused->result.is_error = true;
    fail(std::move(refused->result));
    return false;
  }
  if (auto* questions = std::get_if<Questions>(&decision)) {
    finish(AnyOutcome(std::move(*questions)));
    return false;
  }
  if (auto* modified = std::get_if<Modify>(&decision)) {
    call_.parameters = std::move(modified->parameters);
    return parameters_fit();
  }
  if (auto* replaced = std::get_if<Replace>(&decision)) replaced_ = std::move(replaced->output);
  return true;
}

bool CallFlow::execute(CallCore& core) {
  if (replaced_) return answered(AnyOutcome(ToolResult::of(std::move(*replaced_)))), true;
  activity_ = core.activity_for(tool_, resolution_, *policies_);
  if (!activity_) {
    fail(failure("activity_missing",
                 "\"" + call_.tool + "\" is to be run by the Activity \"" + resolution_.activity +
                     "\", and there is none of that name",
                 false));
    return false;
  }
  activity_->start(call_, context_,
                   Reply([self = shared_from_this()](AnyOutcome&& outcome) { self->answered(std::move(outcome)); }));
  return true;
}

/// An Activity that keeps the call's deadline itself may answer a moment before the timer does; hosts read the same
/// text in either case.
void CallFlow::answered(AnyOutcome&& outcome) {
  if (is_late() && code_of(outcome) == "timeout") return fail(timed_out(tool_->definition));
  if (auto* result = std::get_if<ToolResult>(&outcome)) {
    *result = checked_output(*tool_, std::move(*result));
    *result = bounded(std::move(*result), bounds_, keep_for(tool_->definition, activity_));
  }
  finish(std::move(outcome));
}

void CallFlow::finish(AnyOutcome&& outcome) {
  if (over_.exchange(true)) return;
  if (watch_) watch_->end(code_of(outcome, context_.request()), outcome);
  reply_(std::move(outcome));
}

bool CallFlow::is_late() const { return context_.deadline() && Clock::now() + clock_slack >= *context_.deadline(); }

void CallFlow::tell_observers(const CallEnd& end) {
  for (const auto& observer : policies_->observers) observer->ended(in_hand_, end);
}

}  // namespace toolwire::bridge
