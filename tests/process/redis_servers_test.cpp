// Servers that share a Redis are to their clients as one: what one has counted, used up or kept is so for the other.
#define BOOST_TEST_MODULE redis_servers_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "comes_true.hpp"
#include "failure_code.hpp"
#include "redis_server.hpp"
#include "toolwire/ask.hpp"
#include "toolwire/log.hpp"
#include "toolwire/server.hpp"
#include "toolwire/testing.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire;
using toolwire_test::code_of;
using toolwire_test::comes_true;
using toolwire_test::RedisServer;

struct Approved {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Approved::yes>("Whether to")); }
};

/// One of several.
struct Replica {
  explicit Replica(const RedisServer& redis) : server({.name = "s", .version = "1"}, options(redis)) {
    server.tool({.name = "rated", .description = "At most twice a minute", .rate_per_minute = 2},
                [] { return "done"; });
    server.tool({.name = "approved", .description = "Asks, and counts every answer once", .single_use_answers = true},
                [this](Context& context) -> Outcome<std::string> {
                  const auto answer = context.answer<Approved>("sure");
                  if (!answer) return ask<Approved>("sure", "Sure?");
                  return ++ran, std::string("approved");
                });
    server.tool({.name = "long", .description = "Says a lot", .output_budget = OutputBudget{.lines = 2, .bytes = 100}},
                [] { return "1\n2\n3\n4\n"; });
    server.tool({.name = "endless", .description = "Waits to be cancelled", .long_running = true},
                [this](Context& context) {
                  while (!context.stop_requested()) std::this_thread::sleep_for(1ms);
                  return ++cancelled, std::string("cancelled");
                });
    server.tool({.name = "confirmed", .description = "Asks twice", .long_running = true},
                [](Context& context) -> Outcome<std::string> {
                  const auto first = context.answer<Approved>("first");
                  if (!first) return ask<Approved>("first", "Sure?");
                  const auto second = context.answer<Approved>("second");
                  if (!second) return ask<Approved>("second", "Really?");
                  return std::string(first->value->yes && !second->value->yes ? "heard" : "misheard");
                });
  }

  static ServerOptions options(const RedisServer& redis) {
    toolwire::redis::Options options = toolwire_test::redis_options(redis.address());
    options.deadline = 2s;
    ServerOptions all;
    const auto client = toolwire::redis::make_client(options);
    all.stores = toolwire::redis::stores(client);
    all.tasks = {.store = toolwire::redis::task_store(client), .poll_interval = 20ms};
    return all;
  }

  std::atomic<int> ran{0};
  std::atomic<int> cancelled{0};
  Server server;
};

