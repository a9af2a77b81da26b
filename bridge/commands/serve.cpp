#include "commands/serve.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <toolwire/system/log_line.hpp>
#include <toolwire/system/signals.hpp>
#include <toolwire/system/state_secrets.hpp>

#include <toolwire/system/network_address.hpp>
#include "authorization/protect.hpp"
#include "commands/kept_log.hpp"
#include "commands/listen_options.hpp"
#include "commands/served_bridge.hpp"
#include "commands/shared_bridge.hpp"
#include "commands/start_failure.hpp"
#include "commands/status_pages.hpp"
#include "system/file_watch.hpp"
#include "system/program_version.hpp"

namespace toolwire::bridge {
namespace {

/// Before any thread is started: all inherit it, and the signals are left to the serving thread. Where nobody is
/// served they end the process, and what it has started ends with it.
void leave_signals_to_the_server(CommandLine::Action action) {
  using system::Signal;
  system::block_signals({Signal::broken_pipe});
  if (action == CommandLine::Action::serve)
    system::block_signals({Signal::terminate, Signal::interrupt, Signal::hangup});
}

int run(ServedBridge& served, const ServeOptions& options, const CommandLine& line) {
  using std::chrono::milliseconds;
  if (line.action() == CommandLine::Action::serve) served.offer_status();  // also of what it waits for now
  if (line.action() == CommandLine::Action::serve) {
    served.start({.servers = options.start_wait, .runtimes = options.start_wait});
    served.watch();
  } else {  // a person has more patience than a host
    served.start({.servers = milliseconds(10'000), .runtimes = milliseconds(30'000)});
  }
  served.keep_metrics();
  const int status = served.bridge().serve_stdio(line);
  served.end();
  return status;
}

/// Who may call is known from the start on; what was edited since then counts, too.
void watch(TokenFile& tokens, const std::shared_ptr<Engine>& engine, std::optional<FileWatch>& edits) {
  try {
    edits.emplace(
        std::vector{tokens.path()}, [&tokens] { tokens.read_again(); }, FileWatch::usual_quiet, engine);
  } catch (const std::system_error& error) {
    return log_line(std::string("edits of the file of tokens will not be noticed: ") + error.what());
  }
  tokens.read_again();
}

int run_http(ServedBridge& served, const ServeOptions& options, const Listening& listening) {
  http::Port port = *listening.http;
  if (options.configured && options.configured->authorization)
    protect(port, *options.configured->authorization, served.http());
  port.pages = status_pages_of(served);
  std::optional<FileWatch> edits;
  if (listening.tokens && !options.no_watch) watch(*listening.tokens, served.engine(), edits);
  const std::uint16_t number = http::listen(served.bridge().server(), port);
  const std::string where =
      "http://" + system::in_brackets(port.address) + ":" + std::to_string(number) + port.handler.path;
  served.share([where, log = listening.log] { return SharedView{.where = where, .log = log}; });
  return served.run_listening({.servers = options.start_wait, .runtimes = options.start_wait}, where, [] {});
}

int run(ServedBridge& served, const ServeOptions& options, const Listening& listening) {
  std::optional<KeptLog> log;
  if (!listening.log.empty()) log.emplace(listening.log, served.engine());
  return listening.http ? run_http(served, options, listening) : run_shared(served, options, listening);
}

/// A setting that does nothing, and a program that is to do something nobody told it, start nothing.
void check_redis(const ServeOptions& options, const std::string& program) {
  const bool is_set = options.configured && options.configured->redis;
  if (is_set && !options.use_redis)
    throw std::invalid_argument("\"redis\" is for toolwire-cluster; " + program + " keeps nothing there");
  if (!is_set && options.use_redis)
    throw std::invalid_argument("expected a configuration with \"redis\", where replicas keep what they share");
}

void use_nats(ServeOptions& options, const ServeProgram& program) {
  if (!options.configured || !options.configured->nats) return;
  if (!program.use_nats)
    throw std::invalid_argument("\"nats\" is for toolwire-cluster; " + program.name + " reaches nobody there");
  program.use_nats(*options.configured->nats, options);
}

int serve(ServeOptions& options, const ListenOptions& listen, const CommandLine& line, const ServeProgram& program) {
  const auto say = [&](const std::string& text) {
    std::fprintf(stderr, "%s: %s\n", program.name.c_str(), text.c_str());
  };
  (void)system::state_secrets();  // with one that is too short nothing begins
  interpret(options, say);
  check_redis(options, program.name);
  use_nats(options, program);
  const std::optional<Listening> listening = listening_of(listen, options, line.action());
  options.is_shared = listening.has_value();
  if (listening) options.ending = listening->ending;
  options.is_over_http = listening && listening->http;
  for (mcp::BackEndOptions& one : options.back_ends) one.shared = options.is_shared;
  ToolSources sources = sources_of(options);
  ServedBridge served(options, sources, load_for_start(sources, options, say));
  return listening ? run(served, options, *listening) : run(served, options, line);
}

}  // namespace

int serve_command(int argc, const char* const* argv, const ServeProgram& program) {
  const std::string command = program.name + " serve";
  ServeOptions options;
  options.use_redis = program.use_redis;
  ListenOptions listen{.ends_in_order = program.is_replica};
  CommandLine line(command, program_version(),
                   "Offers tools described in native manifests, and what runs behind them, to MCP hosts.");
  add_serve_options(line, options);
  add_listen_options(line, listen);
  if (const auto status = line.parse(argc, argv)) return *status;
  leave_signals_to_the_server(line.action());
  try {
    return serve(options, listen, line, program);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: %s; see --help\n", command.c_str(), error.what());
    return 2;
  } catch (const mcp::StoreError& error) {
    std::fprintf(stderr, "%s: %s\n", command.c_str(), error.what());
    return 2;
  } catch (const std::exception& error) {
    return report_failed_start(command.c_str(), error);
  }
}

}  // namespace toolwire::bridge
