// Limits that are written as the largest duration there is.
#define BOOST_TEST_MODULE for_ever_test
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "script_transport.hpp"
#include "toolwire/engine.hpp"
#include "toolwire/testing.hpp"

using namespace std::chrono_literals;
using namespace toolwire;

namespace {

constexpr auto for_ever = std::chrono::milliseconds::max();

struct Name {
  std::string name;
  static constexpr auto describe() { return fields(field<&Name::name>("Name")); }
};

Outcome<std::string> greet(Context& context) {
  const auto answer = context.answer<Name>("who");
  if (!answer) return ask<Name>("who", "Who are you?");
  return answer->accepted() ? "Hello, " + answer->value->name : "not accepted";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_question_may_be_answered_for_ever) {
  for (const char* revision : {"2025-11-25", "2026-07-28"}) {
    Server server{{"for-ever", "1"}, {.limits = {.question_age = for_ever, .state_age = for_ever}}};
    server.tool("greet", "Greets", greet);
    server.tool({.name = "greet_once", .single_use_answers = true, .answers_within = for_ever}, greet);
    testing::Client client{server, {.revision = revision, .on_elicitation = [](const Elicitation&) -> ElicitationReply {
                                      return {ElicitationReply::Action::accept, Json{{"name", "Ada"}}};
                                    }}};
    BOOST_TEST(client.call("greet").text() == "Hello, Ada", revision);
    BOOST_TEST(client.call("greet_once").text() == "Hello, Ada", revision);
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_runs_at_the_end_of_the_input_may_take_for_ever) {
  Server server{{"for-ever", "1"}, {.limits = {.drain = for_ever}}};
  server.tool("slow", "Takes its time", [](Context& context) {
    for (int i = 0; i < 100 && !context.stop_requested(); ++i) std::this_thread::sleep_for(1ms);
    return context.stop_requested() ? "was stopped" : "done";
  });
  toolwire_test::ScriptTransport transport;
  transport.feed_line(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  transport.feed_line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  transport.feed_line(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}})");
  transport.end_input();
  server.run(transport);
  transport.server_has_left();
  transport.next();
  const auto answer = transport.next();
  BOOST_REQUIRE(answer.has_value());
  BOOST_TEST(answer->find("\"done\"") != std::string::npos, *answer);
}

BOOST_AUTO_TEST_CASE(a_job_that_is_never_due_does_not_run) {
  std::promise<std::string> first;
  Engine engine;
  const auto never = engine.after(Engine::Clock::duration::max(), [&first] { first.set_value("never"); });
  engine.after(1ms, [&first] { first.set_value("soon"); });
  BOOST_TEST(first.get_future().get() == "soon");
  engine.cancel(never);
}
