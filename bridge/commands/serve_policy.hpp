// The policies of a served bridge, put together: who is asked, what is retried, followed, remembered, counted and
// recorded. Each of them is in policy/; this only connects them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <toolwire/bridge/audit.hpp>
#include <toolwire/bridge/bridge.hpp>
#include <toolwire/bridge/metrics.hpp>
#include <toolwire/bridge/result_cache.hpp>

#include "activities/mcp/back_end.hpp"
#include "commands/serve_options.hpp"
#include "commands/served_traces.hpp"
#include "system/timers.hpp"

namespace toolwire::bridge {

/// The bridge, the timers and the traces must outlive it and its calls. `use_preferences` is for one thread at a time.
class ServePolicy {
 public:
  using BackEnds = std::function<std::vector<std::shared_ptr<mcp::BackEnd>>()>;

  /// Throws std::runtime_error naming a file that cannot be written.
  ServePolicy(const ServeOptions& options, Bridge& bridge, Timers& timers, const ServedTraces& traces);
  ~ServePolicy();
  ServePolicy(const ServePolicy&) = delete;
  ServePolicy& operator=(const ServePolicy&) = delete;

  /// From the next call on.
  void use_preferences(Preferences preferences);
  const std::shared_ptr<PreferredApproval>& approval() const { return approval_; }
  /// What stands around a call of a tool of another server; null: nothing does.
  ActivityPointer around_tool_of_server(ActivityPointer inner, const std::string& name,
                                        const std::string& origin) const;
  /// Forgets remembered results: the tools may have changed.
  void forget_results() { cache_->clear(); }

  /// Counts restarts and writes the metrics file now and then, from now on until `write_metrics` for the last time.
  void keep_metrics_file(BackEnds back_ends);
  void write_metrics();
  /// The counts as they are now, in Prometheus' text form. Any thread.
  std::string metrics_text(const BackEnds& back_ends);

 private:
  ActivityPointer decorated(const ToolDefinition& tool, ActivityPointer inner, const Preferences& preferences) const;
  ActivityPointer retried(ActivityPointer inner) const;
  void write_again_later();

  Bridge& bridge_;
  Timers& timers_;
  const std::shared_ptr<const traces::Traces> traces_;
  const std::string metrics_file_;
  const std::shared_ptr<Metrics> metrics_ = std::make_shared<Metrics>();
  const std::shared_ptr<ResultCache> cache_;
  const std::shared_ptr<PreferredApproval> approval_;
  struct MetricsFile;
  const std::shared_ptr<MetricsFile> file_;
};

}  // namespace toolwire::bridge
