#include "commands/served_bridge.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <toolwire/redact.hpp>
#include <toolwire/system/log_line.hpp>
#include <toolwire/text.hpp>

#include "commands/back_end_settings.hpp"
#include "commands/bridge_options.hpp"
#include "commands/fits_together.hpp"
#include "commands/logins.hpp"
#include "commands/tool_confinement.hpp"
#include "commands/tool_settings.hpp"
#include "confinement/report.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {
namespace {

/// One that replicas hand long-running calls to.
bool is_worker_of_tasks(const ServeOptions& options) {
  const auto& nats = options.configured ? options.configured->nats : std::nullopt;
  return nats && nats->jetstream && !nats->worker.empty();
}

/// The runtimes of the command line are treated as those of a bindings file for all.
LoadedSources load(ToolSources& sources, const ServeOptions& options,
                   const std::function<void(const std::string&)>& problem) {
  LoadedSources loaded = sources.load(problem);
  Bindings named;
  for (const auto& [name, settings] : options.runtime_settings) {
    named.runtimes.emplace(name, settings);
    loaded.bindings.runtimes.insert_or_assign(name, settings);
  }
  loaded.fits = runtimes_fit(named, problem) && loaded.fits;
  return loaded;
}

std::vector<ManifestProblem> useless_tool_settings(const ServeOptions& options, const Preferences& preferences,
                                                   const LoadedSources& loaded) {
  const OtherTools others = other_tools(options.back_ends, options.scenarios, loaded);
  if (options.configured) {
    auto useless = useless_tool_settings(preferences, options.configuration, "/toolwire/tools", loaded, others);
    std::ranges::move(useless_always_listed(*options.configured, loaded, others), std::back_inserter(useless));
    return useless;
  }
  return useless_tool_settings(preferences, options.preferences, "/tools", loaded, others);
}

Preferences preferences_at_start(const ServeOptions& options) {
  if (options.configured) return options.configured->preferences;
  std::vector<ManifestProblem> said_later;
  return options.preferences.empty() ? Preferences() : Preferences::read_file(options.preferences, said_later);
}

}  // namespace

ToolSources sources_of(const ServeOptions& options) {
  ToolSources sources(options.files, options.bindings, options.profile);
  if (options.only_manifests) sources.expect_manifests();
  if (options.configured) sources.use_bindings(options.configured->bindings);
  return sources;
}

LoadedSources load_for_start(ToolSources& sources, const ServeOptions& options,
                             const std::function<void(const std::string&)>& say) {
  LoadedSources loaded = load(sources, options, say);
  if (!loaded.whole || !loaded.fits) throw std::invalid_argument("nothing is served while the files cannot be used");
  const std::vector<ManifestProblem> useless = useless_tool_settings(options, preferences_at_start(options), loaded);
  for (const ManifestProblem& problem : useless) say(problem.message());
  if (!useless.empty())
    throw std::invalid_argument("nothing is served while there are settings of tools that nothing follows from");
  return loaded;
}

ServedBridge::ServedBridge(const ServeOptions& options, ToolSources& sources, const LoadedSources& loaded)
    : options_(options),
      sources_(sources),
      services_({.allowed_addresses = options.allowed_addresses, .engine = engine_}),
      traces_(options.configured, services_.get()),
      bridge_(identity_of(loaded), with_names(bridge_options(options, loaded, engine_, traces_.spans()))),
      policy_(options, bridge_, timers_, traces_),
      kept_(options.forgetful ? "" : mcp::ListingStore::usual_folder(),
            [](const std::string& text) { log_line(text); }),
      content_(
          bridge_, services_.get(), kept_, [](const std::string& text) { log_line(text); },
          {.calls_scenarios = options.calls_scenarios, .is_shared = options.is_shared, .tracing = traces_.spans()}),
      scenarios_(bridge_, services_.get(), options.scenarios,
                 {.is_enabled =
                      [this](ToolDefinition& tool) {
                        tool = policy_.approval()->preferences()->as_wanted(std::move(tool));
                        return is_enabled(tool);
                      },
                  .names_elsewhere = [this] { return names_of_back_ends(); },
                  // Else whoever answers first, a server or a scenario, would have the name.
                  .prefix = options.back_ends.empty() ? ScenarioPrefix::on_conflict : ScenarioPrefix::always}) {
  use_preferences();
  begin_search();
  content_.apply(loaded, *policy_.approval()->preferences());
}

