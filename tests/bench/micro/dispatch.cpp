// A whole call from its line to its answer, over the memory transport: on a single thread, and with a server that runs
// normally on a thread beside the client's.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>
#include <toolwire/transport.hpp>

#include "samples.hpp"

namespace toolwire::micro {
namespace {

struct Echo {
  std::string text;
  static constexpr auto describe() { return fields(field<&Echo::text>("Text to return")); }
};

constexpr std::string_view opening =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
    R"("clientInfo":{"name":"bench","version":"1"}}})"
    "\n"
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
    "\n";

std::string call_line(std::size_t size) {
  return R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":")" +
         text_of(Letters::plain, size) + "\"}}}\n";
}

void send(Transport& transport, std::string_view line) {
  transport.write(line.data(), line.size(), Transport::Blocking::yes);
}

/// Reads to the end of a line; false at the end of input.
bool read_line(Transport& transport, std::string& room) {
  for (;;) {
    const auto count = transport.read(room.data(), room.size());
    if (count <= 0) return false;
    if (room[static_cast<std::size_t>(count) - 1] == '\n') return true;
  }
}

void call(benchmark::State& state, std::size_t size, unsigned threads, bool ping) {
  ServerOptions options;
  options.threads = threads;
  Server server({.name = "bench", .version = "1"}, options);
  server.tool("echo", "Return the text unchanged", [](Echo echo) { return std::move(echo.text); });
  testing::Session session(server);
  const auto client = session.take_client_end();
  std::string room(2 * large, '\0');
  send(*client, opening);
  if (!read_line(*client, room)) return state.SkipWithError("the server has gone");
  const std::string line = ping ? "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n" : call_line(size);
  for ([[maybe_unused]] auto _ : state) {
    send(*client, line);
    if (!read_line(*client, room)) return state.SkipWithError("the server has gone");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(line.size()));
}

// The client mostly waits for the server's thread, so wall-clock time is measured, not CPU time.
BENCHMARK_CAPTURE(call, ping, small, 8, true)->UseRealTime();
BENCHMARK_CAPTURE(call, small, small, 8, false)->UseRealTime();
BENCHMARK_CAPTURE(call, small_one_thread, small, 0, false)->UseRealTime();
BENCHMARK_CAPTURE(call, large, large, 8, false)->UseRealTime();

}  // namespace
}  // namespace toolwire::micro
