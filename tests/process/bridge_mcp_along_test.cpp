// The bridge on a descriptor, as it is served to hosts: there the thread that reads the host reads the back-ends along.
#include "activities/mcp/offer.hpp"

#define BOOST_TEST_MODULE bridge_mcp_along_test
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <toolwire/transport.hpp>

#include "gates.hpp"
#include "mcp_bridge.hpp"

using namespace std::chrono_literals;
using namespace toolwire_test;
using toolwire::Client;
using toolwire::Json;

namespace {

constexpr const char* handshake =
    R"({"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"test","version":"1"}}})"
    "\n"
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
    "\n";

std::string call_line(int id, const std::string& tool, const std::string& arguments = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":)" + arguments + "}}\n";
}

toolwire::ServerOptions small_output() {
  toolwire::ServerOptions options;
  options.limits.drain = 60s;
  options.limits.line = 1 << 20;
  options.limits.output_soft = options.limits.output_hard = 1 << 20;
  return options;
}

/// A server with one back-end that serves one end of a socket; the other is the test's.
struct Served {
  explicit Served(toolwire::Middleware around = {}) {
    int ends[2];
    BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    ours = ends[0];
    theirs = ends[1];
    if (around) server.around_call(std::move(around));
    mcp::OfferOptions options;
    options.start_wait = 30s;
    mcp::BackEndOptions back_end = back_end_program("one");
    back_end.on_change = mcp::OnChange::accept;
    offer.emplace(server, std::vector{std::move(back_end)}, std::move(options));
    offer->begin();
    transport = toolwire::descriptor_transport(theirs, theirs);
    thread = std::thread{[this] {
      server.run(*transport);
      ::shutdown(theirs, SHUT_WR);
    }};
  }
  ~Served() {
    ::shutdown(ours, SHUT_RDWR);
    thread.join();
    offer.reset();
    ::close(ours);
    ::close(theirs);
  }

  void write(std::string_view lines) const {
    BOOST_REQUIRE(::send(ours, lines.data(), lines.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(lines.size()));
  }
  /// False if the server takes no more at this moment.
  bool write_at_once(std::string_view& lines) const {
    const ssize_t count = ::send(ours, lines.data(), lines.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) lines.remove_prefix(static_cast<std::size_t>(count));
    return lines.empty();
  }
  std::string read_to_the_end() const {
    std::string all;
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(ours, bytes, sizeof bytes)) > 0;)
      all.append(bytes, static_cast<std::size_t>(count));
    return all;
  }

  toolwire::Server server{{.name = "bridge", .version = "1"}, small_output()};
  std::optional<mcp::Offer> offer;
  std::unique_ptr<toolwire::Transport> transport;
  std::thread thread;
  int ours = -1;
  int theirs = -1;
};

std::unique_ptr<Client> host_of(const Served& served) {
  return std::make_unique<Client>(toolwire::descriptor_transport(served.ours, served.ours));
}

std::size_t count_of(const std::string& words, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_answer_is_passed_on_by_the_thread_that_has_read_the_call) {
  std::atomic<int> on_one_thread = 0;
  Served served([&](toolwire::CallRequest&, toolwire::Context&, toolwire::Next next) {
    next.then([&on_one_thread, caller = std::this_thread::get_id()](toolwire::AnyOutcome&) {
      if (std::this_thread::get_id() == caller) ++on_one_thread;
    });
  });
  const auto host = host_of(served);
  // The back-end's own thread reads until it has lent its input, and whenever the other is late.
  BOOST_TEST(comes_true([&] { return host->call("echo", {{"text", "x"}}).text() == "x" && on_one_thread > 3; }));
}

BOOST_AUTO_TEST_CASE(who_is_slow_with_an_answer_holds_neither_the_host_nor_other_answers) {
  Gates gates;
  std::atomic<bool> hold = false;
  std::atomic<int> held = 0;
  Served served([&](toolwire::CallRequest& request, toolwire::Context&, toolwire::Next next) {
    const bool slow = hold && request.tool == "structured";
    next.then([&, slow](toolwire::AnyOutcome&) {
      if (!slow) return;
      ++held;
      gates.wait("go on", {});
    });
  });
  const auto host = host_of(served);
  for (int i = 0; i < 20; ++i) host->call("echo", {{"text", "x"}});
  hold = true;
  auto slow = host->start_call("structured", {{"count", 1}});
  BOOST_TEST(comes_true([&] { return held == 1; }));
  host->ping();
  BOOST_TEST(host->list_tools().size() > 1);
  BOOST_TEST(!slow.is_done());
  gates.open("go on");
  BOOST_TEST(slow.wait().structured.has_value());
  BOOST_TEST(host->call("echo", {{"text", "y"}}).text() == "y");
}

