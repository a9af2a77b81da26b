#include "commands/serve.hpp"

#include <cstdio>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <toolwire/log_line.hpp>
#include <toolwire/system/signals.hpp>

#include "activities/mcp/offer.hpp"
#include "commands/own_services.hpp"
#include "commands/serve_policy.hpp"
#include "commands/served_content.hpp"
#include "commands/served_scenarios.hpp"
#include "system/file_watch.hpp"
#include "system/program_version.hpp"
#include "system/thread_timers.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

/// Before any thread is started: all inherit it, and the signals are left to the serving thread.
void leave_signals_to_the_server() {
  using system::Signal;
  system::block_signals({Signal::terminate, Signal::interrupt, Signal::hangup, Signal::broken_pipe});
}

BridgeOptions bridge_options(const ServeOptions& options, const LoadedSources& loaded) {
  std::optional<Latent> latent = options.latent_kind;
  std::optional<Dangling> dangling;
  for (const Bindings* const bindings :
       {&loaded.bindings, loaded.sources.empty() ? nullptr : &loaded.sources.front().bindings}) {
    if (bindings == nullptr) continue;
    if (!latent) latent = bindings->latent;
    if (!dangling) dangling = bindings->dangling;
  }
  BridgeOptions made;
  made.registry = {.dangling = dangling.value_or(Dangling::fail), .latent = latent.value_or(Latent::inlined)};
  // A long-running tool may come with an edit or a scenario.
  made.server.declares.tasks = !options.no_watch || !options.scenarios.empty();
  made.server.declares.logging = !options.back_ends.empty();  // they may send log messages
  return made;
}

/// The runtimes of the command line are treated as those of a bindings file for all.
LoadedSources load(ToolSources& sources, const ServeOptions& options,
                   const std::function<void(const std::string&)>& problem) {
  LoadedSources loaded = sources.load(problem);
  for (const auto& [name, settings] : options.runtime_settings)
    loaded.bindings.runtimes.insert_or_assign(name, settings);
  return loaded;
}

/// Everything that is served, in the reverse order of destruction: what calls use is declared before what makes calls.
class Serve {
 public:
  Serve(const ServeOptions& options, ToolSources& sources, const LoadedSources& loaded)
      : options_(options),
        sources_(sources),
        services_({.allowed_addresses = options.allowed_addresses}),
        bridge_(identity_of(loaded), bridge_options(options, loaded)),
        policy_(options, bridge_, timers_),
        content_(bridge_, services_.get(), [](const std::string& text) { log_line(text); }),
        scenarios_(bridge_, services_.get().http, options.scenarios,
                   {.is_enabled = [this](const ToolDefinition& tool) { return is_enabled(tool); },
                    .names_elsewhere = [this] { return names_of_back_ends(); }}) {
    use_preferences();
    content_.apply(loaded, *policy_.approval()->preferences());
  }
  ~Serve() { end(); }
  Serve(const Serve&) = delete;
  Serve& operator=(const Serve&) = delete;

