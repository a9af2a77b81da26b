// `toolwire-bridge serve` as a host's child, with back-ends of every kind that are slow, die or are killed.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_load_test
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "http_test_server.hpp"
#include "mcp_bridge.hpp"
#include "served_servers.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

CallOptions patient() { return {.timeout = std::chrono::milliseconds::max()}; }

/// Programs that read it wait until it is opened to them.
class Gate {
 public:
  explicit Gate(std::filesystem::path path) : path_(std::move(path)) {
    BOOST_REQUIRE(::mkfifo(path_.c_str(), 0600) == 0);
    writer_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    BOOST_REQUIRE(writer_ >= 0);
  }
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// Also for programs that come later: they find an empty file.
  void open() {
    if (writer_ < 0) return;
    const std::filesystem::path empty = path_.string() + ".empty";
    std::ofstream(empty).close();
    std::filesystem::rename(empty, path_);
    ::close(std::exchange(writer_, -1));
  }

 private:
  const std::filesystem::path path_;
  int writer_ = -1;
};

std::ptrdiff_t threads_of(pid_t process) {
  return std::distance(std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task"),
                       std::filesystem::directory_iterator());
}

bool is_alive(pid_t process) { return ::kill(process, 0) == 0; }

}  // namespace

BOOST_AUTO_TEST_CASE(two_thousand_calls_wait_on_four_back_ends_without_threads) {
  ServedServers served;
  Gate gate(served.folder / "gate");
  HttpTestServer http([](const std::string&) {
    HttpAnswer answer = HttpAnswer::of(200, "released");
    answer.held = true;
    return answer;
  });
  served.add_server("one", {"hold", "release"});
  served.add_server("two", {"hold", "release"});
  served.bind("process",
              JsonObject{{"process", JsonObject{{"argv", JsonArray{"/bin/cat", (served.folder / "gate").string()}}}}});
  served.bind("http", JsonObject{{"http", JsonObject{{"method", "GET"}, {"url", http.url("/")}}}});
  Client client(served.program(), {.revision = "2026-07-28"});
  std::vector<CallHandle> calls;
  for (int i = 0; i < 500; ++i) {
    for (const char* const tool : {"one_hold", "two_hold", "process", "http"})
      calls.push_back(client.start_call(tool, JsonObject{}, patient()));
  }
  const pid_t bridge = client.process()->id();
  BOOST_TEST(http.wait_for_requests(500));
  BOOST_TEST(threads_of(bridge) < 60);
  for (const char* const tool : {"one_release", "two_release"})
    BOOST_TEST(client.call(tool, {{"count", 500}}, patient()).text() == "500");
  BOOST_TEST(threads_of(bridge) < 60);
  gate.open();
  http.release();
  BOOST_TEST(std::ranges::none_of(calls, [](CallHandle& call) { return call.wait().is_error; }));
}

BOOST_AUTO_TEST_CASE(a_back_end_killed_in_a_call_fails_it_with_the_cause_and_the_next_call_works) {
  ServedServers served;
  served.add_server("one", {"hold", "held", "process", "echo", "child"});
  Client client(served.program(), {.revision = "2026-07-28"});
  const pid_t back_end = std::stoi(client.call("one_process", JsonObject{}, patient()).text());
  const pid_t child = std::stoi(client.call("one_child", JsonObject{}, patient()).text());
  CallHandle held = client.start_call("one_hold", JsonObject{}, patient());
  BOOST_TEST(client.call("one_held", {{"count", 1}}, patient()).text() == "held");
  ::kill(back_end, SIGKILL);
  const CallResult result = held.wait();
  BOOST_TEST(code_of(result) == "unavailable");
  BOOST_TEST(result.text().find("was killed by signal 9") != std::string::npos, result.text());
  BOOST_TEST(client.call("one_echo", {{"text", "again"}}, patient()).text() == "again");
  BOOST_TEST(comes_true([&] { return !is_alive(child); }));
}

BOOST_AUTO_TEST_CASE(a_hundred_crashes_do_not_take_the_program_down_and_nothing_is_left_when_it_ends) {
  ServedServers served;
  std::vector<std::string> fragile;
  for (int i = 0; i < 20; ++i) served.add_server(fragile.emplace_back("f" + std::to_string(i)), {"die"});
  served.add_server("steady", {"echo", "process", "child"});
  std::vector<pid_t> left;
  {
    Client client(served.program(), {.revision = "2026-07-28"});
    left.push_back(client.process()->id());
    for (const char* const tool : {"steady_process", "steady_child"})
      left.push_back(std::stoi(client.call(tool, JsonObject{}, patient()).text()));
    for (int round = 0; round < 5; ++round) {
      std::vector<CallHandle> dying;
      dying.reserve(fragile.size());
      for (const std::string& name : fragile)
        dying.push_back(client.start_call(name + "_die", {{"text", "argh"}}, patient()));
      for (CallHandle& call : dying) {
        const CallResult died = call.wait();
        BOOST_TEST(code_of(died) == "unavailable");
        BOOST_TEST(died.text().find("was killed by signal 9") != std::string::npos, died.text());
      }
    }
    BOOST_TEST(client.call("steady_echo", {{"text", "unmoved"}}, patient()).text() == "unmoved");
  }
  for (const pid_t process : left) BOOST_TEST(comes_true([&] { return !is_alive(process); }));
}
