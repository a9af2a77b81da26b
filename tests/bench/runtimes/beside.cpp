#include "beside.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include <toolwire/client.hpp>

namespace toolwire_bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Measured {
  std::vector<double> start;  // ms
  std::vector<double> call;   // us
};

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

void echo(toolwire::Client& client, const std::string& text) {
  const toolwire::CallResult result = client.call("echo", toolwire::JsonObject{{"text", text}});
  if (result.text() != text) throw std::runtime_error("unexpected answer: " + toolwire::to_json_text(result.raw));
}

/// All speak the same revision, which the oldest of them knows.
void measure(const EchoServer& server, int calls, Measured& into) {
  const std::string text(64, 'x');
  const auto begin = Clock::now();
  toolwire::Client client(toolwire::Program{.command = server.command}, {.revision = "2025-06-18"});
  echo(client, text);
  into.start.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  std::vector<double> times;
  for (int i = 0; i < calls; ++i) {
    const auto called = Clock::now();
    echo(client, text);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - called).count());
  }
  into.call.push_back(median(std::move(times)));
}

}  // namespace

void measure_beside(const std::vector<EchoServer>& servers, int rounds, int calls) {
  std::vector<Measured> measured(servers.size());
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < servers.size(); ++i) measure(servers[i], calls, measured[i]);
    if (round == 0) measured.assign(servers.size(), {});  // for warmth
  }
  std::printf("%-28s first answer ms   call us\n", "server");
  for (std::size_t i = 0; i < servers.size(); ++i)
    std::printf("%-28s %15.1f   %7.1f\n", servers[i].name.c_str(), median(measured[i].start), median(measured[i].call));
}

}  // namespace toolwire_bench
