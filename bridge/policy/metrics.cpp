#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <toolwire/bridge/metrics.hpp>
#include <toolwire/system/new_file.hpp>

#include "policy/metrics_text.hpp"
#include "policy/observed_call.hpp"
#include "registry/outcome_code.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

struct Metrics::Counts {
  struct Watched {
    std::string name;
    std::string help;
    std::function<double()> read;
    std::string_view type;
  };
  using ByName = std::map<std::string, std::uint64_t>;

  mutable Mutex mutex;
  std::uint64_t version TOOLWIRE_GUARDED_BY(mutex) = 0;
  std::int64_t in_flight TOOLWIRE_GUARDED_BY(mutex) = 0;
  std::map<std::pair<std::string, std::string>, std::uint64_t> calls TOOLWIRE_GUARDED_BY(mutex);
  std::map<std::string, DurationHistogram> durations TOOLWIRE_GUARDED_BY(mutex);
  ByName retries TOOLWIRE_GUARDED_BY(mutex);
  ByName cache_hits TOOLWIRE_GUARDED_BY(mutex);
  ByName restarts TOOLWIRE_GUARDED_BY(mutex);
  std::vector<Watched> watched TOOLWIRE_GUARDED_BY(mutex);

  void count(ByName Counts::*what, const std::string& name) {
    const MutexLock lock(mutex);
    ++version;
    ++(this->*what)[name];
  }

  void append_calls(std::string& out) const TOOLWIRE_REQUIRES(mutex) {
    append_head(out, "toolwire_calls_total", "counter", "Calls that ended, by outcome.");
    for (const auto& [key, count] : calls)
      append_sample(out, "toolwire_calls_total", {{"tool", key.first}, {"outcome", key.second}},
                    static_cast<double>(count));
    append_head(out, "toolwire_call_duration_seconds", "histogram", "How long calls took.");
    for (const auto& [tool, histogram] : durations)
      append_histogram(out, "toolwire_call_duration_seconds", {{"tool", tool}}, histogram);
    append_head(out, "toolwire_calls_in_flight", "gauge", "Calls that have not ended.");
    append_sample(out, "toolwire_calls_in_flight", {}, static_cast<double>(in_flight));
  }

  static void append_all(std::string& out, std::string_view name, std::string_view help, std::string_view label,
                         const ByName& counts) {
    append_head(out, name, "counter", help);
    for (const auto& [value, count] : counts) append_sample(out, name, {{label, value}}, static_cast<double>(count));
  }
};

Metrics::Metrics() : counts_(std::make_unique<Counts>()) {}
Metrics::~Metrics() = default;

void Metrics::call_begins() {
  const MutexLock lock(counts_->mutex);
  ++counts_->version;
  ++counts_->in_flight;
}

void Metrics::call_ends(const std::string& tool, const std::string& outcome, std::chrono::steady_clock::duration time) {
  const MutexLock lock(counts_->mutex);
  ++counts_->version;
  --counts_->in_flight;
  ++counts_->calls[{tool, outcome}];
  counts_->durations[tool].add(std::chrono::duration<double>(time).count());
}

void Metrics::retried(const std::string& tool) { counts_->count(&Counts::retries, tool); }
void Metrics::answered_from_cache(const std::string& tool) { counts_->count(&Counts::cache_hits, tool); }
void Metrics::back_end_restarted(const std::string& back_end) { counts_->count(&Counts::restarts, back_end); }

void Metrics::watch(std::string name, std::string help, std::function<double()> read) {
  const MutexLock lock(counts_->mutex);
  counts_->watched.push_back({std::move(name), std::move(help), std::move(read), "gauge"});
}

void Metrics::watch_total(std::string name, std::string help, std::function<double()> read) {
  const MutexLock lock(counts_->mutex);
  counts_->watched.push_back({std::move(name), std::move(help), std::move(read), "counter"});
}

std::string Metrics::text() const {
  std::string out;
  std::vector<Counts::Watched> watched;
  {
    const MutexLock lock(counts_->mutex);
    counts_->append_calls(out);
    Counts::append_all(out, "toolwire_retries_total", "Further attempts after a failed connection.", "tool",
                       counts_->retries);
    Counts::append_all(out, "toolwire_cache_hits_total", "Answers that were remembered.", "tool", counts_->cache_hits);
    Counts::append_all(out, "toolwire_back_end_restarts_total", "Back-ends that were started again.", "back_end",
                       counts_->restarts);
    watched = counts_->watched;
  }
  for (const Counts::Watched& one : watched) {  // read without the lock: they may have one of their own
    append_head(out, one.name, one.type, one.help);
    append_sample(out, one.name, {}, one.read());
  }
  return out;
}

std::uint64_t Metrics::version() const {
  const MutexLock lock(counts_->mutex);
  return counts_->version;
}

void Metrics::write_file(const std::string& file) const { system::replace_file(file, text()); }

namespace {

class MetricsObserver : public Observer {
 public:
  explicit MetricsObserver(std::shared_ptr<Metrics> metrics) : metrics_(std::move(metrics)) {}

  void began(const CallInHand&) override { metrics_->call_begins(); }
  void ended(const CallInHand& call, const CallEnd& end) override {
    metrics_->call_ends(call.tool.name, std::string(end.code), end.duration);
  }

 private:
  const std::shared_ptr<Metrics> metrics_;
};

}  // namespace

std::shared_ptr<Observer> metrics_observer(std::shared_ptr<Metrics> metrics) {
  return std::make_shared<MetricsObserver>(std::move(metrics));
}

Middleware measured(std::shared_ptr<Metrics> metrics) {
  return [metrics = std::move(metrics)](CallRequest& request, Context& context, Next next) {
    metrics->call_begins();
    observe(request, context, std::move(next), [metrics, tool = request.tool](const CallEnd& end) {
      metrics->call_ends(tool, std::string(end.code), end.duration);
    });
  };
}

RefusedLook refused_calls_measured(std::shared_ptr<Metrics> metrics) {
  return [metrics = std::move(metrics)](const CallRequest& call, const Context&, const ToolResult& answer) {
    metrics->call_begins();
    metrics->call_ends(call.tool, code_of(AnyOutcome(answer)), {});
  };
}

}  // namespace toolwire::bridge
