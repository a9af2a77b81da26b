// One bridge put together from options and files: its policies, what runs its tools, scenarios and other servers, and
// what edits change. The same for every command that serves one; does not know how it is reached.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/bridge/bridge.hpp>

#include "activities/mcp/offer.hpp"
#include "commands/kept_listings.hpp"
#include "commands/own_services.hpp"
#include "commands/serve_options.hpp"
#include "commands/serve_policy.hpp"
#include "commands/served_content.hpp"
#include "commands/served_scenarios.hpp"
#include "commands/served_traces.hpp"
#include "commands/status_report.hpp"
#include "commands/status_socket.hpp"
#include "commands/tool_sources.hpp"
#include "commands/unused_settings.hpp"
#include "search/tool_search.hpp"
#include "system/engine_timers.hpp"
#include "system/file_watch.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Where the tools of a bridge are, for its start. Throws std::invalid_argument if they cannot all be used; what is
/// wrong goes to `say`.
ToolSources sources_of(const ServeOptions& options);
LoadedSources load_for_start(ToolSources& sources, const ServeOptions& options,
                             const std::function<void(const std::string&)>& say);

/// Everything that is served, in the reverse order of destruction: what calls use is declared before what makes calls.
/// The options and the sources must outlive it.
class ServedBridge {
 public:
  /// Throws std::invalid_argument for preferences that cannot be used, std::runtime_error for files that cannot be
  /// written.
  ServedBridge(const ServeOptions& options, ToolSources& sources, const LoadedSources& loaded);
  ~ServedBridge() { end(); }
  ServedBridge(const ServedBridge&) = delete;
  ServedBridge& operator=(const ServedBridge&) = delete;

  Bridge& bridge() { return bridge_; }

  struct Waits {
    std::chrono::milliseconds servers{};
    std::chrono::milliseconds runtimes{};
  };
  /// Starts scenarios, runtimes and other servers, and waits for their tools. Throws mcp::StoreError.
  void start(const Waits& waits);
  /// From now on edits are noticed; `loaded` is called after each that was used, on a thread of the engine.
  void watch(std::function<void(const LoadedSources&)> loaded = {});
  /// From now on `toolwire-bridge status` is told how it is doing. Where that cannot be, the log says so.
  void offer_status();
  /// From now on the status says how it is shared; `view` is called from any thread. Before `offer_status`.
  void share(std::function<SharedView()> view) { shared_ = std::move(view); }
  /// Serves those who connect to what its server listens on, until that is stopped; `begun` is called once all is
  /// started. Returns the exit status.
  int run_listening(const Waits& waits, const std::string& where, const std::function<void()>& begun);
  /// A host that shared it (Context::peer_process) has left. From any thread; does not wait.
  void forget(int peer);
  /// What its parts work on.
  const std::shared_ptr<Engine>& engine() const { return engine_; }
  /// With which it reaches others.
  const std::shared_ptr<HttpClient>& http() const { return services_.get().http; }
  /// Of its configuration; null if it has none. Any thread.
  const std::shared_ptr<traces::Traces>& spans() const { return traces_.spans(); }
  /// See report_of. Any thread.
  Json status();
  /// In Prometheus' text form. Any thread.
  std::string metrics();
  /// From now on counts are written to the file that was asked for, if one was.
  void keep_metrics();
  /// Ends what makes calls before the parts that they use are destroyed.
  void end();

 private:
  std::string who_is_missing();
  std::vector<std::string> known_secrets() const;
  bool is_enabled(const ToolDefinition& tool);
  bool wants_tool(const std::string& name, const std::string& origin);
  BridgeOptions with_names(BridgeOptions made);
  void begin_search();
  bool is_always_shown(const std::string& tool);
  void look_at_settings();
  /// There must be an offer.
  UnusedSettings unused_settings() TOOLWIRE_REQUIRES(mutex_);
  void begin_back_ends(const Waits& waits);
  void add_names_of(const ToolDefinition& tool, std::set<std::string>& names) const;
  std::set<std::string> names_of_registry();
  std::set<std::string> names_to_be(const LoadedSources& edited);
  void adjust(ToolInfo& tool, const std::string& origin);
  mcp::Offer& make_offer(mcp::OfferOptions offer);
  std::vector<std::string> names_of_back_ends();
  std::vector<std::shared_ptr<mcp::BackEnd>> back_ends();
  void end_back_ends();
  void use_preferences();
  void use_what_a_person_did();
  void reload();
  using Problem = std::function<void(const std::string&)>;
  bool read_configuration_again(std::optional<Preferences>& edited, const Problem& problem);
  void read_preferences_again(std::optional<Preferences>& edited, const Problem& problem) const;
  void use_edited_preferences(std::optional<Preferences> edited, const LoadedSources& loaded, const Problem& problem)
      TOOLWIRE_REQUIRES(mutex_);

  const ServeOptions& options_;
  ToolSources& sources_;
  const std::shared_ptr<Engine> engine_ = std::make_shared<Engine>();  // all that waits or calls works on it
  EngineTimers timers_{engine_};
  OwnServices services_;
  ServedTraces traces_;
  Bridge bridge_;
  ServePolicy policy_;
  Mutex mutex_;  // guards what a reload changes
  KeptListings kept_;
  ServedContent content_;
  ServedScenarios scenarios_;
  std::optional<mcp::Offer> offer_ TOOLWIRE_GUARDED_BY(mutex_);
  bool looked_at_settings_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::optional<ToolSearch> search_;
  std::function<void(const LoadedSources&)> loaded_;
  std::function<SharedView()> shared_;
  std::optional<FileWatch> watch_;
  std::optional<FileWatch> accepted_watch_;
  std::optional<StatusSocket> status_;
  bool ended_ = false;
};

}  // namespace toolwire::bridge
