// Standard input and output as the connection, and the process around it: options, signals, the exit, the hint for
// people.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <toolwire/system/signals.hpp>
#include <toolwire/system/standard_streams.hpp>

#include "log/log.hpp"
#include "server/program.hpp"
#include "server/session.hpp"
#include "server/state.hpp"
#include "server/trace.hpp"
#include "system/memory.hpp"
#include "toolwire/command_line.hpp"
#include "transport/stdio_transport.hpp"

namespace toolwire {
namespace {

using Trace = std::optional<server::TraceFile>;

void explain_on_terminal(const ServerInfo& info) {
  if (!system::is_terminal(system::StandardStream::input)) return;
  std::fprintf(stderr,
               "%s %s is an MCP server: an editor or agent starts it and speaks JSON-RPC with it, a message a line. "
               "Try --list or --help.\n",
               info.name.c_str(), info.version.c_str());
}

/// Ends the process although a tool that ignores its stop token is still running.
[[noreturn]] void leave_at_once(Trace& trace) {
  process::log("a tool would not stop; leaving without it");
  if (trace) trace->flush(std::chrono::milliseconds(20));
  process::flush_log(20);
  std::_Exit(0);
}

/// An engine that clients may connect to, and that ends with the process.
std::shared_ptr<engine::Engine> begin_serving(Server::State& state, Trace& trace) {
  const bool has_monitor = state.options.threads > 0 || state.options.engine;
  if (has_monitor)
    system::block_signals({system::Signal::terminate, system::Signal::interrupt});  // only the monitor takes them
  return state.serving.begin(
      state, {.take_signals = has_monitor, .has_listeners = true, .abandon = [&trace] { leave_at_once(trace); }});
}

int serve(Server::State& state, Trace& trace) {
  explain_on_terminal(state.info);
  transport::StdioTransport plain;  // before anything else takes the descriptor of a stream that is closed
  const auto engine = begin_serving(state, trace);
  std::optional<server::Trace> traced;
  if (trace) traced.emplace(plain, *trace);
  Transport& connection = traced ? static_cast<Transport&>(*traced) : plain;
  server::Session session(state, connection, engine, {.ended = [&engine] { engine->stop(); }});
  session.attach();
  state.serving.run(engine);
  process::flush_log(100);
  return 0;
}

/// Returns whether the trace the command line asks for, if any, could be begun.
bool begin_trace(Trace& trace, const CommandLine& line, const Server::State& state) {
  if (line.trace_file().empty()) return true;
  try {
    trace.emplace(line.trace_file(), server::TraceFile::Heading{state.info.name, state.info.version,
                                                                state.options.limits.line, state.options.secrets});
    return true;
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s: cannot write the trace to %s: %s\n", line.name().c_str(), line.trace_file().c_str(),
                 error.code().message().c_str());
    return false;
  }
}

/// Messages logged meanwhile belong to the output that the command line requested.
int with_log(int status) {
  process::flush_log(1000);
  return status;
}

std::string summary_of(const ServerInfo& info) {
  return info.description.empty() ? "An MCP server: an editor or agent starts it and uses its tools."
                                  : info.description;
}

int run_line(Server::State& state, const CommandLine& line) {
  Trace trace;
  if (line.action() == CommandLine::Action::list) return with_log(server::list_tools(state, line));
  if (!begin_trace(trace, line, state)) return 2;
  if (line.action() == CommandLine::Action::call)
    return with_log(server::call_tool(state, line, trace ? &*trace : nullptr));
  try {
    return serve(state, trace);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: there is not enough memory to begin: a line of up to %zu bytes has to find room\n",
                 line.name().c_str(), state.options.limits.line);
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s: cannot begin: %s\n", line.name().c_str(), error.what());
  }
  return 2;
}

}  // namespace

/// Its program may be more than a server: nothing of the allocator is set.
int Server::run_stdio() { return run_line(*state_, CommandLine(state_->info.name, state_->info.version, {})); }

int Server::run_stdio(int argc, const char* const* argv) {
  CommandLine line(state_->info.name, state_->info.version, summary_of(state_->info));
  if (const auto status = line.parse(argc, argv)) return *status;
  return run_stdio(line);
}

int Server::run() {
  if (state_->serving.is_without_listeners()) throw std::logic_error("there is nothing to serve: call listen first");
  Trace none;
  const auto engine = begin_serving(*state_, none);
  state_->serving.run(engine);
  process::flush_log(100);
  return 0;
}

int Server::run_stdio(const CommandLine& line) {
  system::let_go_of_large_memory();
  return run_line(*state_, line);
}

}  // namespace toolwire