/// Tools of files under the names that the user has given them. Nothing is served yet.
BridgeOptions ServedBridge::with_names(BridgeOptions made) {
  made.server.why_missing = [this](std::string_view) { return who_is_missing(); };
  made.adjust = [this](const ToolDefinition& tool, ToolInfo& info) {
    const auto preferences = policy_.approval()->preferences();
    if (const auto& wanted = preferences->preference(tool.name, tool.origin).name) info.name = *wanted;
    info.scopes = preferences->scopes(tool.name, tool.origin);
    if (info.long_running && is_worker_of_tasks(options_)) info.meta[mcp::long_running_member] = true;
  };
  return made;
}

/// What the error of a tool that is not there says besides.
std::string ServedBridge::who_is_missing() {
  constexpr std::size_t shown_trouble = 300;  // bytes
  std::string starting, not_running;
  const auto add = [](std::string& names, const std::string& one) { names += (names.empty() ? "" : ", ") + one; };
  const auto look_at = [&](const std::string& who, std::uint64_t failures, const std::string& trouble) {
    if (failures == 0) return add(starting, who);
    if (options_.is_over_http) return add(not_running, who);  // its last words are not for everybody
    const std::string why = redact(text::stripped(trouble), known_secrets());
    add(not_running, who + " (" + std::string(text::head(why, shown_trouble)) + ")");
  };
  for (const auto& one : back_ends()) {
    const mcp::BackEndState state = one->state();
    if (!one->has_answered() || (!state.running && one->tools().empty()))
      look_at("server " + in_quotes(one->name()), state.failures, state.trouble);
  }
  for (const auto& [name, state] : content_.runtime_states()) {
    if (!state.has_listed) look_at("runtime " + in_quotes(name), state.failures, state.trouble);
  }
  if (!starting.empty()) starting.insert(0, "still starting, so that more may come: ");
  if (!not_running.empty()) starting += (starting.empty() ? "" : "; ") + ("not running: " + not_running);
  return starting;
}

std::vector<std::string> ServedBridge::known_secrets() const {
  return options_.configured ? options_.configured->secrets : std::vector<std::string>();
}

void ServedBridge::start(const Waits& waits) {
  scenarios_.start();
  begin_back_ends(waits);
}

void ServedBridge::keep_metrics() {
  policy_.keep_metrics_file([this] { return back_ends(); });
}

void ServedBridge::offer_status() {
  const std::string folder = StatusSocket::usual_folder();
  if (folder.empty()) return;
  try {
    status_.emplace(
        folder, [this] { return status(); }, engine_);
  } catch (const std::exception& error) {
    log_line(std::string("\"toolwire-bridge status\" will not see this bridge: ") + error.what());
  }
}

int ServedBridge::run_listening(const Waits& waits, const std::string& where, const std::function<void()>& begun) {
  offer_status();
  start(waits);
  watch();
  keep_metrics();
  for (const std::string& line : bridge_.registry().diagnostics()) log_line(line);
  log_line("listening on " + where);
  begun();
  const int status = bridge_.server().run();
  end();
  return status;
}

void ServedBridge::forget(int peer) {
  for (const auto& back_end : back_ends()) back_end->forget(peer);
}

Json ServedBridge::status() {
  Reported reported{.files = options_.files,
                    .back_ends = back_ends(),
                    .programs = content_.programs(),
                    .scenarios = scenarios_.views()};
  if (options_.configured) reported.files.insert(reported.files.begin(), options_.configuration);
  reported.secrets = known_secrets();
  for (auto& [name, state] : content_.runtime_states()) reported.runtimes.push_back({name, std::move(state)});
  if (shared_) reported.shared = shared_();
  {
    const MutexLock lock(mutex_);
    if (offer_) reported.unused_settings = unused_settings().all(*policy_.approval()->preferences());
  }
  return report_of(reported);
}

