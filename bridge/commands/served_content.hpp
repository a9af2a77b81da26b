// What the files say, put into a bridge: tools, the Activities behind them, which are enabled. Again after each edit;
// what has not changed stays. Reads no files.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <toolwire/bridge/bridge.hpp>

#include "activities/factory.hpp"
#include "activities/mcp/back_end.hpp"
#include "commands/kept_listings.hpp"
#include "commands/served_runtimes.hpp"
#include "commands/tool_sources.hpp"
#include "policy/preferences.hpp"

namespace toolwire::bridge {

class WantedConfinements;

/// One thread at a time. The bridge must outlive it; destruction ends the MCP servers and runtimes of
/// bindings.
class ServedContent {
 public:
  using Problem = std::function<void(const std::string&)>;

  struct Options {
    bool calls_scenarios = true;  // the `base_url` of a manifest says what runs tools without a binding
    bool is_shared = false;       // several hosts call its tools
    std::shared_ptr<const traces::Traces> tracing = {};  // follows what is sent to MCP servers; empty: nobody does
  };

  /// `kept` outlives it.
  ServedContent(Bridge& bridge, ActivityServices services, KeptListings& kept, Problem problem, Options options);
  ~ServedContent();
  ServedContent(const ServedContent&) = delete;
  ServedContent& operator=(const ServedContent&) = delete;

  /// Calls in progress finish with what they began with. A tool that cannot be used is reported and left out; one whose
  /// binding cannot be used, or is gone, keeps what ran it before, or fails with the reason: it never becomes latent.
  void apply(const LoadedSources& loaded, const Preferences& preferences);
  /// Until the runtimes of bindings have listed their tools, or failed to.
  void wait_for_tools(std::chrono::milliseconds time) { runtimes_.wait_for_tools(time); }
  bool has_runtimes() const { return runtimes_.are_there(); }
  /// Those that tools of files are run by, and runtimes. Any thread.
  std::vector<ConfinedProgram> programs() const;
  /// The MCP servers of bindings, for those who count their restarts.
  std::vector<std::shared_ptr<mcp::BackEnd>> back_ends() const;
  /// What has happened to the runtimes so far, by name. From any thread.
  std::map<std::string, runtimes::PoolState> runtime_states() const { return runtimes_.states(); }

 private:
  struct Bound {
    const Bindings* bindings;
    const Binding* binding;
  };
  using BoundNames = std::map<std::string, Bound>;
  struct Server {
    Json settings;
    std::shared_ptr<mcp::BackEnd> back_end;
  };

  void replace_activities(ActivityRegistry::Snapshot activities);
  static BoundNames bound_names(const LoadedSources& loaded, const ToolSource& source);
  void bind(const BoundNames& bound, const ToolSource& source, std::vector<ToolDefinition>& tools,
            const WantedConfinements& wanted, ActivityRegistry::Snapshot& activities);
  void fail_what_was_bound(const BoundNames& bound, const LoadedSources& loaded, const ToolSource& source,
                           const std::vector<ToolDefinition>& tools, ActivityRegistry::Snapshot& activities) const;
  ActivityPointer kept_or_failing(const std::string& name, std::string why) const;
  ActivityPointer activity_of(const std::string& name, const Bound& bound, const ToolDefinition* tool,
                              const Confinement* wanted, Findings& findings);
  ActivityPointer mcp_activity(const std::string& name, const Bound& bound, Findings& findings);
  ActivityPointer runtime_activity(const std::string& name, const Bound& bound, Findings& findings) const;
  void add_scenario_activities(const ToolSource& source, const std::vector<ToolDefinition>& tools,
                               ActivityRegistry::Snapshot& activities);
  void offer(const ToolSource& source, std::vector<ToolDefinition> tools);
  void describe(const LoadedSources& loaded);

  Bridge& bridge_;
  const ActivityServices services_;
  KeptListings& kept_;
  const Options options_;
  const Problem problem_;
  std::vector<std::string> providers_;
  std::vector<std::string> activities_;
  std::vector<std::string> unconfined_;  // of which it was said last
  std::set<std::string, std::less<>> ever_bound_;
  std::map<std::string, Server> servers_;
  ServedRuntimes runtimes_;
};

/// Who the bridge says it is: the scenario, if all of its tools are of one manifest.
ServerInfo identity_of(const LoadedSources& loaded);

}  // namespace toolwire::bridge
