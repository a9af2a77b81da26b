// Time, progress, logs, traces, large answers.
#include <atomic>
#include <memory>
#include <string>

#include "everything/everything.hpp"
#include "everything/pause.hpp"

namespace everything {
namespace {

using namespace toolwire;
using namespace std::chrono_literals;

struct Seconds {
  double seconds = 1;
  static constexpr auto describe() {
    return fields(field<&Seconds::seconds>("How long; fractions too").between(0, 3600));
  }
};

struct Size {
  std::size_t bytes = 0;
  static constexpr auto describe() { return fields(field<&Size::bytes>("How many").at_most(64 << 20)); }
};

std::string slow(const Seconds& wish, Context& context) {
  return pause(context.stop_token(), std::chrono::duration<double>(wish.seconds)) ? "done" : "stopped";
}

void add_slow_tools(Server& server) {
  add(server, "test_slow", "Takes so long, unless it is cancelled", slow);
  auto ticks = std::make_shared<std::atomic<unsigned long>>(0);
  add(server, "test_slow_observable", "Takes so long, and counts while it works",
      [ticks](const Seconds& wish, Context& context) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(wish.seconds);
        while (std::chrono::steady_clock::now() < end && pause(context.stop_token(), 10ms)) ++*ticks;
        return "counted";
      });
  add(server, "test_slow_observed", "How far test_slow_observable has counted, in all its calls",
      [ticks] { return ticks->load(); });
}

/// Its result is the progress token, so that a client sees which of its requests this was.
std::string report_progress(Context& context) {
  for (int done : {0, 50, 100}) {
    context.progress(done, 100, "Completed step " + std::to_string(done) + " of 100");
    if (!pause(context.stop_token(), 60ms)) break;
  }
  const Json* token = context.meta().if_contains("progressToken");
  if (token == nullptr) return "nobody asked";
  return token->is_string() ? std::string(token->get_string()) : to_json_text(*token);
}

void add_logging_tools(Server& server) {
  add(server, "test_tool_with_logging", "Logs while it works", [](Context& context) {
    for (const char* text : {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
      context.log(LogLevel::info, text, "everything");
      pause(context.stop_token(), 20ms);
    }
    return "Tool with logging executed successfully";
  });
  add(server, "test_logging_tool", "Logs once", [](Context& context) {
    context.log(LogLevel::info, "Diagnostic trace logging activated", "everything");
    return "Logging evaluated";
  });
  add(server, "test_logging_all_levels", "Logs at every level, and data that is no text", [](Context& context) {
    for (std::string_view name : log_level_names)
      context.log(*log_level_named(name), "a message of the level " + std::string(name), "everything");
    context.log(LogLevel::error, Json{{"code", 5}, {"where", "everything"}});
    return "logged";
  });
}

}  // namespace

void add_flow_tools(Server& server) {
  add_slow_tools(server);
  add(server, "test_tool_with_progress", "Reports progress three times", report_progress);
  add(server, "test_streaming_elicitation", "Reports progress once, half way", [](Context& context) {
    context.progress(50, 100, "half way");
    return "Streaming complete";
  });
  add_logging_tools(server);
  add(server, "test_big_output", "So many letters", [](Size size) { return std::string(size.bytes, 'x'); });
  add(server, "test_trace_context", "The trace the call belongs to", [](Context& context) {
    const TraceContext trace = context.trace();
    return trace.traceparent + "|" + trace.tracestate + "|" + trace.baggage;
  });
}

}  // namespace everything
