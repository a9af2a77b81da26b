#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE client_prompts_test
#include <boost/test/unit_test.hpp>

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "toolwire/testing.hpp"

using namespace toolwire;

namespace {

struct Sure {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Sure::sure>("Really?")); }
};

struct Who {
  std::string name;
  static constexpr auto describe() { return fields(field<&Who::name>("Whom to greet")); }
};

Outcome<std::string> greet(const Who& who, Context& context) {
  auto sure = context.answer<Sure>("sure");
  if (!sure) return ask<Sure>("sure", "Greet?");
  return (sure->accepted() && sure->value->sure ? "Hello " : "Not ") + who.name;
}

struct Fixture {
  Server server{{.name = "s", .version = "1"}, {.page = 1, .declares = {.logging = true}}};
  Fixture() {
    server.prompt("greet", "Greets", greet);
    server.prompt("other", "Another", [] { return "other"; });
    server.tool("trace", "Tells its trace", [](Context& context) { return context.trace().traceparent; });
    server.tool("log", "Logs", [](Context& context) {
      context.log(LogLevel::info, "quiet");
      context.log(LogLevel::error, std::string("loud"), "me");
      return std::string("done");
    });
  }

  ClientOptions options(const char* revision) {
    ClientOptions options{.revision = revision};
    options.on_elicitation = [](const Elicitation&) {
      return ElicitationReply{ElicitationReply::Action::accept, {{"sure", true}}};
    };
    options.on_notification = [this](const std::string& method, const Json& params) {
      if (method != "notifications/message") return;
      std::lock_guard lock(mutex);
      logged.push_back(to_json_text(params.at("data")));
      heard.notify_all();
    };
    return options;
  }

  std::mutex mutex;
  std::condition_variable heard;
  std::vector<std::string> logged;
};

const char* const revisions[] = {"2025-06-18", "2025-11-25", "2026-07-28"};

}  // namespace

BOOST_FIXTURE_TEST_CASE(prompts_are_listed_to_the_end_of_the_pages, Fixture) {
  for (const char* revision : revisions) {
    testing::Client client(server, options(revision));
    const auto prompts = client.list_prompts();
    BOOST_REQUIRE(prompts.size() == 2u);
    BOOST_TEST(prompts[0].name == "greet");
    BOOST_TEST(prompts[0].description == "Greets");
    BOOST_REQUIRE(prompts[0].arguments.size() == 1u);
    BOOST_TEST(prompts[0].arguments[0].required);
    BOOST_TEST(prompts[1].arguments.empty());
  }
}

BOOST_FIXTURE_TEST_CASE(a_prompt_that_asks_is_answered_and_got, Fixture) {
  for (const char* revision : revisions) {
    testing::Client client(server, options(revision));
    const PromptMessages got = client.get_prompt("greet", {{"name", "Ada"}});
    BOOST_REQUIRE(got.messages.size() == 1u);
    BOOST_TEST(got.messages[0].at("content").at("text") == "Hello Ada");
    BOOST_CHECK_THROW(client.get_prompt("greet"), ProtocolError);
  }
}

BOOST_FIXTURE_TEST_CASE(a_trace_goes_from_call_to_call, Fixture) {
  const std::string parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
  for (const char* revision : revisions) {
    testing::Client client(server, options(revision));
    BOOST_TEST(client.call("trace", {}, {.trace = {.traceparent = parent}}).text() == parent);
    BOOST_TEST(client.call("trace").text() == "");
  }
}

BOOST_FIXTURE_TEST_CASE(log_messages_come_once_they_are_asked_for, Fixture) {
  for (const char* revision : revisions) {
    {
      testing::Client client(server, options(revision));
      client.call("log");
      client.set_log_level(LogLevel::warning);
      client.call("log");
      std::unique_lock lock(mutex);
      heard.wait(lock, [&] { return !logged.empty(); });
    }
    BOOST_TEST(logged == std::vector<std::string>{R"("loud")"}, boost::test_tools::per_element());
    logged.clear();
  }
}
