// Tools that do not run side by side: ToolInfo::serial and serial_group.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE serial_tools_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "features/serial_line.hpp"
#include "toolwire/testing.hpp"

using namespace toolwire;
using features::SerialLine;
using features::SerialTurn;

namespace {

/// What tools do, and when: they wait here until they are let go. Thread-safe.
class Stage {
 public:
  /// Called by a tool: it has begun, and ends when it is let go or told to stop.
  void play(const std::string& name, Context& context) {
    std::unique_lock lock(mutex_);
    begun_.push_back(name);
    running_.insert(name);
    most_ = std::max(most_, running_.size());
    changed_.notify_all();
    changed_.wait(lock, context.stop_token(), [&] { return let_go_.contains(name); });
    running_.erase(name);
    changed_.notify_all();
  }
  void let_go(const std::string& name) {
    const std::lock_guard lock(mutex_);
    let_go_.insert(name);
    changed_.notify_all();
  }
  void await_begun(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_.size() >= count; });
  }
  std::vector<std::string> begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }
  std::size_t most_at_once() {
    const std::lock_guard lock(mutex_);
    return most_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::string> begun_;
  std::multiset<std::string> running_;
  std::set<std::string> let_go_;
  std::size_t most_ = 0;
};

struct Choice {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Choice::yes>("Yes")); }
};

struct Fixture {
  explicit Fixture(ServerOptions options = {}) : server({.name = "serial", .version = "1"}, std::move(options)) {
    const auto plays = [this](const std::string& name, Context& context) {
      stage.play(name, context);
      return name;
    };
    server.tool({.name = "one", .serial = true}, args("name"), plays);
    server.tool({.name = "brush", .serial_group = "paint"}, args("name"), plays);
    server.tool({.name = "roller", .serial_group = "paint"}, args("name"), plays);
    server.tool({.name = "free"}, args("name"), plays);
    server.tool({.name = "hasty", .timeout = std::chrono::milliseconds(1), .serial_group = "paint"}, args("name"),
                plays);
    server.tool({.name = "later", .serial_group = "paint"}, args("name"), [this](const std::string& name, Reply reply) {
      const std::lock_guard lock(mutex);
      replies.emplace_back(name, std::move(reply));
    });
    server.tool({.name = "fails", .serial_group = "paint"}, []() -> std::string { throw ToolError("no paint"); });
    server.tool({.name = "asks", .serial_group = "paint"}, [](Context& context) -> AnyOutcome {
      const auto choice = context.answer<Choice>("sure");
      if (!choice) return ask<Choice>("sure", "Sure?");
      return ToolResult::text("asked");
    });
  }

  static JsonObject named(const std::string& name) { return {{"name", name}}; }

  std::mutex mutex;
  std::vector<std::pair<std::string, Reply>> replies;
  Stage stage;
  Server server;
};

using Words = std::vector<std::string>;

}  // namespace

BOOST_FIXTURE_TEST_CASE(tools_run_side_by_side, Fixture) {
  testing::Client client(server);
  auto first = client.start_call("free", named("a"));
  auto second = client.start_call("free", named("b"));
  stage.await_begun(2);
  stage.let_go("a");
  stage.let_go("b");
  first.wait();
  second.wait();
  BOOST_TEST(stage.most_at_once() == 2u);
}

