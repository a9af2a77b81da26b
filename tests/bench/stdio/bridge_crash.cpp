// How soon a bridge says that a back-end was killed. `toolwire-bench-bridge-crash BRIDGE BACK_END [ROUNDS]`: in each
// round `BRIDGE serve --server one=BACK_END` is started anew, a call is held by the back-end, the back-end is killed.
// Printed are the times from just before kill(2) until the call has failed, and until a next call has its result.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/client.hpp>

namespace {

using Clock = std::chrono::steady_clock;
using toolwire::CallResult;

struct Times {
  std::vector<double> until_failed = {};  // milliseconds
  std::vector<double> until_next = {};
};

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void measure(const std::string& bridge, const std::string& back_end, Times& times) {
  toolwire::Client client(toolwire::Program{.command = {bridge, "serve", "--server", "one=" + back_end}});
  const auto back_end_process = static_cast<pid_t>(std::stol(client.call("process").text()));
  auto held = client.start_call("hold");
  client.call("held", {{"count", 1}});
  const auto begin = Clock::now();
  ::kill(back_end_process, SIGKILL);
  const CallResult failed = held.wait();
  times.until_failed.push_back(milliseconds_since(begin));
  if (!failed.is_error || failed.text().find("killed by signal 9") == std::string::npos)
    throw std::runtime_error("the call did not fail with its cause: " + failed.text());
  const CallResult next = client.call("echo", {{"text", "again"}});
  times.until_next.push_back(milliseconds_since(begin));
  if (next.text() != "again") throw std::runtime_error("the next call failed: " + next.text());
}

void print(const char* what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%-28s median %7.2f ms   longest %7.2f ms\n", what, times[times.size() / 2], times.back());
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 100;
  const std::string_view given = argc > 3 ? argv[3] : "100";
  std::from_chars(given.data(), given.data() + given.size(), rounds);
  if (argc < 3 || argc > 4 || rounds < 1) {
    std::fprintf(stderr, "usage: toolwire-bench-bridge-crash BRIDGE BACK_END [ROUNDS]\n");
    return 2;
  }
  try {
    Times times;
    for (int round = 0; round < rounds; ++round) measure(argv[1], argv[2], times);
    print("killed until failed", times.until_failed);
    print("killed until next result", times.until_next);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bench-bridge-crash: %s\n", error.what());
    return 1;
  }
}
