#include <toolwire/bridge/registry.hpp>

#include <future>
#include <stdexcept>
#include <utility>

#include <toolwire/error.hpp>

#include "registry/call_core.hpp"
#include "registry/call_fields.hpp"
#include "registry/call_flow.hpp"
#include "registry/call_group.hpp"
#include "registry/document_run.hpp"
#include "registry/embedded_call.hpp"

namespace toolwire::bridge {
namespace {

/// Waits on the caller's thread until what `start` starts is done.
template <class Value, class Start>
Value wait_for(Start start) {
  auto promise = std::make_shared<std::promise<Value>>();
  std::future<Value> future = promise->get_future();
  start([promise](Value value) { promise->set_value(std::move(value)); });
  return future.get();
}

void need_calls(const std::vector<Call>& calls) {
  if (calls.empty()) throw std::invalid_argument("there must be at least one call");
}

void start_group(GroupEnd end, const std::shared_ptr<CallCore>& core, std::vector<Call> calls, CallGroup::Done done,
                 const CallSettings& settings) {
  const std::size_t count = calls.size();
  std::make_shared<CallGroup>(end, count, std::move(done))->start(core, std::move(calls), settings);
}

/// Passes on the call that decided, else the last.
CallGroup::Done one_of(Registry::Done done) {
  return [done = std::move(done)](std::vector<CompletedCall>&& calls, std::optional<std::size_t> decider) {
    done(std::move(calls[decider.value_or(calls.size() - 1)]));
  };
}

}  // namespace

Registry::Registry(RegistryOptions options) : core_(std::make_shared<CallCore>(std::move(options))) {
  const auto forget = [weak = std::weak_ptr(core_)] {
    if (const auto core = weak.lock()) core->forget_unused();
  };
  core_->tools.on_change(forget);
  core_->activities.on_change(forget);
}
Registry::~Registry() = default;

ToolRegistry& Registry::tools() { return core_->tools; }
ActivityRegistry& Registry::activities() { return core_->activities; }
const RegistryOptions& Registry::options() const { return core_->options; }

void Registry::enable(std::string_view tool, bool enabled) { core_->enable(tool, enabled); }
bool Registry::is_enabled(const ToolDefinition& tool) const { return core_->is_enabled(tool); }
Resolution Registry::resolve(const ToolDefinition& tool) const { return core_->resolve(tool); }

bool Registry::is_offered(const RegisteredTool& tool) const {
  if (!is_enabled(tool.definition)) return false;
  if (!resolve(tool.definition).is_latent()) return true;
  return options().latent != Latent::hidden && !tool.definition.output.is_null();
}

void Registry::approve_with(std::shared_ptr<Approval> approval) {
  core_->change_policies([&](Policies& policies) { policies.approval = std::move(approval); });
}
void Registry::confirm_with(Confirmation confirmation) {
  core_->change_policies([&](Policies& policies) {
    policies.confirmation = confirmation ? std::make_shared<const Confirmation>(std::move(confirmation)) : nullptr;
  });
}
void Registry::decorate_with(Decorator decorator) {
  core_->change_policies([&](Policies& policies) {
    policies.decorator = decorator ? std::make_shared<const Decorator>(std::move(decorator)) : nullptr;
  });
}
void Registry::observe_with(std::shared_ptr<Observer> observer) {
  core_->change_policies([&](Policies& policies) { policies.observers.push_back(std::move(observer)); });
}
std::shared_ptr<Approval> Registry::approval() const { return core_->policies()->approval; }

std::vector<std::string> Registry::diagnostics() const {
  std::vector<std::string> lines;
  for (const auto listed = core_->tools.list(); const ToolPointer& tool : *listed) {
    const ToolDefinition& definition = tool->definition;
    const std::string name = "tool \"" + definition.name + "\": ";
    for (const std::string& note : tool->notes) lines.push_back(name + note);
    const Resolution resolution = resolve(definition);
    if (resolution.dangling) {
      lines.push_back(name + "its `_activity` \"" + resolution.activity + "\" is not registered; calls will fail");
    } else if (resolution.is_latent() && definition.output.is_null()) {
      lines.push_back(name + "it has neither an Activity nor an `_output`; it is not offered");
    } else if (definition.activity && !definition.activity->empty() && definition.output.is_null()) {
      lines.push_back(name + "it has no `_output`; its results are not checked");
    }
  }
  return lines;
}

Json Registry::compose(ComposeOptions options) const {
  options.dangling = core_->options.dangling;
  std::vector<ToolPointer> tools;
  for (const auto listed = core_->tools.list(); const ToolPointer& tool : *listed) {
    const bool runnable = !resolve(tool->definition).is_latent() || !tool->definition.output.is_null();
    if (is_enabled(tool->definition) && runnable) tools.push_back(tool);
  }
  return bridge::compose(tools, core_->activities, options);
}

void Registry::start(Call call, Done done, const CallSettings& settings) {
  std::make_shared<EmbeddedCall>(std::move(call), std::move(done), settings, core_->timers)->start(core_);
}
CompletedCall Registry::call(Call call, const CallSettings& settings) {
  return wait_for<CompletedCall>([&](Done done) { start(std::move(call), std::move(done), settings); });
}
CompletedCall Registry::call(std::string tool, Json parameters, const CallSettings& settings) {
  return call(Call{.tool = std::move(tool), .parameters = std::move(parameters)}, settings);
}

void Registry::start_all(std::vector<Call> calls, std::function<void(CompletedCalls)> done,
                         const CallSettings& settings) {
  std::vector<CompletedCall> checked;
  std::optional<std::size_t> wrong;
  for (const Call& call : calls) {
    auto why = EmbeddedCall::obstacle(*core_, call);
    if (why && !wrong) wrong = checked.size();
    checked.push_back(
        {call, why ? std::move(*why) : failure("cancelled", "Not started: another call is wrong", false)});
  }
  if (wrong) return done({std::move(checked), wrong});
  start_group(
      GroupEnd::first_failure, core_, std::move(calls),
      [done = std::move(done)](std::vector<CompletedCall>&& ends, std::optional<std::size_t> decider) {
        done({std::move(ends), decider});
      },
      settings);
}
CompletedCalls Registry::call_all(std::vector<Call> calls, const CallSettings& settings) {
  return wait_for<CompletedCalls>(
      [&](std::function<void(CompletedCalls)> done) { start_all(std::move(calls), std::move(done), settings); });
}

void Registry::start_any(std::vector<Call> calls, Done done, const CallSettings& settings) {
  need_calls(calls);
  start_group(GroupEnd::first_success, core_, std::move(calls), one_of(std::move(done)), settings);
}
CompletedCall Registry::call_any(std::vector<Call> calls, const CallSettings& settings) {
  return wait_for<CompletedCall>([&](Done done) { start_any(std::move(calls), std::move(done), settings); });
}

void Registry::start_race(std::vector<Call> calls, Done done, const CallSettings& settings) {
  need_calls(calls);
  start_group(GroupEnd::first_end, core_, std::move(calls), one_of(std::move(done)), settings);
}
CompletedCall Registry::call_race(std::vector<Call> calls, const CallSettings& settings) {
  return wait_for<CompletedCall>([&](Done done) { start_race(std::move(calls), std::move(done), settings); });
}

void Registry::start_run(const Json& document, std::function<void(Json)> done, const CallSettings& settings) {
  auto written = std::make_shared<std::vector<DocumentCall>>(calls_in(*core_, document));
  auto finish = [written, done = std::move(done)](std::vector<CompletedCall>&& ends, std::optional<std::size_t>) {
    JsonArray results;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      Json result = ends[i].to_json();
      result.get_object()["call"] = (*written)[i].written;
      results.push_back(std::move(result));
    }
    done(JsonObject{{"results", std::move(results)}});
  };
  auto group = std::make_shared<CallGroup>(GroupEnd::when_all, written->size(), std::move(finish));
  std::vector<Call> calls;
  for (std::size_t i = 0; i < written->size(); ++i) {
    DocumentCall& one = (*written)[i];
    if (one.refused) group->put(i, {one.call, std::move(*one.refused)});
    calls.push_back(one.call);
  }
  group->start(core_, std::move(calls), settings);
}
Json Registry::run(const Json& document, const CallSettings& settings) {
  return wait_for<Json>([&](std::function<void(Json)> done) { start_run(document, std::move(done), settings); });
}

void Registry::serve(const ToolPointer& tool, const Json& arguments, Context& context, Reply reply) {
  const Resolution resolution = resolve(tool->definition);
  std::optional<Call> call;
  try {
    call = split_call(*tool, resolution, arguments, Identity::optional);
  } catch (const InvalidArguments& error) {
    return CallFlow::refuse(core_, tool, resolution, context, std::move(reply),
                            failure("invalid_arguments", error.what(), true));
  }
  CallFlow::start(core_, tool, resolution, std::move(*call), context, std::move(reply));
}

void Registry::on_change(std::function<void()> listener) {
  core_->tools.on_change(listener);
  core_->activities.on_change(listener);
  core_->on_enabling(std::move(listener));
}

}  // namespace toolwire::bridge
