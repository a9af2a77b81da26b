#include "registry/call_flow.hpp"

#include <algorithm>
#include <utility>

#include <toolwire/error.hpp>
#include <toolwire/result_checks.hpp>

#include "registry/call_fields.hpp"
#include "registry/call_time.hpp"
#include "registry/checked_result.hpp"
#include "registry/latent_activity.hpp"
#include "registry/outcome_code.hpp"

namespace toolwire::bridge {
namespace {

/// Whoever keeps the deadline set it a little earlier, by a clock that may tick coarsely.
constexpr std::chrono::milliseconds clock_slack{50};

std::optional<CallInHand::Clock::time_point> deadline_of(const ToolDefinition& tool,
                                                         CallInHand::Clock::time_point now) {
  const std::chrono::seconds time = call_time(tool.metadata);
  if (time.count() <= 0) return std::nullopt;
  return now + time;
}

/// A call that asked something else than for its approval was charged before it asked.
bool was_charged(const Context& context) {
  return std::ranges::any_of(context.answers(), [](const auto& answer) { return answer.key() != Approval::key; });
}

ToolResult rate_limited(const std::string& tool, std::int64_t per_minute, std::chrono::milliseconds wait) {
  return failure("rate_limited",
                 "\"" + tool + "\" may be called " + std::to_string(per_minute) + " times a minute; try again in " +
                     std::to_string(wait.count()) + " ms",
                 true, wait.count());
}

Keep keep_for(const ActivityPointer& activity) {
  return activity && activity->kind() == "process" ? Keep::head_and_tail : Keep::head;
}

}  // namespace

void CallFlow::start(const std::shared_ptr<CallCore>& core, ToolPointer tool, const Resolution& resolution, Call call,
                     Context& context, Reply reply) {
  auto flow =
      std::make_shared<CallFlow>(*core, std::move(tool), resolution, std::move(call), context, std::move(reply));
  flow->begin();
  try {
    flow->run(*core);
  } catch (const ProtocolError&) {
    if (!flow->over_.exchange(true)) flow->tell_observers("protocol_error", nullptr);
    throw;
  } catch (...) {
    flow->fail(result_of_exception(std::current_exception(), flow->call_.tool));
  }
}

void CallFlow::refuse(const std::shared_ptr<CallCore>& core, ToolPointer tool, const Resolution& resolution,
                      Context& context, Reply reply, ToolResult why) {
  Call call{.tool = tool->definition.name, .activity = resolution.activity};
  auto flow =
      std::make_shared<CallFlow>(*core, std::move(tool), resolution, std::move(call), context, std::move(reply));
  flow->begin();
  flow->fail(std::move(why));
}

CallFlow::CallFlow(const CallCore& core, ToolPointer tool, const Resolution& resolution, Call call, Context& context,
                   Reply reply)
    : bounds_(core.options.bounds),
      policies_(core.policies()),
      tool_(std::move(tool)),
      resolution_(resolution),
      call_(std::move(call)),
      context_(context, deadline_of(tool_->definition, Clock::now())),
      in_hand_{tool_->definition, call_, context_, Clock::now()},
      reply_(std::move(reply)),
      charged_(tool_->definition.metadata.rate_limit_per_minute.value_or(0) <= 0 || was_charged(context)) {}

/// A call that is cancelled or times out is answered by the keeper of its deadline; observers are notified here.
void CallFlow::begin() {
  if (policies_->observers.empty()) return;
  for (const auto& observer : policies_->observers) observer->began(in_hand_);
  when_stopped_.emplace(context_.stop_token(), [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->stopped();
  });
}

void CallFlow::run(CallCore& core) {
  if (!parameters_fit() || !rate_allows(core) || !approved() || !charge(core) || !confirmed()) return;
  execute(core);
}

bool CallFlow::parameters_fit() {
  const auto why = misfit(*tool_, call_.parameters);
  if (why) fail(failure("invalid_arguments", *why, true));
  return !why;
}

bool CallFlow::rate_allows(CallCore& core) {
  if (charged_) return true;
  const std::int64_t per_minute = *tool_->definition.metadata.rate_limit_per_minute;
  const auto wait = core.rates.look(call_.tool, per_minute, Clock::now());
  if (wait) fail(rate_limited(call_.tool, per_minute, *wait));
  return !wait;
}

bool CallFlow::charge(CallCore& core) {
  if (charged_) return true;
  const std::int64_t per_minute = *tool_->definition.metadata.rate_limit_per_minute;
  const auto wait = core.rates.charge(call_.tool, per_minute, Clock::now());
  if (wait) fail(rate_limited(call_.tool, per_minute, *wait));
  charged_ = true;
  return !wait;
}

bool CallFlow::approved() {
  if (policies_->approval) return go_on_with(policies_->approval->decide(in_hand_));
  if (!tool_->definition.metadata.requires_approval) return true;
  return go_on_with(Refuse{failure(
      "approval_required", "\"" + call_.tool + "\" needs somebody's approval, and there is nobody to give it", false)});
}

bool CallFlow::confirmed() { return !policies_->confirmation || go_on_with((*policies_->confirmation)(in_hand_)); }

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

void CallFlow::execute(CallCore& core) {
  if (replaced_) return answered(AnyOutcome(ToolResult::of(std::move(*replaced_))));
  activity_ = core.activity_for(tool_, resolution_, *policies_);
  if (!activity_)
    return fail(failure("activity_missing",
                        "\"" + call_.tool + "\" is to be run by the Activity \"" + resolution_.activity +
                            "\", and there is none of that name",
                        false));
  activity_->start(call_, context_,
                   Reply([self = shared_from_this()](AnyOutcome&& outcome) { self->answered(std::move(outcome)); }));
}

/// An Activity that keeps the call's deadline itself may be a moment earlier than the timer that answers at it; hosts
/// are to read the same in either case.
void CallFlow::answered(AnyOutcome&& outcome) {
  if (is_late() && code_of(outcome) == "timeout") {
    const std::string limit = std::to_string(call_time(tool_->definition.metadata).count());
    return fail(failure("timeout", "\"" + call_.tool + "\" timed out after " + limit + " s", true));
  }
  if (auto* result = std::get_if<ToolResult>(&outcome)) {
    *result = checked_output(*tool_, std::move(*result));
    *result = bounded(std::move(*result), bounds_, keep_for(activity_));
  }
  finish(std::move(outcome));
}

void CallFlow::finish(AnyOutcome&& outcome) {
  if (over_.exchange(true)) return;
  if (!policies_->observers.empty()) tell_observers(code_of(outcome), &outcome);
  reply_(std::move(outcome));
}

void CallFlow::stopped() {
  if (over_.exchange(true)) return;
  tell_observers(is_late() ? "timeout" : "cancelled", nullptr);
}

bool CallFlow::is_late() const { return context_.deadline() && Clock::now() + clock_slack >= *context_.deadline(); }

void CallFlow::tell_observers(std::string_view code, const AnyOutcome* outcome) {
  const CallEnd end{code, Clock::now() - in_hand_.began, outcome};
  for (const auto& observer : policies_->observers) observer->ended(in_hand_, end);
}

}  // namespace toolwire::bridge