BOOST_FIXTURE_TEST_CASE(calls_of_a_serial_tool_run_one_after_the_other_as_they_came, Fixture) {
  testing::Client client(server);
  std::vector<CallHandle> calls;
  for (const char* const name : {"a", "b", "c"}) calls.push_back(client.start_call("one", named(name)));
  stage.await_begun(1);
  stage.let_go("x");
  client.call("brush", named("x"));  // of another line: whoever could have begun before has
  BOOST_TEST(stage.begun() == (Words{"a", "x"}), boost::test_tools::per_element());
  stage.let_go("c");
  stage.let_go("b");
  stage.let_go("a");
  for (CallHandle& call : calls) call.wait();
  BOOST_TEST(stage.begun() == (Words{"a", "x", "b", "c"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_group_holds_for_its_tools_and_all_clients, Fixture) {
  testing::Client first(server);
  testing::Client second(server);
  auto brush = first.start_call("brush", named("a"));
  stage.await_begun(1);
  auto roller = second.start_call("roller", named("b"));
  stage.let_go("x");
  second.call("free", named("x"));
  BOOST_TEST(stage.begun() == (Words{"a", "x"}), boost::test_tools::per_element());
  stage.let_go("a");
  stage.let_go("b");
  brush.wait();
  BOOST_TEST(roller.wait().text() == "b");
}

BOOST_AUTO_TEST_CASE(whoever_waits_for_a_turn_holds_no_thread) {
  Fixture one({.threads = 2});
  testing::Client client(one.server);
  std::vector<CallHandle> calls;
  for (const char* const name : {"a", "b", "c", "d", "e"})
    calls.push_back(client.start_call("one", Fixture::named(name)));
  one.stage.await_begun(1);
  one.stage.let_go("x");
  BOOST_TEST(client.call("free", Fixture::named("x")).text() == "x");
  for (const char* const name : {"a", "b", "c", "d", "e"}) one.stage.let_go(name);
  for (CallHandle& call : calls) call.wait();
  BOOST_TEST(one.stage.begun().size() == 6u);
}

BOOST_FIXTURE_TEST_CASE(one_that_is_cancelled_while_it_waits_leaves_the_line, Fixture) {
  testing::Client client(server);
  auto first = client.start_call("one", named("a"));
  auto second = client.start_call("one", named("b"));
  auto third = client.start_call("one", named("c"));
  stage.await_begun(1);
  second.cancel();
  stage.let_go("x");
  client.call("free", named("x"));  // the cancellation has been read before
  stage.let_go("a");
  stage.let_go("c");
  first.wait();
  third.wait();
  BOOST_TEST(stage.begun() == (Words{"a", "x", "c"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(one_that_waits_beyond_its_deadline_has_not_begun_and_may_come_again, Fixture) {
  testing::Client client(server);
  auto first = client.start_call("brush", named("a"));
  stage.await_begun(1);
  const CallResult late = client.call("hasty", named("b"));
  BOOST_TEST(late.is_error);
  BOOST_TEST(late.text().find("before it began") != std::string::npos, late.text());
  BOOST_TEST(to_json_text(late.raw).find(R"("code":"timeout","retryable":true)") != std::string::npos);
  stage.let_go("a");
  first.wait();
  stage.let_go("c");
  client.call("brush", named("c"));
  BOOST_TEST(stage.begun() == (Words{"a", "c"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_answers_later_has_its_turn_until_then, Fixture) {
  testing::Client client(server);
  auto first = client.start_call("later", named("a"));
  auto second = client.start_call("brush", named("b"));
  stage.let_go("x");
  client.call("one", named("x"));
  BOOST_TEST(stage.begun() == (Words{"x"}), boost::test_tools::per_element());
  first.cancel();  // it does not know yet, and may be at work
  client.call("one", named("x"));
  BOOST_TEST(stage.begun().size() == 2u);
  stage.let_go("b");
  {
    const std::lock_guard lock(mutex);
    BOOST_TEST_REQUIRE(replies.size() == 1u);
    replies.clear();
  }
  BOOST_TEST(second.wait().text() == "b");
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_fails_lets_go_of_its_turn, Fixture) {
  testing::Client client(server);
  for (int i = 0; i < 3; ++i) BOOST_TEST(client.call("fails").text() == "no paint");
}

BOOST_FIXTURE_TEST_CASE(a_question_ends_the_turn, Fixture) {
  testing::Client other(server);
  stage.let_go("x");
  for (const char* const revision : {"2025-11-25", "2026-07-28"}) {
    ClientOptions options{.revision = revision};
    options.on_elicitation = [&](const Elicitation&) {
      other.call("brush", named("x"));
      return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"yes", true}}};
    };
    testing::Client client(server, options);
    BOOST_TEST(client.call("asks").text() == "asked");
  }
  BOOST_TEST(stage.begun().size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_task_waits_for_its_turn_too, Fixture) {
  server.tool({.name = "project", .serial_group = "paint", .long_running = true}, args("name"),
              [this](const std::string& name, Context& context) {
                stage.play(name, context);
                return name;
              });
  testing::Client client(server, {.revision = "2026-07-28", .tasks = true});
  auto first = client.start_call("brush", named("a"));
  stage.await_begun(1);
  auto task = client.start_call("project", named("b"));
  auto third = client.start_call("brush", named("c"));
  stage.let_go("x");
  client.call("one", named("x"));
  BOOST_TEST(stage.begun() == (Words{"a", "x"}), boost::test_tools::per_element());
  for (const char* const name : {"a", "b", "c"}) stage.let_go(name);
  first.wait();
  BOOST_TEST(task.wait().text() == "b");
  third.wait();
  BOOST_TEST(stage.begun() == (Words{"a", "x", "b", "c"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_replaces_one_waits_for_its_calls, Fixture) {
  testing::Client client(server);
  auto first = client.start_call("one", named("a"));
  stage.await_begun(1);
  server.change_tools({.replace = {make_tool({.name = "one", .serial = true}, [] { return "new"; })}});
  auto second = client.start_call("one");
  stage.let_go("x");
  client.call("free", named("x"));
  BOOST_TEST(!second.is_done());
  stage.let_go("a");
  BOOST_TEST(first.wait().text() == "a");
  BOOST_TEST(second.wait().text() == "new");
}

BOOST_FIXTURE_TEST_CASE(the_turn_holds_through_middleware, Fixture) {
  server.around_call([](CallRequest&, Context&, Next next) { next(); });
  testing::Client client(server);
  auto first = client.start_call("brush", named("a"));
  stage.await_begun(1);
  auto second = client.start_call("roller", named("b"));
  stage.let_go("x");
  client.call("one", named("x"));
  BOOST_TEST(stage.begun() == (Words{"a", "x"}), boost::test_tools::per_element());
  stage.let_go("a");
  stage.let_go("b");
  first.wait();
  second.wait();
}

BOOST_FIXTURE_TEST_CASE(a_server_ends_while_calls_wait, Fixture) {
  {
    testing::Client client(server);
    for (const char* const name : {"a", "b", "c"}) client.start_call("one", named(name));
    stage.await_begun(1);
  }
  BOOST_TEST(stage.begun().size() == 1u);
}

BOOST_AUTO_TEST_CASE(many_calls_of_many_clients_never_meet) {
  Server server({.name = "serial", .version = "1"});
  int inside = 0;  // unguarded: that is what the turn is for
  int most = 0;
  int count = 0;
  for (const char* const name : {"left", "right"}) {
    server.tool({.name = name, .serial_group = "both"}, [&] {
      most = std::max(most, ++inside);
      ++count;
      --inside;
    });
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&server] {
      testing::Client client(server);
      std::vector<CallHandle> calls;
      for (int call = 0; call < 50; ++call) {
        calls.push_back(client.start_call(call % 2 == 0 ? "left" : "right"));
        if (call % 7 == 0) calls.back().cancel();
      }
      for (std::size_t call = 0; call < calls.size(); ++call) {
        if (call % 7 != 0) calls[call].wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(most == 1);
  BOOST_TEST(count >= 4 * 42);
}

namespace {

/// Remembers who was told that it is its turn, and who was let go of.
struct Told {
  Done<SerialTurn> done(int who) {
    return Done<SerialTurn>([this, who](Done<SerialTurn>::Result&& result) {
      (std::holds_alternative<SerialTurn>(result) ? turns : dropped).push_back(who);
    });
  }
  std::vector<int> turns;
  std::vector<int> dropped;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_tells_the_next_when_the_first_leaves) {
  SerialLine line;
  Told told;
  const auto first = line.join();
  const auto second = line.join();
  const auto third = line.join();
  BOOST_TEST(line.is_first(first));
  line.wait(second, told.done(2));
  line.wait(first, told.done(1));
  BOOST_TEST(told.turns == std::vector{1}, boost::test_tools::per_element());
  BOOST_TEST(line.begin(first));
  BOOST_TEST(!line.give_up(first));  // it has begun
  line.leave(first);
  BOOST_TEST(told.turns == (std::vector{1, 2}), boost::test_tools::per_element());
  BOOST_TEST(line.give_up(second));
  BOOST_TEST(!line.begin(second));
  line.wait(third, told.done(3));
  BOOST_TEST(told.turns == (std::vector{1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(told.dropped.empty());
}

BOOST_AUTO_TEST_CASE(a_line_lets_go_of_one_that_gives_up) {
  SerialLine line;
  Told told;
  const auto first = line.join();
  const auto second = line.join();
  line.wait(second, told.done(2));
  BOOST_TEST(line.give_up(second));
  BOOST_TEST(told.dropped == std::vector{2}, boost::test_tools::per_element());
  line.wait(second, told.done(2));
  BOOST_TEST(told.dropped == (std::vector{2, 2}), boost::test_tools::per_element());
  line.leave(first);
  line.leave(second);
  BOOST_TEST(told.turns.empty());
}

BOOST_AUTO_TEST_CASE(a_line_is_that_of_its_group_or_tool) {
  features::SerialLines lines;
  BOOST_TEST(!lines.any());
  const auto group = lines.of_group("a");
  BOOST_TEST(lines.of_group("a") == group);
  BOOST_TEST(lines.of_tool("a") != group);
  BOOST_TEST(lines.any());
}
