// A client whose calls become tasks of the server.
#include "client/task_following.hpp"

#define BOOST_TEST_MODULE client_tasks_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fixture_server.hpp"
#include "gates.hpp"
#include "scripted_server.hpp"
#include "toolwire/testing.hpp"

using namespace toolwire_test;
using std::chrono::milliseconds;
using toolwire::CallOptions;
using toolwire::CallOutcome;
using toolwire::ClientOptions;
using toolwire::Elicitation;
using toolwire::ElicitationReply;
using toolwire::Json;
using toolwire::JsonObject;

namespace {

const std::vector<std::string> revisions{"2025-11-25", "2026-07-28"};

/// A fixture server with long-running tools, and a client that follows tasks.
struct Pair {
  explicit Pair(const std::string& revision, ClientOptions client_options = {}) {
    FixtureOptions options = FixtureOptions::from({{"tasks", JsonObject{{"poll_interval", 1}}}});
    server = make_fixture_server(options);
    client_options.revision = revision;
    client_options.tasks = true;
    client.emplace(*server, std::move(client_options));
  }
  static CallOptions patient() {
    CallOptions options;
    options.timeout = milliseconds::max();
    options.as_task = true;
    return options;
  }
  toolwire::CallResult call(const std::string& tool, Json arguments = {}) {
    return client->call(tool, std::move(arguments), patient());
  }