struct Replicas {
  RedisServer redis{"appendonly no\n"};
  Replica one{redis};
  Replica other{redis};
  ClientOptions modern{.revision = "2026-07-28", .on_elicitation = [](const Elicitation&) {
                         return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"yes", true}}};
                       }};

  Replicas() { modern.tasks = true; }

  static std::string begin(testing::Client& client, const char* tool) {
    const Json created = client.request("tools/call", {{"name", tool}, {"arguments", JsonObject{}}});
    return std::string(created.at("taskId").as_string());
  }
  /// Until the task has this status.
  static Json when(testing::Client& client, const std::string& task, const char* status) {
    for (;;) {
      Json now = client.request("tasks/get", {{"taskId", task}});
      if (now.at("status") == Json(status)) return now;
      BOOST_REQUIRE(!is_over(task_status_named(std::string(now.at("status").as_string())).value()));
      std::this_thread::sleep_for(1ms);
    }
  }
  /// Answers the one question that is open.
  static void answer(testing::Client& client, const std::string& task, bool yes) {
    const Json asked = when(client, task, "input_required").at("inputRequests");
    const JsonObject reply{{"action", "accept"}, {"content", JsonObject{{"yes", yes}}}};
    client.request("tasks/update",
                   {{"taskId", task}, {"inputResponses", JsonObject{{asked.as_object().begin()->key(), reply}}}});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(calls_are_counted_together, Replicas) {
  testing::Client first(one.server);
  testing::Client second(other.server);
  BOOST_TEST(first.call("rated").text() == "done");
  BOOST_TEST(second.call("rated").text() == "done");
  BOOST_TEST(code_of(first.call("rated")) == "rate_limited");
  BOOST_TEST(code_of(second.call("rated")) == "rate_limited");
}

BOOST_FIXTURE_TEST_CASE(what_one_has_asked_the_other_is_answered_and_that_counts_once, Replicas) {
  testing::Client first(one.server, modern);
  testing::Client second(other.server, modern);
  const JsonObject call{{"name", "approved"}, {"arguments", JsonObject{}}};
  JsonObject again = call;
  again["requestState"] = first.request("tools/call", call).at("requestState");
  again["inputResponses"] =
      JsonObject{{"sure", JsonObject{{"action", "accept"}, {"content", JsonObject{{"yes", true}}}}}};
  BOOST_TEST(second.request("tools/call", again).at("resultType") == Json("complete"));
  for (testing::Client* const client : {&first, &second}) {
    BOOST_CHECK_EXCEPTION(client->request("tools/call", again), ProtocolError,
                          [](const ProtocolError& error) { return error.code == error_code::invalid_params; });
  }
  BOOST_TEST(one.ran + other.ran == 1);
}

BOOST_FIXTURE_TEST_CASE(what_one_has_kept_the_other_reads, Replicas) {
  testing::Client first(one.server);
  testing::Client second(other.server);
  const Json cursor = first.call("long").raw.at("_meta").at("dev.toolwire/output").at("cursor");
  BOOST_TEST(second.call("read_output", JsonObject{{"cursor", cursor}}).text().starts_with("3\n4\n"));
}

BOOST_FIXTURE_TEST_CASE(a_task_of_one_is_followed_and_cancelled_at_the_other, Replicas) {
  testing::Client first(one.server, modern);
  testing::Client second(other.server, modern);
  const std::string task = begin(first, "endless");
  when(second, task, "working");
  second.request("tasks/cancel", {{"taskId", task}});
  when(first, task, "cancelled");
  BOOST_TEST(comes_true([&] { return one.cancelled > 0; }));
}

BOOST_FIXTURE_TEST_CASE(that_a_redis_has_lost_a_task_that_runs_is_logged, Replicas) {
  std::mutex mutex;
  std::string said;
  set_log_sink([&](const LogEntry& entry) {
    const std::lock_guard lock(mutex);
    said += entry.text + "\n";
  });
  {
    testing::Client client(one.server, modern);
    const std::string task = begin(client, "endless");
    toolwire_test::ask(toolwire::redis::make_client(toolwire_test::redis_options(redis.address())), {"FLUSHALL"});
    BOOST_TEST(comes_true([&] { return one.cancelled > 0; }));
    const std::string words = "task " + task + " of \"endless\" is not in the task store any more";
    const auto is_said = [&] {
      const std::lock_guard lock(mutex);
      return said.find(words) != std::string::npos;
    };
    BOOST_TEST(comes_true(is_said));
  }
  set_log_sink({});
}

BOOST_FIXTURE_TEST_CASE(that_redis_is_away_is_not_logged_with_each_call, Replicas) {
  std::atomic<int> lines{0};
  set_log_sink([&](const LogEntry& entry) { lines += entry.text.find("cannot be looked up") != std::string::npos; });
  {
    testing::Client client(one.server);
    client.call("rated");
    toolwire_test::ask(toolwire::redis::make_client(toolwire_test::redis_options(redis.address())),
                       {"CONFIG", "SET", "maxmemory", "1"});
    for (int i = 0; i < 50; ++i) BOOST_TEST(code_of(client.call("rated")) == "unavailable");
    BOOST_TEST(comes_true([&] { return lines > 0; }));
  }
  set_log_sink({});
  BOOST_TEST(lines < 5);
}

BOOST_FIXTURE_TEST_CASE(the_questions_of_a_task_of_one_are_answered_at_the_other, Replicas) {
  testing::Client first(one.server, modern);
  testing::Client second(other.server, modern);
  const std::string task = begin(first, "confirmed");
  answer(second, task, true);
  while (when(second, task, "input_required").at("inputRequests").as_object().begin()->key() == "first") {
  }
  answer(second, task, false);
  const Json over = when(second, task, "completed");
  BOOST_TEST(over.at("result").at("content").at(0).at("text") == Json("heard"), to_json_text(over));
}

BOOST_FIXTURE_TEST_CASE(without_redis_calls_that_need_it_fail_and_say_so_and_others_do_not, Replicas) {
  one.server.tool({.name = "plain", .description = "Needs nothing"}, [] { return "done"; });
  testing::Client client(one.server);
  BOOST_TEST(client.call("rated").text() == "done");
  redis.kill();
  BOOST_TEST(code_of(client.call("rated")) == "unavailable");
  BOOST_TEST(client.call("plain").text() == "done");
  BOOST_TEST(client.call("long").text().starts_with("1\n2\n"));  // cut, as if nothing could be kept
}
