// Standard input and output as the connection, and the process around it: options, signals, the exit, the hint for
// people.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <toolwire/system/signals.hpp>
#include <utility>

#include "log/log.hpp"
#include "server/program.hpp"
#include "server/session.hpp"
#include "server/state.hpp"
#include "server/trace.hpp"
#include "system/crash_line.hpp"
#include "system/memory.hpp"
#include "toolwire/command_line.hpp"
#include "toolwire/detail/task_work.hpp"
#include "transport/stdio_transport.hpp"

namespace toolwire {
namespace {

using Trace = std::shared_ptr<server::TraceFile>;  // null: none is kept

/// How serving has ended.
struct End {
  bool is_stuck = false;  ///< In a tool that would not stop.
  int status = 0;         ///< What the process is to end with.
};

/// It is told by whoever sees it first.
class FirstEnd {
 public:
  void tell(End end) {
    if (!is_told_.exchange(true)) end_.set_value(end);
  }
  void tell(std::exception_ptr failure) {
    if (!is_told_.exchange(true)) end_.set_exception(std::move(failure));
  }
  End wait() { return end_.get_future().get(); }

 private:
  std::promise<End> end_;
  std::atomic<bool> is_told_ = false;
};

void explain_on_terminal(const ServerInfo& info) {
  if (!transport::is_started_by_hand()) return;
  std::fprintf(stderr,
               "%s %s is an MCP server: an editor or agent starts it and speaks JSON-RPC with it, a message a line. "
               "Try --list or --help.\n",
               info.name.c_str(), info.version.c_str());
}

/// Ends the process although a tool that ignores its stop token is still running.
[[noreturn]] void leave_at_once(const Trace& trace, int status) {
  process::log("a tool would not stop; leaving without it");
  if (trace) trace->flush(std::chrono::milliseconds(20));
  process::flush_log(20);
  std::_Exit(status);
}

bool has_monitor(const Server::State& state) { return state.options.threads > 0 || state.options.engine; }

/// An engine that clients may connect to.
std::shared_ptr<engine::Engine> begin_serving(Server::State& state, std::function<void()> on_stuck) {
  return state.serving.begin(
      state, {.take_signals = has_monitor(state), .has_listeners = true, .abandon = std::move(on_stuck)});
}

/// 1, which is said, if messages were lost although nobody had closed the other end, as on a full disk.
int status_of(const transport::StdioTransport& streams) {
  const auto say = [](const char* what, int error) {
    if (error != 0) process::log(LogLevel::error, what + std::generic_category().message(error));
    return error != 0;
  };
  const bool cannot_read = say("standard input cannot be read: ", streams.read_error());
  const bool cannot_write = say("standard output cannot be written: ", streams.write_error());
  return cannot_read || cannot_write ? 1 : 0;
}

using Abandon = std::function<void(int status)>;  // a tool would not stop

int serve_streams(Server::State& state, const Trace& trace, const Abandon& on_stuck) {
  transport::StdioTransport plain;  // before anything else takes the descriptor of a stream that is closed
  const auto engine = begin_serving(state, [&plain, on_stuck] { on_stuck(status_of(plain)); });
  std::optional<server::Trace> traced;
  if (trace) traced.emplace(plain, *trace);
  Transport& connection = traced ? static_cast<Transport&>(*traced) : plain;
  server::Session session(state, connection, engine, {.ended = [&engine] { engine->stop(); }});
  session.attach();
  state.serving.run(engine);
  return status_of(plain);
}

int serve_listeners(Server::State& state, const Trace& /*trace*/, const Abandon& on_stuck) {
  state.serving.run(begin_serving(state, [on_stuck] { on_stuck(0); }));
  return 0;
}

using Serve = int (*)(Server::State&, const Trace&, const Abandon& on_stuck);

/// Returns the status when the serving has ended or a tool would not stop; the rest is that thread's own then.
int serve_detachable(const std::shared_ptr<Server::State>& state, const Trace& trace, Serve serve) {
  auto first = std::make_shared<FirstEnd>();
  std::thread thread([state, trace, serve, first] {
    try {
      const int status = serve(*state, trace, [first](int stuck) { first->tell({.is_stuck = true, .status = stuck}); });
      first->tell({.status = status});
    } catch (...) {
      first->tell(std::current_exception());
    }
  });
  End end;
  try {
    end = first->wait();
  } catch (...) {
    thread.join();
    throw;
  }
  if (end.is_stuck) {
    thread.detach();
    process::log("a tool would not stop; going on without it");
  } else {
    thread.join();
  }
  return end.status;
}

/// Serves to the end, and flushes the log.
int serve_all(const std::shared_ptr<Server::State>& state, const Trace& trace, Serve serve) {
  if (has_monitor(*state))
    system::block_signals({system::Signal::terminate, system::Signal::interrupt});  // only the monitor takes them
  std::optional<system::CrashLines> crash_lines;
  if (has_monitor(*state)) crash_lines.emplace(trace ? std::string_view(trace->path()) : std::string_view());
  const bool is_detachable = state->options.on_stuck == OnStuck::detach && has_monitor(*state);
  const int status = is_detachable ? serve_detachable(state, trace, serve)
                                   : serve(*state, trace, [&trace](int stuck) { leave_at_once(trace, stuck); });
  process::flush_log(100);
  return status;
}

/// Returns whether the trace the command line asks for, if any, could be begun.
bool begin_trace(Trace& trace, const CommandLine& line, const Server::State& state) {
  if (line.trace_file().empty()) return true;
  try {
    trace = std::make_shared<server::TraceFile>(
        line.trace_file(), server::TraceFile::Heading{state.info.name, state.info.version, state.options.limits.line,
                                                      state.options.secrets});
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

int run_line(const std::shared_ptr<Server::State>& shared, const CommandLine& line) {
  Server::State& state = *shared;
  Trace trace;
  if (line.action() != CommandLine::Action::serve) release_stdio();
  if (line.action() == CommandLine::Action::list) return with_log(server::list_tools(state, line));
  if (!begin_trace(trace, line, state)) return 2;
  if (line.action() == CommandLine::Action::call) return with_log(server::call_tool(state, line, trace.get()));
  explain_on_terminal(state.info);
  std::string why;
  try {
    return serve_all(shared, trace, serve_streams);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: there is not enough memory to begin: a line of up to %zu bytes has to find room\n",
                 line.name().c_str(), state.options.limits.line);
    return 2;
  } catch (const std::system_error& error) {
    why = error.what();
  } catch (const std::invalid_argument& error) {
    why = error.what();
  }
  std::fprintf(stderr, "%s: cannot begin: %s\n", line.name().c_str(), why.c_str());
  return 2;
}

}  // namespace

/// Its program may be more than a server: nothing of the allocator is set.
int Server::run_stdio() { return run_line(state_, CommandLine(state_->info.name, state_->info.version, {})); }

int Server::run_stdio(int argc, const char* const* argv) {
  CommandLine line(state_->info.name, state_->info.version, summary_of(state_->info));
  if (const auto status = line.parse(argc, argv)) return *status;
  return run_stdio(line);
}

int Server::run() {
  if (state_->serving.is_without_listeners()) throw std::logic_error("there is nothing to serve: call listen first");
  const int status = serve_all(state_, nullptr, serve_listeners);
  const auto& store = state_->options.tasks.store;
  detail::TaskWork* const work = store ? detail::task_work_of(*store) : nullptr;
  if (work != nullptr) work->leave();
  return status;
}

int Server::run_stdio(const CommandLine& line) {
  system::let_go_of_large_memory();
  return run_line(state_, line);
}

}  // namespace toolwire
