// Calls `echo` through a balancer, over so many connections with one call on each at a time, and prints as JSON how
// many were answered, how many in a second, how long they took (microseconds), and the seconds of CPU of this program.
//
// usage: toolwire-bench-load PORT CONNECTIONS MILLISECONDS
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "../http/client.hpp"
#include "../http/judgement.hpp"

using namespace toolwire::bench;

namespace {

constexpr std::size_t text_bytes = 64;
// nginx closes a connection after 1 000 requests.
constexpr std::chrono::milliseconds slice{250};

double own_cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void measure(std::uint16_t port, unsigned connections, std::chrono::milliseconds time) {
  const std::string call = call_text(port, text_bytes);
  std::vector<double> took;
  std::chrono::duration<double> measured{};
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
    const auto began = std::chrono::steady_clock::now();
    const std::vector<double> some = calls_within(slice, port, call, connections);
    measured += std::chrono::steady_clock::now() - began;
    took.insert(took.end(), some.begin(), some.end());
  }
  if (took.empty()) throw std::runtime_error("no call was answered");
  const auto count = static_cast<double>(took.size());
  std::printf(R"({"calls": %zu, "rate": %.1f, "mean": %.1f, "p50": %.1f, "p99": %.1f, "cpu": %.6f})"
              "\n",
              took.size(), count / measured.count(), std::accumulate(took.begin(), took.end(), 0.0) / count,
              percentile(took, 50), percentile(took, 99), own_cpu_seconds());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::runtime_error("expected PORT CONNECTIONS MILLISECONDS");
    measure(static_cast<std::uint16_t>(std::stoi(argv[1])), static_cast<unsigned>(std::stoi(argv[2])),
            std::chrono::milliseconds(std::stoi(argv[3])));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bench-load: %s\n", error.what());
    return 1;
  }
}
