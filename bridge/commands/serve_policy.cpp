#include "commands/serve_policy.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/log_line.hpp>

#include "manifest/async_behavior.hpp"
#include "policy/polling.hpp"
#include "policy/remembering.hpp"
#include "policy/retrying.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::chrono::seconds between_writes{2};

/// `name` is that of a tool, or its name at the server it comes from, under which hosts may see it.
bool is_of(Registry& registry, const std::string& name) {
  if (registry.tools().find(name)) return true;
  return std::ranges::any_of(*registry.tools().list(),
                             [&](const ToolPointer& tool) { return original_name(tool->definition) == name; });
}

/// Applies a policy to tools that are not in the registry (those of whole MCP servers); the registry applies it to its
/// own.
Middleware for_other_tools(Registry& registry, Middleware inner) {
  return [&registry, inner = std::move(inner)](CallRequest& request, Context& context, Next next) {
    if (is_of(registry, request.tool)) return next();
    inner(request, context, std::move(next));
  };
}

Middleware preferred(std::shared_ptr<PreferredApproval> approval) {
  return [approval = std::move(approval)](CallRequest& request, Context& context, Next next) {
    ToolDefinition tool{.name = request.tool, .description = request.info.description};
    tool.parameters = request.info.input_schema;
    if (!approval->preferences()->is_enabled(tool))
      return next.answer(failure("disabled", "\"" + tool.name + "\" is not enabled", false));
    const Call call{.tool = request.tool, .parameters = request.arguments};
    ActivityContext activity(context);
    CallInHand in_hand{tool, call, activity};
    Decision decision = approval->decide(in_hand);
    if (auto* const questions = std::get_if<Questions>(&decision)) return next.answer(std::move(*questions));
    if (auto* const refused = std::get_if<Refuse>(&decision)) return next.answer(std::move(refused->result));
    next();
  };
}

RunTool tool_runner(Registry& registry) {
  return [&registry](const std::string& tool, Json parameters, std::stop_token stop,
                     std::function<void(ToolResult)> done) {
    registry.start(
        Call{.tool = tool, .parameters = std::move(parameters)},
        [done = std::move(done)](CompletedCall completed) { done(std::move(completed.result)); },
        CallSettings{.stop = std::move(stop)});
  };
}

}  // namespace

/// Shared with the timer that writes it regularly.
struct ServePolicy::MetricsFile {
  Mutex mutex;
  bool complained TOOLWIRE_GUARDED_BY(mutex) = false;
  std::optional<std::uint64_t> written TOOLWIRE_GUARDED_BY(mutex) = {};
  std::map<std::string, std::uint64_t> starts TOOLWIRE_GUARDED_BY(mutex) = {};  // of each back-end, as counted so far
  BackEnds back_ends TOOLWIRE_GUARDED_BY(mutex) = {};

  void count_restarts(Metrics& metrics) TOOLWIRE_REQUIRES(mutex) {
    if (!back_ends) return;
    for (const auto& back_end : back_ends()) {
      std::uint64_t& counted = starts.try_emplace(back_end->name(), 1).first->second;
      for (const std::uint64_t now = back_end->state().starts; counted < now; ++counted)
        metrics.back_end_restarted(back_end->name());
    }
  }

  void write(Metrics& metrics, const std::string& file) {
    const MutexLock lock(mutex);
    count_restarts(metrics);
    const std::uint64_t version = metrics.version();
    if (written == version) return;
    try {
      metrics.write_file(file);
      written = version;
      complained = false;
    } catch (const std::system_error& error) {
      if (!std::exchange(complained, true)) log_line(std::string("metrics: ") + error.what());
    }
  }
};

ServePolicy::ServePolicy(const ServeOptions& options, Bridge& bridge, Timers& timers)
    : bridge_(bridge),
      timers_(timers),
      metrics_file_(options.metrics),
      cache_(std::make_shared<ResultCache>(ResultCacheSettings{
          .on_hit = [metrics = metrics_](const std::string& tool) { metrics->answered_from_cache(tool); }})),
      approval_(std::make_shared<PreferredApproval>(options.asked_by)),
      file_(std::make_shared<MetricsFile>()) {
  bridge_.approve_with(approval_);
  Registry& registry = bridge_.registry();
  if (!metrics_file_.empty()) {
    registry.observe_with(metrics_observer(metrics_));
    bridge_.server().around_call(for_other_tools(registry, measured(metrics_)));
  }
  if (!options.audit.empty()) {
    const auto log = std::make_shared<AuditLog>(AuditSettings{.file = options.audit});
    registry.observe_with(audit_observer(log));
    bridge_.server().around_call(for_other_tools(registry, audited(log)));
  }
  if (!options.back_ends.empty()) bridge_.server().around_call(for_other_tools(registry, preferred(approval_)));
  use_preferences({});
}

ServePolicy::~ServePolicy() = default;

void ServePolicy::use_preferences(Preferences preferences) {
  approval_->use(preferences);
  bridge_.registry().decorate_with(
      [this, preferences = std::move(preferences)](const ToolDefinition& tool, ActivityPointer inner) {
        return decorated(tool, std::move(inner), preferences);
      });
  forget_results();
}

/// From the innermost: retries, waiting for the end of an operation, remembered results. Functions of this program and
/// the model are not retried: they have no connection that fails.
ActivityPointer ServePolicy::decorated(const ToolDefinition& tool, ActivityPointer inner,
                                       const Preferences& preferences) const {
  if (!inner) return inner;
  const bool has_connection = inner->kind() != "native" && inner->kind() != "latent" && inner->kind() != "constant";
  if (has_connection && tool.metadata.idempotent.value_or(false)) {
    inner = retrying(std::move(inner), timers_,
                     {.on_retry = [metrics = metrics_](const std::string& name) { metrics->retried(name); }});
  }
  if (!tool.metadata.async_behavior.is_null()) {
    std::vector<std::string> problems;
    auto behavior = read_async_behavior(tool.metadata.async_behavior, problems);
    for (const std::string& problem : problems)
      log_line("tool \"" + tool.name + "\": metadata/async_behavior" + problem);
    const std::chrono::seconds first(tool.metadata.timeout_seconds.value_or(0));
    if (behavior)
      inner = polling(std::move(inner), std::move(*behavior), tool_runner(bridge_.registry()), timers_, first);
  }
  const std::chrono::seconds cache = preferences.cache_time(tool.name);
  return cache.count() > 0 ? remembering(std::move(inner), cache_, cache) : inner;
}

void ServePolicy::keep_metrics_file(BackEnds back_ends) {
  if (metrics_file_.empty()) return;
  {
    const MutexLock lock(file_->mutex);
    file_->back_ends = std::move(back_ends);
  }
  write_metrics();
  write_again_later();
}

void ServePolicy::write_metrics() {
  if (!metrics_file_.empty()) file_->write(*metrics_, metrics_file_);
}

void ServePolicy::write_again_later() {
  timers_.after(between_writes, [this] {
    write_metrics();
    write_again_later();
  });
}

}  // namespace toolwire::bridge
