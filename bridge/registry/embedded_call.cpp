#include "registry/embedded_call.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <toolwire/error.hpp>

#include "registry/call_fields.hpp"
#include "registry/call_flow.hpp"
#include "registry/call_time.hpp"

namespace toolwire::bridge {
namespace {

/// The result if there is no such tool, or it is not enabled.
ToolResult absent(const ToolPointer& tool, const std::string& name) {
  if (!tool) return failure("unknown_tool", "There is no tool \"" + name + "\"", false);
  return failure("disabled", "\"" + name + "\" is not enabled", false);
}

/// The result if the tool asks questions: there is nobody to ask.
ToolResult unanswerable(const std::string& tool, const Questions& questions) {
  const bool approval = std::ranges::any_of(
      questions.list, [](const Question& question) { return std::string_view(question.key) == Approval::key; });
  if (approval)
    return failure("approval_required", "\"" + tool + "\" needs somebody's approval, and there is nobody to ask",
                   false);
  return failure("cannot_ask", "\"" + tool + "\" needs to ask the user, and there is nobody to ask", false);
}

}  // namespace

EmbeddedCall::EmbeddedCall(Call call, Done done, const CallSettings& settings, std::shared_ptr<Timers> timers)
    : call_(std::move(call)),
      done_(std::move(done)),
      meta_(settings.meta),
      context_(stop_.get_token(), no_answers_, meta_, settings.on_progress),
      timers_(std::move(timers)),
      asked_to_stop_(settings.stop) {}

std::optional<ToolResult> EmbeddedCall::obstacle(const CallCore& core, const Call& call) {
  const ToolPointer tool = core.tools.find(call.tool);
  if (!tool || !core.is_enabled(tool->definition)) return absent(tool, call.tool);
  const auto why = misfit(*tool, call.parameters);
  if (why) return failure("invalid_arguments", *why, true);
  return std::nullopt;
}

void EmbeddedCall::start(const std::shared_ptr<CallCore>& core) {
  if (asked_to_stop_.stop_possible()) {
    when_asked_.emplace(asked_to_stop_, [weak = weak_from_this()] {
      if (auto self = weak.lock()) self->cancel();
    });
  }
  if (clock_.is_over()) return;
  const ToolPointer tool = core->tools.find(call_.tool);
  if (!tool || !core->is_enabled(tool->definition)) return complete(absent(tool, call_.tool));
  tool_ = tool;
  clock_.start(*timers_, call_time(tool->definition.metadata), weak_from_this());
  run(core, tool);
}

void EmbeddedCall::run(const std::shared_ptr<CallCore>& core, const ToolPointer& tool) {
  const Resolution resolution = core->resolve(tool->definition);
  Call call = call_;
  call.activity = resolution.activity;
  Reply reply([self = shared_from_this()](AnyOutcome&& outcome) { self->complete(std::move(outcome)); });
  CallFlow::start(core, tool, resolution, std::move(call), context_, std::move(reply));
}

void EmbeddedCall::timed_out() { end(bridge::timed_out(tool_->definition)); }

void EmbeddedCall::cancel() { end(failure("cancelled", "The call was cancelled", false)); }

void EmbeddedCall::end(ToolResult why) {
  complete(std::move(why));
  stop_.request_stop();
}

void EmbeddedCall::complete(AnyOutcome&& outcome) {
  if (auto* result = std::get_if<ToolResult>(&outcome)) return complete(std::move(*result));
  if (const auto* error = std::get_if<ProtocolError>(&outcome))
    return complete(failure("back_end_error", error->what(), false));
  complete(unanswerable(call_.tool, std::get<Questions>(outcome)));
}

void EmbeddedCall::complete(ToolResult&& result) {
  if (!clock_.end(*timers_)) return;
  const Done done = std::exchange(done_, nullptr);
  if (done) done(CompletedCall{call_, std::move(result)});
}

}  // namespace toolwire::bridge
