// The HTTP provider while tools hold threads, while it ends, and when a tool gives no result.
#include <toolwire/bridge/http_provider.hpp>

#define BOOST_TEST_MODULE bridge_provider_life_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gates.hpp"
#include "http_provider_bench.hpp"
#include "http_served.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

/// A provider whose tool is a function, with a page for anybody.
class Running {
 public:
  Running(HttpProviderOptions options, HttpProvider::Execute execute)
      : provider_(Provider::with_free_port(std::move(options)), [this] { return manifest_.get(); }, std::move(execute),
                  {{"/health", "application/json", [] { return std::string("{\"status\":\"ok\"}\n"); }, true}}),
        port_(provider_.listen()),
        thread_([this] { provider_.run(); }) {}
  ~Running() { end(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void stop() { provider_.stop(); }
  void end() {
    stop();
    if (thread_.joinable()) thread_.join();
  }
  RawHttp client() const { return RawHttp(static_cast<std::uint16_t>(port_)); }
  RawHttp calling() const {
    RawHttp client = this->client();
    client.send(
        "POST /api/v1/tools/execute HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: " +
        std::to_string(call.size()) + "\r\n\r\n" + call);
    return client;
  }
  RawAnswer get(const std::string& path) const {
    RawHttp client = this->client();
    client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return client.answer().value();
  }

 private:
  Served manifest_;
  HttpProvider provider_;
  int port_;
  std::thread thread_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(tools_that_hold_their_threads_hold_up_nobody) {
  Gates gates;
  std::atomic<int> running = 0;
  Running provider({.max_calls = 20}, [&](const std::string&, const Json&, const std::stop_token& stop,
                                          const std::function<void(ToolResult)>& done) {
    ++running;
    gates.wait("all", stop);
    done(ToolResult::text("went on"));
  });
  std::vector<RawHttp> calls;
  for (int i = 0; i < 20; ++i) calls.push_back(provider.calling());
  BOOST_TEST(comes_true([&] { return running == 20; }));
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST(provider.get("/api/v1/tools").status == 200);
    BOOST_TEST(provider.get("/health").body == "{\"status\":\"ok\"}\n");
    BOOST_TEST(provider.calling().answer().value().status == 503);
  }
  gates.open("all");
  for (RawHttp& one : calls) BOOST_TEST(one.answer().value().status == 200);
  BOOST_TEST(running == 20);
}

BOOST_AUTO_TEST_CASE(a_tool_has_its_place_until_it_is_over_whoever_has_left) {
  Tools tools;
  tools.wait_instead();
  Running provider({.max_calls = 1}, [&](const std::string& tool, Json arguments, std::stop_token stop,
                                         std::function<void(ToolResult)> done) {
    tools.execute(tool, std::move(arguments), std::move(stop), std::move(done));
  });
  Tools::Waiting left;
  {
    RawHttp client = provider.calling();
    left = tools.take_waiting();
    client.reset();
  }
  BOOST_TEST(comes_true([&] { return left.stop.stop_requested(); }));
  BOOST_TEST(provider.calling().answer().value().status == 503);
  left = {};
  RawHttp next = provider.calling();
  tools.take_waiting().done(ToolResult::text("1"));
  BOOST_TEST(next.answer().value().status == 200);
}

BOOST_AUTO_TEST_CASE(whoever_has_an_answer_may_call_again) {
  Running provider({.max_calls = 1}, [](const std::string&, const Json&, const std::stop_token&,
                                        const std::function<void(ToolResult)>& done) { done(ToolResult::text("1")); });
  for (int i = 0; i < 500; ++i) BOOST_REQUIRE(provider.calling().answer().value().status == 200);
}

BOOST_AUTO_TEST_CASE(while_it_ends_it_says_so_and_answers_what_it_has_accepted) {
  Tools tools;
  tools.wait_instead();
  Running provider({.drain = 60s}, [&](const std::string& tool, Json arguments, std::stop_token stop,
                                       std::function<void(ToolResult)> done) {
    tools.execute(tool, std::move(arguments), std::move(stop), std::move(done));
  });
  RawHttp accepted = provider.calling();
  const Tools::Waiting waiting = tools.take_waiting();
  BOOST_TEST(provider.get("/health").status == 200);
  provider.stop();
  for (const char* const path : {"/health", "/api/v1/tools"}) {
    const RawAnswer answer = provider.get(path);
    BOOST_TEST(answer.status == 503, path);
    BOOST_TEST(answer.field("connection") == "close");
  }
  BOOST_TEST(provider.calling().answer().value().status == 503);
  BOOST_TEST(!waiting.stop.stop_requested());
  waiting.done(ToolResult::text("done"));
  const RawAnswer answer = accepted.answer().value();
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.field("connection") == "close");
  provider.end();
}

BOOST_AUTO_TEST_CASE(a_tool_without_a_result_is_an_error) {
  Running drops({}, [](const std::string&, const Json&, const std::stop_token&, const auto&) {});
  BOOST_TEST(drops.calling().answer().value().status == 500);
  Running throws({}, [](const std::string&, const Json&, const std::stop_token&, const auto&) {
    throw std::runtime_error("broken");
  });
  BOOST_TEST(throws.calling().answer().value().status == 500);
}

BOOST_AUTO_TEST_CASE(a_result_after_the_end_is_nobodys) {
  Tools tools;
  tools.wait_instead();
  Tools::Waiting late;
  {
    Running provider({.drain = 1ms}, [&](const std::string& tool, Json arguments, std::stop_token stop,
                                         std::function<void(ToolResult)> done) {
      tools.execute(tool, std::move(arguments), std::move(stop), std::move(done));
    });
    RawHttp client = provider.calling();
    late = tools.take_waiting();
    provider.end();
    BOOST_TEST(client.answer().value().status == 503);
  }
  late.done(ToolResult::text("late"));
}

BOOST_AUTO_TEST_CASE(one_that_is_stopped_before_it_runs_ends_at_once) {
  HttpProvider provider(
      {.port = 0}, [] { return std::shared_ptr<const Manifest>(); },
      [](const std::string&, const Json&, const std::stop_token&, const auto&) {});
  provider.listen();
  provider.stop();
  provider.run();
}
