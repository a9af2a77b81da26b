// What a call over HTTP costs a server, beside a raw epoll loop that parses nothing, and what a stream that waits
// takes. Prints a table. Ratios count; the servers are measured in turn.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string_view>
#include <toolwire/system/descriptor_limit.hpp>
#include <vector>

#include "client.hpp"
#include "servers.hpp"

using namespace toolwire::bench;

namespace {

struct Cost {
  double microseconds = 0;  // on CPUs of the server, for a call
  double rate = 0;          // calls answered in a second
};

Cost cost_of(const ServerProcess& server, unsigned connections, std::chrono::milliseconds time) {
  const std::uint64_t before = server.cpu();
  const auto calls = static_cast<double>(calls_within(time, server.port(), connections));
  return {static_cast<double>(server.cpu() - before) / 1e3 / calls, calls * 1e3 / static_cast<double>(time.count())};
}

/// By what a call costs.
Cost median(std::vector<Cost> costs) {
  std::ranges::sort(costs, {}, &Cost::microseconds);
  return costs[costs.size() / 2];
}

void compare(const ServerProcess& raw, const ServerProcess& ours, unsigned connections, bool quick) {
  const std::chrono::milliseconds slice(quick ? 20 : 500);
  std::vector<Cost> of_raw, of_ours;
  for (int round = 0; round < (quick ? 1 : 9); ++round) {
    of_raw.push_back(cost_of(raw, connections, slice));
    of_ours.push_back(cost_of(ours, connections, slice));
  }
  const Cost least = median(of_raw), most = median(of_ours);
  std::printf("| %u | %.1f | %.1f | %.1f x | %.0f | %.0f |\n", connections, least.microseconds, most.microseconds,
              most.microseconds / least.microseconds, least.rate, most.rate);
}

void measure_streams(const ServerProcess& ours, std::size_t count) {
  const std::size_t before = ours.memory();
  std::vector<int> streams;
  for (std::size_t i = 0; i < count; ++i) {
    streams.push_back(connected_to(ours.port()));
    ask(streams.back(), listen_text(ours.port()));
  }
  const double each = static_cast<double>(ours.memory() - before) / static_cast<double>(count) / 1e3;
  const auto began = std::chrono::steady_clock::now();
  const int fresh = connected_to(ours.port());
  ask(fresh, call_text(ours.port()));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  std::printf("\n%zu streams that wait: %.1f kB each; a call beside them: %.2f ms\n", count, each, took.count());
  for (const int one : streams) ::close(one);
  ::close(fresh);
}

int run(bool quick) {
  toolwire::system::raise_descriptor_limit();
  const ServerProcess raw(serve_raw);
  const ServerProcess ours(serve_toolwire);
  std::puts("| connections | raw: CPU us a call | ours | | raw: calls/s | ours |\n|---|---|---|---|---|---|");
  for (const unsigned connections : {1u, 16u, 64u}) compare(raw, ours, connections, quick);
  const std::size_t limit = toolwire::system::descriptor_limit().value_or(10'000);
  measure_streams(ours, std::min<std::size_t>(quick ? 100 : 5'000, limit / 2));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 && std::string_view(argv[1]) == "--quick");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
