// The server the benchmark measures: three ordinary tools, written the way any author would write them.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

#include <toolwire/server.hpp>

namespace {

struct Echo {
  std::string text;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Echo::text>("Text to return")); }
};

struct Add {
  double a = 0, b = 0;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Add::a>("First number"), toolwire::field<&Add::b>("Second number"));
  }
};

struct Sleep {
  double ms = 300;
  static constexpr auto describe() {
    return toolwire::fields(
        toolwire::field<&Sleep::ms>("How long to sleep, in milliseconds").between(0, 3'600'000).optional());
  }
};

std::string sleep_until_stopped(Sleep sleep, toolwire::Context& context) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never_notified;  // but by the stop token
  const std::chrono::duration<double, std::milli> span(sleep.ms);
  never_notified.wait_for(lock, context.stop_token(), span, [] { return false; });
  return context.stop_requested() ? "stopped" : "slept";
}

toolwire::ToolInfo harmless(std::string name, std::string description) {
  return {.name = std::move(name),
          .description = std::move(description),
          .read_only = true,
          .destructive = false,
          .idempotent = true,
          .open_world = false};
}

}  // namespace

int main(int argc, char** argv) {
  toolwire::Server server{{.name = "toolwire-echo", .version = "1.0.0"}};
  server.tool(harmless("echo", "Return the text unchanged"), [](Echo echo) { return std::move(echo.text); });
  server.tool(harmless("add", "Add two numbers"), [](Add numbers) { return numbers.a + numbers.b; });
  server.tool(harmless("sleep", "Sleep, or return early when the call is cancelled"), sleep_until_stopped);
  return server.run_stdio(argc, argv);
}
