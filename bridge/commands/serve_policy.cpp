#include "commands/serve_policy.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/system/log_line.hpp>

#include "activities/mcp/offer.hpp"
#include "commands/registry_names.hpp"
#include "commands/tool_confinement.hpp"
#include "manifest/async_behavior.hpp"
#include "policy/polling.hpp"
#include "policy/rated.hpp"
#include "policy/remembering.hpp"
#include "policy/retrying.hpp"
#include "policy/traced.hpp"
#include "search/tool_search.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::chrono::seconds between_writes{2};

/// Applies a policy to tools that are not in the registry (those of whole MCP servers); the registry applies it to its
/// own. The tools of the search only lead to others, whose calls come here by themselves.
Middleware for_other_tools(std::shared_ptr<const RegistryNames> names, std::shared_ptr<PreferredApproval> approval,
                           bool searches, Middleware inner) {
  return [names = std::move(names), approval = std::move(approval), searches, inner = std::move(inner)](
             CallRequest& request, Context& context, Next next) {
    if (names->has(request.tool, approval->preferences()) || (searches && is_search_tool(request.tool))) return next();
    inner(request, context, std::move(next));
  };
}

/// Where a tool of another server comes from; see ToolDefinition::origin.
std::string origin_of(const ToolInfo& tool) {
  const Json* const origin = tool.meta.if_contains(mcp::origin_member);
  return origin != nullptr && origin->is_string() ? std::string(origin->get_string()) : std::string();
}

