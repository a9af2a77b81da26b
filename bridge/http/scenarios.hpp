// The scenarios a bridge consumes: all asked at once, kept, and asked again when it is time. Waits and reports changes;
// what an answer means is decided in scenario_cache.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include <toolwire/detail/event_loop.hpp>
#include "http/scenario_cache.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Thread-safe. `send` must outlive it.
class Scenarios {
 public:
  /// As HttpClient::start.
  using Send = std::function<void(HttpRequest, std::stop_token, HttpClient::Callback)>;

  /// Works on the threads of the engine; without one, has one of its own.
  Scenarios(std::vector<ScenarioSettings> scenarios, Send send, std::shared_ptr<Engine> engine = {});
  /// Ends the requests under way and waits for their callbacks.
  ~Scenarios();
  Scenarios(const Scenarios&) = delete;
  Scenarios& operator=(const Scenarios&) = delete;

  /// Begins to ask. `changed` is called, one call at a time, after a round in which one of the views changed.
  void start(std::function<void()> changed);
  /// Waits until every scenario was asked once, and `changed` was called; no longer than the longest deadline.
  void wait_for_first();
  /// In the order given.
  std::vector<ScenarioView> views() const;

 private:
  using Answers = std::vector<std::pair<std::size_t, HttpOutcome>>;

  void send_due();
  void take_round();
  bool take_answers(Answers&& answers);
  void note_first();
  ScenarioCache::Clock::time_point next_due() const;

  const Send send_;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::vector<ScenarioCache> caches_;  // used on the loop …
  std::vector<bool> under_way_;
  std::vector<ScenarioView> views_ TOOLWIRE_GUARDED_BY(mutex_);  // … and what others see of it
  Answers answers_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t pending_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool all_told_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::function<void()> on_change_;
  std::stop_source stop_;
  std::optional<EventLoop::Timer> timer_;
  EventLoop loop_;  // the last member: it uses the others
};

/// One tool of a scenario as it is offered here.
struct ScenarioTool {
  ToolDefinition tool = {};      // its name is unique here; a stale one is marked in its `_meta`
  std::string remote_name = {};  // what its scenario calls it
  std::string scenario = {};
  std::string base_url = {};                  // where it is executed …
  HttpOrigin origin = HttpOrigin::operators;  // … and who said so
  bool stale = false;
};

/// Whether the names of tools begin with that of their scenario only where they have to, or in any case.
enum class ScenarioPrefix { on_conflict, always };

/// The tools of all scenarios in their order. Of those that share a name, all but the
/// first are called "{scenario}_{name}". A `base_url` that a manifest gives is not
/// trusted, unless it has the origin that the operator wrote. `taken`: names that are
/// not free.
std::vector<ScenarioTool> tools_of(const std::vector<ScenarioView>& views, const std::vector<std::string>& taken = {},
                                   ScenarioPrefix prefix = ScenarioPrefix::on_conflict);

/// The categories of all scenarios; of one id, the first.
std::vector<ToolCategory> categories_of(const std::vector<ScenarioView>& views);

}  // namespace toolwire::bridge