std::string ServedBridge::metrics() {
  return policy_.metrics_text([this] { return back_ends(); });
}

bool ServedBridge::is_enabled(const ToolDefinition& tool) {
  return policy_.approval()->preferences()->is_enabled(tool);
}

/// Of a server. One whose confinement cannot be had is left out.
bool ServedBridge::wants_tool(const std::string& name, const std::string& origin) {
  const auto preferences = policy_.approval()->preferences();
  if (!preferences->is_enabled({.name = name, .origin = origin})) return false;
  const std::string missing = missing_confinement(*preferences, name, origin);
  if (!missing.empty()) log_line(in_quotes(origin) + " is not offered: " + missing);
  return missing.empty();
}

void ServedBridge::begin_search() {
  if (options_.search() == nullptr) return;
  ToolSearchOptions search{.is_shown = [this](const std::string& tool) { return is_always_shown(tool); }};
  for (const mcp::BackEndOptions& one : options_.back_ends) search.sources.push_back(one.name);
  search_.emplace(bridge_.server(), std::move(search));
}

bool ServedBridge::is_always_shown(const std::string& tool) {
  std::string origin;
  {
    const MutexLock lock(mutex_);
    if (offer_) origin = offer_->origin_of(tool);
  }
  return is_always_listed(*options_.search(), tool, origin);
}

/// Once all servers have listed their tools: what nothing follows from is said, as only now it can be known.
void ServedBridge::look_at_settings() {
  const MutexLock lock(mutex_);
  if (!offer_ || !offer_->have_all_answered() || std::exchange(looked_at_settings_, true)) return;
  for (const std::string& line : unused_settings().all(*policy_.approval()->preferences())) log_line(line);
}

UnusedSettings ServedBridge::unused_settings() {
  return {options_, *offer_, names_of_registry(), !options_.scenarios.empty() || content_.has_runtimes()};
}

void ServedBridge::begin_back_ends(const Waits& waits) {
  for (const mcp::BackEndOptions& one : options_.back_ends)
    log_line("server " + in_quotes(one.name) + " " + start_text_of(one));
  mcp::OfferOptions offer{
      .start_wait = waits.servers,
      .single_use_answers = options_.has_preferences(),
      .wants_tool = [this](const std::string& name, const std::string& origin) { return wants_tool(name, origin); },
      .name_for =
          [this](const std::string& origin) {
            return policy_.approval()->preferences()->preference("", origin).name.value_or("");
          },
      .adjust = [this](ToolInfo& tool, const std::string& origin) { adjust(tool, origin); },
      .around =
          [this](ActivityPointer inner, const std::string& name, const std::string& origin) {
            return policy_.around_tool_of_server(std::move(inner), name, origin);
          },
      .all_answered = [this] { timers_.after(std::chrono::milliseconds{0}, [this] { look_at_settings(); }); },
      .log = [](const std::string& text) { log_line(text); },
      .timers = &timers_};
  mcp::Offer& offered = make_offer(std::move(offer));
  offered.start();
  content_.wait_for_tools(waits.runtimes);
  offered.begin(names_of_registry());
  look_at_settings();
}

/// Those that a tool is called by, and that hosts see.
void ServedBridge::add_names_of(const ToolDefinition& tool, std::set<std::string>& names) const {
  names.insert(tool.name);
  if (const auto& wanted = policy_.approval()->preferences()->preference(tool.name).name) names.insert(*wanted);
  if (std::string served = original_name(tool); !served.empty()) names.insert(std::move(served));
}

std::set<std::string> ServedBridge::names_of_registry() {
  std::set<std::string> names;
  for (const auto listed = bridge_.registry().tools().list(); const ToolPointer& tool : *listed)
    add_names_of(tool->definition, names);
  if (search_) names.insert({std::string(search_tool_name), std::string(call_tool_name)});
  return names;
}

