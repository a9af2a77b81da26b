// What a call over HTTP costs a server: beside a raw epoll loop that parses nothing, a server of the shape of
// Boost.Beast's examples, and one of the TypeScript SDK; and what a stream that waits takes. Prints tables. Ratios
// count; the servers are measured in turn. What silent connections and resets do to others is judged: the status is 1
// where it is not as meant (judgement.hpp), and the reason is said.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <toolwire/system/descriptor_limit.hpp>
#include <vector>

#include "client.hpp"
#include "judgement.hpp"
#include "resets.hpp"
#include "servers.hpp"

using namespace toolwire::bench;

namespace {

struct Cost {
  double cpu = 0;   // microseconds on CPUs of the server, for a call
  double p50 = 0;   // microseconds until the answer
  double rate = 0;  // calls answered in a second
};

struct Compared {
  const char* name;
  const ServerProcess& server;
  std::vector<Cost> costs = {};
};

/// What is asked for, and how.
struct Load {
  const char* name;
  unsigned connections;
  std::size_t bytes;
};

double median(std::vector<double> values) { return percentile(std::move(values), 50); }

double median(const std::vector<Cost>& costs, double Cost::*member) {
  std::vector<double> values;
  for (const Cost& cost : costs) values.push_back(cost.*member);
  return median(std::move(values));
}

Cost cost_of(const ServerProcess& server, const Load& load, std::chrono::milliseconds time) {
  const std::string call = call_text(server.port(), load.bytes);
  const std::uint64_t before = server.cpu();
  const auto took = calls_within(time, server.port(), call, load.connections);
  const auto calls = static_cast<double>(took.size());
  return {.cpu = static_cast<double>(server.cpu() - before) / 1e3 / calls,
          .p50 = median(took),
          .rate = calls * 1e3 / static_cast<double>(time.count())};
}

/// The first of the servers is the one that the others stand beside.
void compare(std::vector<Compared> servers, const Load& load, bool quick) {
  const std::chrono::milliseconds slice(quick ? 20 : 500);
  for (int round = 0; round < (quick ? 1 : 9); ++round) {
    for (Compared& one : servers) one.costs.push_back(cost_of(one.server, load, slice));
  }
  const double least = median(servers.front().costs, &Cost::cpu);
  for (const Compared& one : servers) {
    const double cpu = median(one.costs, &Cost::cpu);
    std::printf("| %s | %s | %.1f | %.1f x | %.0f | %.0f |\n", load.name, one.name, cpu, cpu / least,
                median(one.costs, &Cost::p50), median(one.costs, &Cost::rate));
  }
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
  ask(fresh, call_text(ours.port(), 64));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  std::printf("\n%zu streams that wait: %.1f kB each; a call beside them: %.2f ms\n", count, each, took.count());
  for (const int one : streams) ::close(one);
  ::close(fresh);
}

/// Calls beside connections of which half have sent nothing and half a part of a head. Returns what is wrong.
std::string measure_silent(const ServerProcess& ours, bool quick) {
  constexpr std::size_t count = 70;
  const std::string call = call_text(ours.port(), 64), begun = begun_text(ours.port());
  const std::chrono::milliseconds slice(quick ? 20 : 500);
  std::vector<double> alone, beside;
  for (int round = 0; round < (quick ? 1 : 9); ++round) {
    std::ranges::copy(calls_within(slice, ours.port(), call, 1), std::back_inserter(alone));
    std::vector<int> silent;
    for (std::size_t i = 0; i < count; ++i) {
      silent.push_back(connected_to(ours.port()));
      if (i % 2 == 0) send_text(silent.back(), begun);
    }
    std::ranges::copy(calls_within(slice, ours.port(), call, 1), std::back_inserter(beside));
    for (const int one : silent) ::close(one);
  }
  const Delays without = delays_of(alone), with = delays_of(beside);
  std::puts("\n| silent connections | p50 us | p99 us |\n|---|---|---|");
  std::printf("| 0 | %.0f | %.0f |\n| %zu | %.0f | %.0f |\n", without.p50, without.p99, count, with.p50, with.p99);
  return wrong_with(with, without, !quick);
}

/// Returns what is wrong.
std::string measure_resets(bool quick) {
  const std::size_t calls = quick ? 100 : 1'000;
  const Resets seen = reset_calls(calls);
  std::printf(
      "%zu calls whose connections were reset: %zu began, %zu of them were answered before, %zu cancelled, "
      "after %.2f ms at most\n",
      calls, seen.began, seen.answered, seen.cancelled, seen.longest);
  return wrong_with(seen, !quick);
}

/// `typescript`: the command of that server; empty: it is left out.
int run(bool quick, const std::vector<std::string>& typescript) {
  toolwire::system::raise_descriptor_limit();
  const ServerProcess raw(serve_raw), beast(serve_beast), ours(serve_toolwire);
  std::vector<Compared> all{{"raw", raw}, {"Beast", beast}, {"toolwire", ours}};
  std::deque<ServerProcess> others;
  if (!typescript.empty()) all.push_back({"TypeScript SDK", others.emplace_back(typescript)});
  std::puts("| load | server | CPU us a call | | p50 us | calls/s |\n|---|---|---|---|---|---|");
  for (const Load& load : {Load{"1 connection", 1, 64}, Load{"16 connections", 16, 64}, Load{"64 connections", 64, 64},
                           Load{"1 MiB", 1, std::size_t{1} << 20}})
    compare(all, load, quick);
  const std::size_t limit = toolwire::system::descriptor_limit().value_or(10'000);
  measure_streams(ours, std::min<std::size_t>(quick ? 100 : 5'000, limit / 2));
  int status = 0;
  for (const std::string& wrong : {measure_silent(ours, quick), measure_resets(quick)}) {
    if (wrong.empty()) continue;
    std::fprintf(stderr, "%s\n", wrong.c_str());
    status = 1;
  }
  return status;
}

}  // namespace

/// usage: toolwire-bench-http [--quick] [PROGRAM ARGUMENT...], which prints the port of one more server.
int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool quick = !words.empty() && words.front() == "--quick";
    return run(quick, {words.begin() + (quick ? 1 : 0), words.end()});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
