// `toolwire-bridge serve` with many servers behind it: one set of threads in all.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_threads_test
#include <boost/test/unit_test.hpp>

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

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

/// A legacy server in a few lines of shell that answers the handshake and says once that it has the tool "x".
std::string shell_server(const std::string& rest) {
  return R"(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line; read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}}'
)" + rest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(five_servers_cost_no_thread) { serve_with(5); }

BOOST_AUTO_TEST_CASE(twenty_servers_cost_no_thread) { serve_with(20); }

BOOST_AUTO_TEST_CASE(servers_that_hang_flood_die_or_do_not_read_keep_no_thread_from_others) {
  ServedServers served;
  served.add_server("good", {"echo"});
  const std::string floods =
      R"(yes '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}' &
yes 'on standard error' >&2 & wait)";
  const std::vector<std::string> scripts{"cat > /dev/null", shell_server("sleep 1000"), shell_server(floods),
                                         shell_server("read -r line; exit 1")};
  std::vector<std::string> tools;
  for (std::size_t i = 0; i < 4 * scripts.size(); ++i) {
    const std::string name = "bad" + std::to_string(i);
    served.add_server(name, {"x"}, {"sh", "-c", scripts[i % scripts.size()]});
    served.servers[name].as_object()["revision"] = "2025-11-25";
    tools.push_back(name + "_x");
  }
  Client client(served.program(), {.revision = "2026-07-28"});
  std::vector<CallHandle> calls;
  for (const std::string& tool : tools)
    calls.push_back(client.start_call(tool, {{"text", std::string(200'000, 'x')}}, {.timeout = 600s}));
  for (int i = 0; i < 200; ++i)
    BOOST_REQUIRE(client.call("good_echo", {{"text", std::to_string(i)}}, {.timeout = 600s}).text() ==
                  std::to_string(i));
  for (CallHandle& call : calls) call.cancel();
}