BOOST_AUTO_TEST_CASE(what_is_under_way_when_the_host_has_sent_its_last_is_answered) {
  const Served served;
  std::string lines = handshake;
  for (int i = 0; i < 5; ++i) lines += call_line(i, "echo", R"({"text":"x"})");
  for (int i = 10; i < 60; ++i) lines += call_line(i, "hold");
  served.write(lines + call_line(100, "release", R"({"count":50})"));
  BOOST_REQUIRE(::shutdown(served.ours, SHUT_WR) == 0);
  const std::string answers = served.read_to_the_end();
  BOOST_TEST(count_of("\"result\":{\"content\"", answers) == 5U + 50U + 1U);
  BOOST_TEST(count_of("\"text\":\"released\"", answers) == 50U);
}

BOOST_AUTO_TEST_CASE(a_back_end_that_is_killed_fails_its_calls_and_is_there_again) {
  const Served served;
  const auto host = host_of(served);
  for (int round = 0; round < 5; ++round) {
    const auto process = static_cast<pid_t>(std::stol(host->call("process").text()));
    auto held = host->start_call("hold");
    host->call("held", {{"count", 1}});
    ::kill(process, SIGKILL);
    const auto failed = held.wait();
    BOOST_TEST(failed.is_error);
    BOOST_TEST(failed.text().find("killed by signal 9") != std::string::npos);
    BOOST_TEST(host->call("echo", {{"text", "again"}}).text() == "again");
  }
}

BOOST_AUTO_TEST_CASE(what_a_back_end_says_unasked_is_heard_whether_the_host_is_quiet_or_not) {
  const Served served;
  const auto host = host_of(served);
  std::atomic<int> changes = 0;
  const auto subscription = host->subscribe_tools([&] { ++changes; });
  for (const std::string name : {"one", "two", "three"}) {
    for (int i = 0; i < 10; ++i) host->call("echo", {{"text", "x"}});
    const int before = changes;
    host->call("grow", {{"text", Json(toolwire::JsonString(name))}});
    BOOST_TEST(comes_true([&] { return changes > before; }));
  }
  const auto has_four = [&] {
    for (const auto& tool : host->list_tools()) {
      if (tool.name == "four") return true;
    }
    return false;
  };
  host->call("grow", {{"text", "four"}});
  BOOST_TEST(comes_true(has_four));
}

BOOST_AUTO_TEST_CASE(the_end_of_a_back_end_is_noticed_while_the_host_is_quiet) {
  const Served served;
  const auto host = host_of(served);
  for (int i = 0; i < 10; ++i) host->call("echo", {{"text", "x"}});
  ::kill(static_cast<pid_t>(std::stol(host->call("process").text())), SIGKILL);
  const auto& back_end = *served.offer->back_ends().front();
  BOOST_TEST(comes_true([&] { return back_end.state().failures == 1; }));
}

BOOST_AUTO_TEST_CASE(a_host_that_leaves_ends_its_session_while_a_back_end_is_silent) {
  for (int round = 0; round < 5; ++round) {
    const Served served;
    served.write(std::string(handshake) + call_line(1, "echo", R"({"text":"x"})"));
    char byte = 0;
    BOOST_REQUIRE(::read(served.ours, &byte, 1) == 1);
  }
}

BOOST_AUTO_TEST_CASE(answers_wait_for_a_host_that_does_not_read_and_are_then_all_there) {
  const Served served;
  const std::string text(100'000, 'x');
  std::string all = handshake;
  for (int i = 0; i < 5; ++i) all += call_line(i, "echo", R"({"text":"x"})");
  for (int i = 10; i < 210; ++i) all += call_line(i, "echo", R"({"text":")" + text + "\"}");
  std::string_view left = all;
  while (served.write_at_once(left)) {
  }
  std::thread writer{[&] {
    served.write(left);
    ::shutdown(served.ours, SHUT_WR);
  }};
  const std::string answers = served.read_to_the_end();
  writer.join();
  BOOST_TEST(answers.size() > 200U * text.size());
  BOOST_TEST(count_of("\"result\"", answers) == 206U);
}