/// Most tools need nothing but a look at their preference: what a judgement needs is copied for the others.
Middleware preferred(std::shared_ptr<PreferredApproval> approval) {
  return [approval = std::move(approval)](CallRequest& request, Context& context, Next next) {
    const auto preferences = approval->preferences();
    std::string origin = origin_of(request.info);
    const ToolPreference& stated = preferences->preference(request.tool, origin);
    if (!stated.enabled.value_or(true))
      return next.answer(failure("disabled", "\"" + request.tool + "\" is not enabled", false));
    if (const std::string missing = missing_confinement(*preferences, request.tool, origin); !missing.empty())
      return next.answer(failure("disabled", missing, false));
    if (stated.allows_all_calls()) return next();
    ToolDefinition tool{.name = request.tool, .description = request.info.description, .origin = std::move(origin)};
    tool.parameters = request.info.input_schema;
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

/// A file that cannot be written later is said; one that never could ends the start.
void expect_to_write(const Metrics& metrics, const std::string& file) try {
  metrics.write_file(file);
} catch (const std::system_error& error) {
  throw std::runtime_error(std::string("metrics: ") + error.what());
}

}  // namespace

/// Shared with the timer that writes it regularly.
struct ServePolicy::MetricsFile {
  Mutex mutex;
  bool complained TOOLWIRE_GUARDED_BY(mutex) = false;
  std::optional<std::uint64_t> written TOOLWIRE_GUARDED_BY(mutex) = {};
  std::map<std::string, std::uint64_t> starts TOOLWIRE_GUARDED_BY(mutex) = {};  // of each back-end, as counted so far
  BackEnds back_ends TOOLWIRE_GUARDED_BY(mutex) = {};

  void count_restarts(Metrics& metrics, const BackEnds& of) TOOLWIRE_REQUIRES(mutex) {
    if (!of) return;
    for (const auto& back_end : of()) {
      std::uint64_t& counted = starts.try_emplace(back_end->name(), 1).first->second;
      for (const std::uint64_t now = back_end->state().starts; counted < now; ++counted)
        metrics.back_end_restarted(back_end->name());
    }
  }

  void write(Metrics& metrics, const std::string& file) {
    const MutexLock lock(mutex);
    count_restarts(metrics, back_ends);
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

ServePolicy::ServePolicy(const ServeOptions& options, Bridge& bridge, Timers& timers, const ServedTraces& traces)
    : bridge_(bridge),
      timers_(timers),
      traces_(traces.spans()),
      metrics_file_(options.metrics),
      cache_(std::make_shared<ResultCache>(ResultCacheSettings{
          .time_to_live =
              [this](const ToolInfo& tool) { return approval_->preferences()->cache_time(tool.name, origin_of(tool)); },
          .on_hit = [metrics = metrics_](const std::string& tool) { metrics->answered_from_cache(tool); }})),
      approval_(std::make_shared<PreferredApproval>(options.asked_by)),
      file_(std::make_shared<MetricsFile>()) {
  if (!metrics_file_.empty()) expect_to_write(*metrics_, metrics_file_);
  bridge_.approve_with(approval_);
  Registry& registry = bridge_.registry();
  const auto names = std::make_shared<const RegistryNames>(registry.tools());
  const auto of_others = [this, names, searches = options.search() != nullptr](Middleware inner) {
    return for_other_tools(names, approval_, searches, std::move(inner));
  };
  if (!metrics_file_.empty() || options.is_over_http) {
    registry.observe_with(metrics_observer(metrics_));
    bridge_.server().around_call(of_others(measured(metrics_)));
    bridge_.server().on_refused_call(refused_calls_measured(metrics_));
  }
  if (traces.spans()) {
    metrics_->watch_total("toolwire_spans_exported_total", "Spans that the collector of traces has taken.",
                          [&traces] { return static_cast<double>(traces.counts()->exported); });
    metrics_->watch_total("toolwire_spans_lost_total", "Spans that it has not.",
                          [&traces] { return static_cast<double>(traces.counts()->lost); });
  }
  if (!options.audit.empty()) {
    const auto log = std::make_shared<AuditLog>(
        AuditSettings{.file = options.audit,
                      .secrets = options.configured ? options.configured->secrets : std::vector<std::string>()});
    registry.observe_with(audit_observer(log));
    bridge_.server().around_call(of_others(audited(log)));
    bridge_.server().on_refused_call(refused_calls_audited(log));
  }
  if (!options.back_ends.empty()) {
    const auto& shared = registry.options().rates;
    bridge_.server().around_call(of_others(
        rated(shared ? shared : memory_rate_store(), [approval = approval_](const ToolInfo& tool) -> std::int64_t {
          return approval->preferences()->preference(tool.name, origin_of(tool)).rate_per_minute.value_or(0);
        })));
    bridge_.server().around_call(of_others(preferred(approval_)));
    bridge_.server().around_call(of_others(cached(cache_)));
  }
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

/// From the innermost: its span, retries, waiting for the end of an operation, remembered results. Functions of this
/// program and the model are not retried: they have no connection that fails.
ActivityPointer ServePolicy::decorated(const ToolDefinition& tool, ActivityPointer inner,
                                       const Preferences& preferences) const {
  if (!inner) return inner;
  const bool has_connection = inner->kind() != "native" && inner->kind() != "latent" && inner->kind() != "constant";
  const bool retries =
      preferences.preference(tool.name, tool.origin).retry.value_or(tool.metadata.idempotent.value_or(false));
  // What is sent to other servers is followed there.
  if (traces_ && has_connection && inner->kind() != "mcp" && inner->kind() != "nats")
    inner = traced(std::move(inner), traces_);
  if (has_connection && retries) inner = retried(std::move(inner));
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

ActivityPointer ServePolicy::retried(ActivityPointer inner) const {
  return retrying(std::move(inner), timers_,
                  {.on_retry = [metrics = metrics_](const std::string& name) { metrics->retried(name); }});
}

ActivityPointer ServePolicy::around_tool_of_server(ActivityPointer inner, const std::string& name,
                                                   const std::string& origin) const {
  const bool retries = approval_->preferences()->preference(name, origin).retry.value_or(false);
  return retries ? retried(std::move(inner)) : nullptr;
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

std::string ServePolicy::metrics_text(const BackEnds& back_ends) {
  {
    const MutexLock lock(file_->mutex);
    file_->count_restarts(*metrics_, back_ends);
  }
  return metrics_->text();
}

void ServePolicy::write_again_later() {
  timers_.after(between_writes, [this] {
    write_metrics();
    write_again_later();
  });
}

}  // namespace toolwire::bridge
