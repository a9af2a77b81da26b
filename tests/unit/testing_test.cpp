#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE testing_test
#include <atomic>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>
#include <future>
#include <string>

using toolwire::ClientOptions;
using toolwire::Context;
using toolwire::Json;
using toolwire::ProtocolError;
using toolwire::Server;

namespace {

struct Add {
  double a = 0;
  double b = 0;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Add::a>("First number"), toolwire::field<&Add::b>("Second number"));
  }
};

struct Confirm {
  bool sure = false;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Confirm::sure>("Really?")); }
};

constexpr const char* revisions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", ""};

ClientOptions speaking(const char* revision) {
  ClientOptions options;
  options.revision = revision;
  return options;
}

void add_tools(Server& server) {
  server.tool("add", "Add two numbers", [](Add n) { return n.a + n.b; });
  server.tool("count", "Report progress", [](Context& ctx) {
    for (int i = 1; i <= 3; ++i) ctx.progress(i, 3, "counting");
    return std::string{"counted"};
  });
  server.tool("wait", "Wait to be cancelled", [](Context& ctx) {
    std::promise<void> stopped;
    const std::stop_callback on_stop{ctx.stop_token(), [&] { stopped.set_value(); }};
    stopped.get_future().wait();
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tool_is_called_through_the_real_dispatch_in_every_revision) {
  Server server{{.name = "calculator", .version = "1.0.0"}};
  add_tools(server);
  for (const char* revision : revisions) {
    BOOST_TEST_CONTEXT(revision) {
      toolwire::testing::Client client{server, speaking(revision)};
      BOOST_TEST(client.server().name == "calculator");
      BOOST_TEST(client.list_tools().size() == 3U);
      BOOST_TEST(client.call("add", {{"a", 1}, {"b", 2}}).text() == "3");
      BOOST_TEST(client.call("add", {{"a", "one"}}).is_error);
      BOOST_CHECK_THROW(client.call("subtract"), ProtocolError);
      client.ping();
    }
  }
}

BOOST_AUTO_TEST_CASE(progress_arrives_in_every_revision) {
  Server server{{.name = "calculator", .version = "1.0.0"}};
  add_tools(server);
  for (const char* revision : revisions) {
    toolwire::testing::Client client{server, speaking(revision)};
    double last = 0;
    client.call("count", {}, {.on_progress = [&](const toolwire::ProgressReport& report) { last = report.progress; }});
    BOOST_TEST(last == 3);
  }
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_ends_on_both_sides) {
  Server server{{.name = "calculator", .version = "1.0.0"}};
  add_tools(server);
  toolwire::testing::Client client{server};
  auto call = client.start_call("wait");
  call.cancel();
  BOOST_CHECK_THROW(call.wait(), toolwire::CancelledError);
}

BOOST_AUTO_TEST_CASE(a_call_under_way_ends_with_the_client) {
  Server server{{.name = "calculator", .version = "1.0.0"}};
  add_tools(server);
  toolwire::testing::Client client{server};
  const auto call = client.start_call("wait");
  BOOST_TEST(!call.is_done());
}

BOOST_AUTO_TEST_CASE(a_question_is_answered_in_every_revision_that_has_questions) {
  Server server{{.name = "deployer", .version = "1.0.0"}};
  server.tool("deploy", "Deploy", [](Context& ctx) -> toolwire::Outcome<std::string> {
    const auto answer = ctx.answer<Confirm>("confirm");
    if (!answer) return toolwire::ask<Confirm>("confirm", "Deploy to prod?");
    return std::string{"deployed"};
  });
  for (const char* revision : {"2025-06-18", "2025-11-25", "2026-07-28", ""}) {
    BOOST_TEST_CONTEXT(revision) {
      ClientOptions options = speaking(revision);
      std::string asked;
      options.on_elicitation = [&](const toolwire::Elicitation& question) -> toolwire::ElicitationReply {
        asked = question.message;
        return {.action = toolwire::ElicitationReply::Action::accept, .content = {{"sure", true}}};
      };
      toolwire::testing::Client client{server, options};
      BOOST_TEST(client.call("deploy").text() == "deployed");
      BOOST_TEST(asked == "Deploy to prod?");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tool_that_asks_nothing_is_told_of_in_every_revision) {
  Server server({.name = "s", .version = "1"});
  server.tool("ask", "Asks nothing", []() -> toolwire::Outcome<std::string> { return toolwire::Questions{}; });
  server.tool({.name = "later", .description = "Asks nothing", .long_running = true},
              [](toolwire::Reply reply) { reply(toolwire::Questions{}); });
  server.prompt("ask", "Asks nothing", []() -> toolwire::Outcome<std::string> { return toolwire::Questions{}; });
  for (const auto& revision : toolwire::known_revisions()) {
    toolwire::testing::Client client(server, {.revision = std::string(revision)});
    const auto error_of = [&](const auto& request) -> std::string {
      try {
        request();
      } catch (const ProtocolError& error) {
        return std::to_string(error.code) + " " + error.what();
      }
      return "no error";
    };
    BOOST_TEST(error_of([&] { client.call("ask"); }) == "-32603 Internal error: tool ask asked nothing", revision);
    BOOST_TEST(error_of([&] { client.call("later"); }) == "-32603 Internal error: tool later asked nothing", revision);
    BOOST_TEST(error_of([&] { client.get_prompt("ask"); }) == "-32603 Internal error: prompt ask asked nothing",
               revision);
  }
}

BOOST_AUTO_TEST_CASE(a_tool_added_while_running_is_told) {
  Server server{{.name = "calculator", .version = "1.0.0"}};
  add_tools(server);
  for (const char* revision : {"2025-11-25", "2026-07-28"}) {
    BOOST_TEST_CONTEXT(revision) {
      toolwire::testing::Client client{server, speaking(revision)};
      client.ping();  // legacy: the server has seen `notifications/initialized`
      std::promise<std::size_t> tools;
      std::atomic<bool> told = false;
      const auto subscription = client.subscribe_tools([&] {
        if (!told.exchange(true)) tools.set_value(client.list_tools().size());
      });
      server.tool(std::string{"late-"} + revision, "Late", [] { return 1; });
      BOOST_TEST(tools.get_future().get() >= 4U);
    }
  }
}