/// Of what there is, and of what comes with an edit: those of files and runtimes are theirs before those of servers.
std::set<std::string> ServedBridge::names_to_be(const LoadedSources& edited) {
  std::set<std::string> names = names_of_registry();
  for (const ToolSource& source : edited.sources) {
    for (const ToolDefinition& tool : source.tools.tools) add_names_of(tool, names);
  }
  return names;
}

/// What the user wants of a tool of another server.
void ServedBridge::adjust(ToolInfo& tool, const std::string& origin) {
  const auto preferences = policy_.approval()->preferences();
  const ToolPreference& wanted = preferences->preference(tool.name, origin);
  if (wanted.description) tool.description = *wanted.description;
  if (wanted.deadline) tool.timeout = *wanted.deadline;
  if (wanted.output) tool.output_budget = wanted.output;
  std::ranges::move(preferences->scopes(tool.name, origin), std::back_inserter(tool.scopes));
}

mcp::Offer& ServedBridge::make_offer(mcp::OfferOptions offer) {
  const MutexLock lock(mutex_);
  std::vector<mcp::BackEndOptions> back_ends = options_.back_ends;
  for (mcp::BackEndOptions& one : back_ends) {
    one.http = services_.get().http;
    one.engine = engine_;
    one.tracing = traces_.spans();
    give_login(one, services_.get());
    kept_.prepare(one);
    if (search_) one.start_at_once = false;  // one whose tools are known is started with the first call
  }
  return offer_.emplace(bridge_.server(), std::move(back_ends), std::move(offer));
}

std::vector<std::string> ServedBridge::names_of_back_ends() {
  const MutexLock lock(mutex_);
  return offer_ ? offer_->tool_names() : std::vector<std::string>();
}

std::vector<std::shared_ptr<mcp::BackEnd>> ServedBridge::back_ends() {
  const MutexLock lock(mutex_);
  auto all = content_.back_ends();
  if (offer_) all.insert(all.end(), offer_->back_ends().begin(), offer_->back_ends().end());
  return all;
}

/// A file with a problem ends the start.
void ServedBridge::use_preferences() {
  if (options_.configured) return policy_.use_preferences(options_.configured->preferences);
  if (options_.preferences.empty()) return;
  std::vector<ManifestProblem> problems;
  Preferences read = Preferences::read_file(options_.preferences, problems);
  std::string all;
  for (const ManifestProblem& problem : problems) all += problem.message() + "\n";
  if (!problems.empty()) throw std::invalid_argument(all + "nothing is served while the preferences cannot be used");
  policy_.use_preferences(std::move(read));
}

/// Those of a file of their own, if they can be used.
void ServedBridge::read_preferences_again(std::optional<Preferences>& edited, const Problem& problem) const {
  if (options_.preferences.empty()) return;
  std::vector<ManifestProblem> problems;
  Preferences read = Preferences::read_file(options_.preferences, problems);
  for (const ManifestProblem& found : problems) problem(found.message());
  if (problems.empty()) edited = std::move(read);
}

/// Unless nothing follows from some of them, as a tool without its policy would be the consequence.
void ServedBridge::use_edited_preferences(std::optional<Preferences> edited, const LoadedSources& loaded,
                                          const Problem& problem) {
  const bool can_tell = loaded.whole && loaded.fits;
  if (edited && can_tell) {
    const std::vector<ManifestProblem> useless = useless_tool_settings(options_, *edited, loaded);
    for (const ManifestProblem& one : useless) problem(one.message());
    if (!useless.empty()) edited.reset();
  }
  if (edited && offer_) {
    const std::vector<std::string> mistyped =
        unused_settings().keys_of_edit(*policy_.approval()->preferences(), *edited);
    for (const std::string& line : mistyped) problem(line);
    if (!mistyped.empty()) edited.reset();
  }
  if (edited && options_.only_manifests && edited->need_scopes()) {
    problem("\"scopes\" of tools are for \"serve --listen http://…\"; here nobody would look at them");
    edited.reset();
  }
  if (edited) {
    policy_.use_preferences(std::move(*edited));
    if (!looked_at_settings_) return;
    for (const std::string& line : unused_settings().keys(*policy_.approval()->preferences())) log_line(line);
    return;
  }
  if (options_.has_preferences()) log_line("the preferences stay as they were");
}

