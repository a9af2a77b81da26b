// Standard input and output as the connection, and the process around it: options, signals, the exit, the hint for
// people.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <toolwire/system/signals.hpp>
#include <toolwire/system/standard_streams.hpp>
#include <vector>

#include "log/log.hpp"
#include "server/process_arguments.hpp"
#include "server/program.hpp"
#include "server/session.hpp"
#include "server/state.hpp"
#include "server/trace.hpp"
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

int serve(Server::State& state, Trace& trace) {
  explain_on_terminal(state.info);
  const bool has_monitor = state.options.threads > 0;
  if (has_monitor)
    system::block_signals({system::Signal::terminate, system::Signal::interrupt});  // only the monitor takes them
  transport::StdioTransport plain;
  std::optional<server::Trace> traced;
  if (trace) traced.emplace(plain, *trace);
  Transport& connection = traced ? static_cast<Transport&>(*traced) : plain;
  server::Session(state, connection, {.take_signals = has_monitor, .abandon = [&trace] { leave_at_once(trace); }})
      .run();
  process::flush_log(100);
  return 0;
}

/// Returns whether the trace the command line asks for, if any, could be begun.
bool begin_trace(Trace& trace, const CommandLine& line, const Server::State& state) {
  if (line.trace_file().empty()) return true;
  try {
    trace.emplace(line.trace_file(),
                  server::TraceFile::Heading{state.info.name, state.info.version, state.options.limits.line});
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

}  // namespace

int Server::run_stdio() {
  const auto arguments = server::process_arguments();
  if (!arguments || !server::ask_for_options(*arguments)) {
    CommandLine none(state_->info.name, state_->info.version, {});
    return run_stdio(none);
  }
  std::vector<const char*> words;
  for (const std::string& argument : *arguments) words.push_back(argument.c_str());
  return run_stdio(static_cast<int>(words.size()), words.data());
}

int Server::run_stdio(int argc, const char* const* argv) {
  CommandLine line(state_->info.name, state_->info.version, summary_of(state_->info));
  if (const auto status = line.parse(argc, argv)) return *status;
  return run_stdio(line);
}

int Server::run_stdio(const CommandLine& line) {
  Trace trace;
  if (line.action() == CommandLine::Action::list) return with_log(server::list_tools(*state_, line));
  if (!begin_trace(trace, line, *state_)) return 2;
  if (line.action() == CommandLine::Action::call)
    return with_log(server::call_tool(*state_, line, trace ? &*trace : nullptr));
  return serve(*state_, trace);
}

}  // namespace toolwire
