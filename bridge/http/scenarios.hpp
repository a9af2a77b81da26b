// The scenarios a bridge consumes: all asked at once, kept, and asked again when it is time. Waits and reports changes;
// what an answer means is decided in scenario_cache.
#pragma once

#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "http/scenario_cache.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Thread-safe. Has a thread of its own from `start` on. `send` must outlive it.
class Scenarios {
 public:
  /// As HttpClient::start.
  using Send = std::function<void(HttpRequest, std::stop_token, HttpClient::Callback)>;

  Scenarios(std::vector<ScenarioSettings> scenarios, Send send);
  /// Ends the requests under way and waits for their callbacks.
  ~Scenarios();
  Scenarios(const Scenarios&) = delete;
  Scenarios& operator=(const Scenarios&) = delete;

  /// Begins to ask. `changed` is called on the thread of the scenarios after a round in which one of the views changed.
  void start(std::function<void()> changed);
  /// Waits until every scenario was asked once, and `changed` was called; no longer than the longest deadline.
  void wait_for_first();
  /// In the order given.
  std::vector<ScenarioView> views() const;

 private:
  using Answers = std::vector<std::pair<std::size_t, HttpOutcome>>;

  void run(const std::stop_token& stop);
  void send_due(const std::stop_token& stop);
  bool take_answers(Answers&& answers);
  void note_first();
  ScenarioCache::Clock::time_point next_due() const;

  const Send send_;
  mutable Mutex mutex_;
  StoppableConditionVariable changed_;
  std::vector<ScenarioCache> caches_;  // the thread's own …
  std::vector<bool> under_way_;
  std::vector<ScenarioView> views_ TOOLWIRE_GUARDED_BY(mutex_);  // … and what others see of it
  Answers answers_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t pending_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool all_told_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::function<void()> on_change_;
  std::jthread thread_;
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
