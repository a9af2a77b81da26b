// Questions whose answers nobody needs any more.
#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE withdrawn_questions_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <future>
#include <stop_token>
#include <string>

using namespace toolwire;

namespace {

struct Sure {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Sure::yes>("Whether you are")); }
};

/// A tool that asks until `needless` is stopped, and a host whose user is in no hurry.
struct Fixture {
  std::stop_source needless;
  std::promise<void> asked;
  std::promise<void> leave;
  Server server{{.name = "asks", .version = "1"}, {.tasks = {.poll_interval = std::chrono::milliseconds(10)}}};
  testing::Client client{server, {.revision = "2025-11-25", .on_elicitation = [this](const Elicitation&) {
                                    asked.set_value();
                                    leave.get_future().wait();
                                    return ElicitationReply{ElicitationReply::Action::accept, Json{{"yes", true}}};
                                  }}};

  Fixture() {
    const auto asks = [this](Context& context) -> Outcome<std::string> {
      const auto answer = context.answer<Sure>("sure");
      if (answer) return answer->accepted() ? "yes" : "nobody has said";
      Questions questions = ask<Sure>("sure", "Sure?");
      questions.withdrawn = needless.get_token();
      return questions;
    };
    server.tool("ask", "Asks", asks);
    server.tool({.name = "build", .long_running = true}, asks);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_tool_goes_on_while_the_user_is_still_asked, Fixture) {
  auto call = client.start_call("ask");
  asked.get_future().wait();
  needless.request_stop();
  BOOST_TEST(call.wait().text() == "nobody has said");
  leave.set_value();
  client.ping();  // the late answer harms nobody
}

BOOST_FIXTURE_TEST_CASE(a_task_goes_on_while_its_client_is_still_asked, Fixture) {
  for (const char* const revision : {"2025-11-25", "2026-07-28"}) {
    needless = std::stop_source();
    std::promise<void> is_asked;
    std::promise<void> may_leave;
    testing::Client follower{server, {.revision = revision, .tasks = true, .on_elicitation = [&](const Elicitation&) {
                                        is_asked.set_value();
                                        may_leave.get_future().wait();
                                        return ElicitationReply{ElicitationReply::Action::accept, Json{{"yes", true}}};
                                      }}};
    auto call = follower.start_call("build", {}, {.as_task = true});
    is_asked.get_future().wait();
    needless.request_stop();
    BOOST_TEST(call.wait().text() == "nobody has said", revision);
    may_leave.set_value();
  }
  leave.set_value();
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_came_counts, Fixture) {
  leave.set_value();
  BOOST_TEST(client.call("ask").text() == "yes");
  needless.request_stop();
  client.ping();
}

BOOST_FIXTURE_TEST_CASE(what_is_withdrawn_before_it_is_asked_is_not_waited_for, Fixture) {
  needless.request_stop();
  BOOST_TEST(client.call("ask").text() == "nobody has said");
  leave.set_value();
}