  std::unique_ptr<toolwire::Server> server;
  std::optional<toolwire::testing::Client> client;
};

ElicitationReply sure(const Elicitation& question) {
  ElicitationReply reply{.action = ElicitationReply::Action::accept};
  const bool name = question.message == "Who?";
  reply.content = name ? JsonObject{{"name", "Ada"}} : JsonObject{{"sure", true}};
  return reply;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_result_of_a_task_is_that_of_the_call) {
  for (const std::string& revision : revisions) {
    Pair pair(revision);
    auto waiting = pair.client->start_call("task_wait", {{"gate", "g"}}, Pair::patient());
    BOOST_TEST(pair.client->call("wait", {{"gate", "g has begun"}}).text() == "opened");
    BOOST_TEST(!waiting.is_done());
    pair.client->call("open", {{"gate", "g"}});
    BOOST_TEST(waiting.wait().text() == "opened");
    BOOST_TEST(pair.call("task_only").text() == "done as a task");
  }
}

BOOST_AUTO_TEST_CASE(a_tool_that_has_come_since_a_call_was_read_does_not_run_without_its_task) {
  for (const std::string& revision : revisions) {
    Gates gates;
    std::atomic<int> runs{0};
    toolwire::Server server({.name = "growing", .version = "1"}, {.threads = 1, .declares = {.tasks = true}});
    server.tool("grow", "Adds a tool", [&](toolwire::Context& context) {
      gates.wait("the call was read", context.stop_token());
      server.tool({.name = "late", .description = "Counts", .long_running = true},
                  [&] { return "run " + std::to_string(++runs); });
      return "has grown";
    });
    toolwire::testing::Client client(server, {.revision = revision, .tasks = true});
    auto growing = client.start_call("grow");
    auto late = client.start_call("late", {}, Pair::patient());
    client.ping();
    gates.open("the call was read");
    BOOST_TEST(growing.wait().text() == "has grown");
    BOOST_CHECK_EXCEPTION(late.wait(), toolwire::ProtocolError, [](const toolwire::ProtocolError& error) {
      return std::string_view(error.what()).find("Unknown tool \"late\"") != std::string_view::npos;
    });
    BOOST_TEST(runs == 0);
    BOOST_TEST(client.call("late", {}, Pair::patient()).text() == "run 1");
  }
}

BOOST_AUTO_TEST_CASE(failures_of_a_task_are_those_of_the_call) {
  for (const std::string& revision : revisions) {
    Pair pair(revision);
    const auto result = pair.call("task_error");
    BOOST_TEST(result.is_error);
    BOOST_TEST(result.text() == "it went wrong");
    try {
      pair.call("task_protocol_error");
      BOOST_TEST(false, "no error came");
    } catch (const toolwire::ProtocolError& error) {
      BOOST_TEST(error.code == -32050);
      BOOST_TEST(error.what() == std::string("no such thing"));
      BOOST_TEST((error.data == Json(JsonObject{{"thing", 1}})));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_failure_that_says_nothing_or_has_a_code_that_is_none_is_told_with_what_came) {
  struct Case {
    const char* error;  // members of the task
    int code;
    const char* said;
  };
  const std::vector<Case> cases{
      {R"("error":{"code":-5,"message":"no"})", -5, "no"},
      {R"("error":{"code":4294934592,"message":"no"})", -32603,
       R"(the server sent an error without an integer code: {"code":4294934592,"message":"no"})"},
      {R"("pollIntervalMs":1)", -32603, "the task failed at the server, which does not say why"}};
  for (const Case& one : cases) {
    ScriptedServer server([&](ScriptedServer& end) {
      end.be_modern();
      end.reply(end.receive(), {{"resultType", "task"}, {"taskId", "t"}, {"status", "working"}, {"pollIntervalMs", 1}});
      end.reply(end.receive(), toolwire::parse_json(R"({"resultType":"complete","taskId":"t","status":"failed",)" +
                                                    std::string(one.error) + "}"));
      end.receive();
    });
    {
      ClientOptions options;
      options.tasks = true;
      toolwire::Client client(std::move(server.client_end), options);
      BOOST_CHECK_EXCEPTION(client.call("anything", {}, Pair::patient()), toolwire::ProtocolError,
                            [&](const toolwire::ProtocolError& error) {
                              BOOST_TEST(error.code == one.code);
                              BOOST_TEST(error.what() == std::string(one.said));
                              return true;
                            });
    }
    server.finish();
  }
}

BOOST_AUTO_TEST_CASE(questions_of_a_task_are_answered_and_none_is_put_twice) {
  for (const std::string& revision : revisions) {
    std::atomic<int> asked{0};
    ClientOptions options;
    options.on_elicitation = [&](const Elicitation& question) {
      ++asked;
      return sure(question);
    };
    Pair pair(revision, std::move(options));
    BOOST_TEST(pair.call("task_ask").text() == "sure");
    BOOST_TEST(pair.call("task_ask_two").text() == "Ada is sure");
    BOOST_TEST(asked.load() == 3);
  }
}

BOOST_AUTO_TEST_CASE(a_question_nobody_can_answer_ends_the_call) {
  Pair pair("2026-07-28");
  BOOST_CHECK_THROW(pair.call("task_ask"), toolwire::ProtocolError);
}

BOOST_AUTO_TEST_CASE(cancelling_the_call_cancels_the_task) {
  for (const std::string& revision : revisions) {
    Pair pair(revision);
    auto waiting = pair.client->start_call("task_wait", {{"gate", "g"}}, Pair::patient());
    BOOST_TEST(pair.client->call("wait", {{"gate", "g has begun"}}).text() == "opened");
    pair.client->ping();  // the answer with the task came before this one
    waiting.cancel("enough");
    BOOST_CHECK_THROW(waiting.wait(), toolwire::CancelledError);
    BOOST_TEST(pair.client->call("wait", {{"gate", "g has ended"}}).text() == "opened");
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_runs_out_of_time_cancels_the_task) {
  Pair pair("2026-07-28");
  CallOptions options = Pair::patient();
  options.timeout = milliseconds(30);
  BOOST_CHECK_THROW(pair.client->call("task_wait", {{"gate", "g"}}, options), toolwire::TimeoutError);
  BOOST_TEST(pair.client->call("wait", {{"gate", "g has ended"}}).text() == "opened");
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_lets_its_calls_go) {
  auto pair = std::make_unique<Pair>("2026-07-28");
  auto waiting = pair->client->start_call("task_wait", {{"gate", "g"}}, Pair::patient());
  BOOST_TEST(pair->client->call("wait", {{"gate", "g has begun"}}).text() == "opened");
  pair.reset();
  BOOST_CHECK_THROW(waiting.wait(), toolwire::ConnectionError);
}

BOOST_AUTO_TEST_CASE(the_outcome_of_a_task_can_go_to_a_function) {
  Pair pair("2026-07-28");
  std::promise<std::string> text;
  pair.client->start_call("task_done", {}, Pair::patient(), [&](CallOutcome&& outcome) {
    text.set_value(std::get<toolwire::CallResult>(outcome).text());
  });
  BOOST_TEST(text.get_future().get() == "done");
}

BOOST_AUTO_TEST_CASE(reports_of_progress_come_from_the_task_where_the_revision_has_them) {
  Pair pair("2025-11-25");
  std::atomic<int> reports{0};
  CallOptions options = Pair::patient();
  options.on_progress = [&](const toolwire::ProgressReport&) { ++reports; };
  auto waiting = pair.client->start_call("task_progress", {{"gate", "g"}}, options);
  pair.client->call("open", {{"gate", "g"}});
  BOOST_TEST(waiting.wait().text() == "reported");
  BOOST_TEST(reports.load() == 2);
}

BOOST_AUTO_TEST_CASE(without_the_option_a_call_is_a_call) {
  for (const std::string& revision : revisions) {
    auto server = make_fixture_server(FixtureOptions::from({{"tasks", JsonObject{}}}));
    ClientOptions options;
    options.revision = revision;
    toolwire::testing::Client client(*server, options);
    BOOST_TEST(client.call("task_done").text() == "done");
    BOOST_TEST(client.call("task_done", {}, Pair::patient()).text() == "done");
  }
}

BOOST_AUTO_TEST_CASE(what_stands_for_a_task_is_told_from_a_result) {
  using toolwire::client::task_in;
  toolwire::client::Dialect modern{.revision = toolwire::protocol::find_revision("2026-07-28")};
  toolwire::client::Dialect legacy{.revision = toolwire::protocol::find_revision("2025-11-25")};
  const Json created{{"resultType", "task"}, {"taskId", "t"}, {"pollIntervalMs", 250}};
  BOOST_TEST_REQUIRE(task_in(modern, created).has_value());
  BOOST_TEST(task_in(modern, created)->id == "t");
  BOOST_TEST((task_in(modern, created)->poll_interval == milliseconds(250)));
  BOOST_TEST(!task_in(legacy, created).has_value());
  BOOST_TEST((task_in(modern, Json{{"resultType", "task"}, {"pollIntervalMs", 0}})->poll_interval == milliseconds(10)));
  BOOST_TEST((task_in(modern, Json{{"resultType", "task"}})->poll_interval == milliseconds(1000)));
  const Json legacy_created{{"task", JsonObject{{"taskId", "t"}}}};
  BOOST_TEST(task_in(legacy, legacy_created)->id == "t");
  BOOST_TEST(!task_in(modern, legacy_created).has_value());
  BOOST_TEST(!task_in(legacy, Json{{"content", Json(toolwire::JsonArray{})}, {"task", JsonObject{}}}).has_value());
}