  int run(const CommandLine& line) {
    const bool serving = line.action() == CommandLine::Action::serve;
    scenarios_.start();
    begin_back_ends(serving);
    content_.wait_for_tools(std::chrono::milliseconds(serving ? 700 : 30'000));
    if (serving) watch();
    policy_.keep_metrics_file([this] { return back_ends(); });
    const int status = bridge_.serve_stdio(line);
    end();
    return status;
  }

 private:
  bool is_enabled(const ToolDefinition& tool) { return policy_.approval()->preferences()->is_enabled(tool); }

  /// Starts the other MCP servers, and waits for their tools: briefly while a host waits, longer for a person.
  void begin_back_ends(bool serving) {
    if (options_.back_ends.empty()) return;
    mcp::OfferOptions offer{.start_wait = std::chrono::milliseconds(serving ? 700 : 10'000),
                            .single_use_answers = !options_.preferences.empty(),
                            .wants_tool = [this](const std::string& name) { return is_enabled({.name = name}); },
                            .log = [](const std::string& text) { log_line(text); }};
    for (const ToolPointer& tool : *bridge_.registry().tools().list()) offer.reserved.insert(tool->definition.name);
    make_offer(std::move(offer)).begin();
  }

  mcp::Offer& make_offer(mcp::OfferOptions offer) {
    const MutexLock lock(mutex_);
    return offer_.emplace(bridge_.server(), options_.back_ends, std::move(offer));
  }

  std::vector<std::string> names_of_back_ends() {
    const MutexLock lock(mutex_);
    return offer_ ? offer_->tool_names() : std::vector<std::string>();
  }

  std::vector<std::shared_ptr<mcp::BackEnd>> back_ends() {
    const MutexLock lock(mutex_);
    auto all = content_.back_ends();
    if (offer_) all.insert(all.end(), offer_->back_ends().begin(), offer_->back_ends().end());
    return all;
  }

  /// A file with a problem ends the start; when it was edited, the preferences stay as they were.
  void use_preferences() {
    if (options_.preferences.empty()) return;
    std::vector<ManifestProblem> problems;
    Preferences read = Preferences::read_file(options_.preferences, problems);
    for (const ManifestProblem& problem : problems) log_line(problem.message());
    if (problems.empty()) {
      policy_.use_preferences(std::move(read));
      preferences_used_ = true;
    } else if (!preferences_used_) {
      throw std::invalid_argument("nothing is served while the preferences cannot be used");
    }
  }

  void watch() {
    if (options_.no_watch) return;
    std::vector<std::string> paths = sources_.watched();
    if (!options_.preferences.empty()) paths.push_back(options_.preferences);
    if (paths.empty()) return;
    try {
      watch_.emplace(paths, [this] { reload(); });
    } catch (const std::system_error& error) {
      log_line(std::string("edits will not be noticed: ") + error.what());
    }
  }

  /// On the thread of the watch.
  void reload() {
    try {
      const MutexLock lock(mutex_);
      int problems = 0;
      const LoadedSources loaded = load(sources_, options_, [&](const std::string& text) {
        ++problems;
        log_line(text);
      });
      use_preferences();
      if (loaded.fits) content_.apply(loaded, *policy_.approval()->preferences());
      for (const ToolPointer& tool : *bridge_.registry().tools().list())
        bridge_.registry().enable(tool->definition.name, is_enabled(tool->definition));
      if (offer_) offer_->refresh();
      policy_.forget_results();
      log_line(problems == 0 ? "the files were read again"
               : loaded.fits ? "the files were read again; what is wrong stays as it was"
                             : "the files were read again; they do not fit together, and all tools stay as they were");
    } catch (const std::exception& error) {
      log_line(std::string("the files could not be read again: ") + error.what());
    }
  }

  /// Ends what makes calls before the parts that they use are destroyed.
  void end() {
    if (std::exchange(ended_, true)) return;
    watch_.reset();
    policy_.write_metrics();
    timers_.stop();
    scenarios_.stop();
    services_.close();
  }

  const ServeOptions& options_;
  ToolSources& sources_;
  ThreadTimers timers_;
  OwnServices services_;
  Bridge bridge_;
  ServePolicy policy_;
  Mutex mutex_;  // guards what a reload changes
  ServedContent content_;
  ServedScenarios scenarios_;
  std::optional<mcp::Offer> offer_ TOOLWIRE_GUARDED_BY(mutex_);
  bool preferences_used_ = false;
  std::optional<FileWatch> watch_;
  bool ended_ = false;
};

int serve(ServeOptions& options, const CommandLine& line) {
  interpret(options);
  ToolSources sources(options.files, options.bindings, options.profile);
  const LoadedSources loaded = load(
      sources, options, [](const std::string& text) { std::fprintf(stderr, "toolwire-bridge: %s\n", text.c_str()); });
  if (!loaded.whole || !loaded.fits) throw std::invalid_argument("nothing is served while the files cannot be used");
  return Serve(options, sources, loaded).run(line);
}

}  // namespace

int serve_command(int argc, const char* const* argv) {
  ServeOptions options;
  CommandLine line("toolwire-bridge serve", program_version(),
                   "Offers tools described in native manifests, and what runs behind them, to MCP hosts.");
  add_serve_options(line, options);
  if (const auto status = line.parse(argc, argv)) return *status;
  leave_signals_to_the_server();
  try {
    return serve(options, line);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "toolwire-bridge serve: %s; see --help\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bridge serve: %s\n", error.what());
    return 1;
  }
}

}  // namespace toolwire::bridge