void ServedBridge::watch(std::function<void(const LoadedSources&)> loaded) {
  loaded_ = std::move(loaded);
  if (options_.no_watch) return;
  std::vector<std::string> paths = sources_.watched();
  if (!options_.preferences.empty()) paths.push_back(options_.preferences);
  if (!options_.configuration.empty()) paths.push_back(options_.configuration);
  std::vector<std::string> accepted = kept_.files();
  std::ranges::move(login_files(options_.back_ends), std::back_inserter(accepted));
  const auto begin = [this](std::optional<FileWatch>& watch, const std::vector<std::string>& files,
                            std::function<void()> changed, const char* what) {
    try {
      if (!files.empty()) watch.emplace(files, std::move(changed), FileWatch::usual_quiet, engine_);
    } catch (const std::system_error& error) {
      log_line(std::string(what) + " will not be noticed: " + error.what());
    }
  };
  begin(
      watch_, paths, [this] { reload(); }, "edits");
  begin(
      accepted_watch_, accepted, [this] { use_what_a_person_did(); }, "what is accepted, and logins,");
}

/// Somebody has accepted changes of tools, or logged in.
void ServedBridge::use_what_a_person_did() {
  const auto all = back_ends();
  kept_.use_accepted(all);
  for (const auto& one : all) {
    if (one->state().needs_login) one->start();
  }
}

/// In a call of the watch.
void ServedBridge::reload() {
  try {
    const MutexLock lock(mutex_);
    int problems = 0;
    const auto problem = [&](const std::string& text) {
      ++problems;
      log_line(text);
    };
    std::optional<Preferences> edited;
    if (!read_configuration_again(edited, problem))
      return log_line("the configuration was read again; it cannot be used, and everything stays as it was");
    const LoadedSources loaded = load(sources_, options_, problem);
    read_preferences_again(edited, problem);
    use_edited_preferences(std::move(edited), loaded, problem);
    if (loaded.fits) {
      if (offer_) offer_->refresh(names_to_be(loaded));
      content_.apply(loaded, *policy_.approval()->preferences());
    }
    for (const auto listed = bridge_.registry().tools().list(); const ToolPointer& tool : *listed)
      bridge_.registry().enable(tool->definition.name, is_enabled(tool->definition));
    if (offer_) offer_->refresh(names_of_registry());
    policy_.forget_results();
    if (loaded.fits && loaded_) loaded_(loaded);
    log_line(problems == 0 ? "the files were read again"
             : loaded.fits ? "the files were read again; what is wrong stays as it was"
                           : "the files were read again; they do not fit together, and all tools stay as they were");
  } catch (const std::exception& error) {
    log_line(std::string("the files could not be read again: ") + error.what());
  }
}

/// Policies and bindings are used at once, servers from the next start on. False if it has problems.
bool ServedBridge::read_configuration_again(std::optional<Preferences>& edited, const Problem& problem) {
  if (!options_.configured) return true;
  ConfiguredReading read = read_configured(
      options_.configuration, {.profile = options_.configuration_profile, .allow_commands = options_.allow_commands});
  for (const ManifestProblem& found : read.problems) problem(found.message());
  if (!read.configured) return false;
  if (read.configured->at_start != options_.configured->at_start)
    log_line(
        "more than tools, bindings and runtimes has changed in the configuration; the rest is used from the next start "
        "on");
  sources_.use_bindings(std::move(read.configured->bindings));
  edited = std::move(read.configured->preferences);
  return true;
}

void ServedBridge::end() {
  if (std::exchange(ended_, true)) return;
  status_.reset();
  watch_.reset();
  accepted_watch_.reset();
  search_.reset();
  timers_.stop();
  scenarios_.stop();
  end_back_ends();
  traces_.end();
  policy_.write_metrics();
  services_.close();
}

/// All at once. Remote servers are told while there is still somebody who can.
void ServedBridge::end_back_ends() {
  const auto all = back_ends();
  for (const auto& one : all) one->stop();
  for (const auto& one : all) one->end();
}

}  // namespace toolwire::bridge
