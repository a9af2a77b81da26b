// `toolwire-bridge serve` with many servers behind it: one set of threads in all.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_threads_test
#include <boost/test/unit_test.hpp>

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "file_content.hpp"
#include "process_status.hpp"
#include "served_servers.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

// Those of main, of the log and for what starts programs; of the engine the driver, the monitor and a spare one.
constexpr long usual_threads = 6 + threads_of_sanitizer;

std::string names_of_threads(pid_t process) {
  std::string names;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task"))
    names += content_of((thread.path() / "comm").string());
  return names;
}

/// How many there are in the end: threads of an engine that it has no use for any more end after some seconds.
long threads_left(pid_t process) {
  const auto until = std::chrono::steady_clock::now() + 60s;
  while (status_of(process, "Threads") > usual_threads && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(20ms);
  return status_of(process, "Threads");
}

void serve_with(int servers) {
  ServedServers served;
  for (int i = 0; i < servers; ++i) served.add_server("s" + std::to_string(i), {"echo", "progress", "log"});
  Client client(served.program(), {.revision = "2026-07-28"});
  for (int i = 0; i < servers; ++i) {
    const std::string name = "s" + std::to_string(i);
    BOOST_TEST(client.call(name + "_echo", {{"text", name}}).text() == name);
    BOOST_TEST(!client.call(name + "_progress", {{"count", 3}}).is_error);
    BOOST_TEST(!client.call(name + "_log", {{"text", "said"}}).is_error);
  }
  const pid_t bridge = client.process()->id();
  BOOST_TEST(threads_left(bridge) <= usual_threads, names_of_threads(bridge));
  for (int i = 0; i < servers; ++i)
    BOOST_TEST(client.call("s" + std::to_string(i) + "_echo", {{"text", "x"}}).text() == "x");
}

}  // namespace

BOOST_AUTO_TEST_CASE(five_servers_cost_no_thread) { serve_with(5); }

BOOST_AUTO_TEST_CASE(twenty_servers_cost_no_thread) { serve_with(20); }
