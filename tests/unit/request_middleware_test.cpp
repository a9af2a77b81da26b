// Middleware around requests of every kind.
#include <toolwire/middleware.hpp>

#define BOOST_TEST_MODULE request_middleware_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "toolwire/testing.hpp"

using namespace toolwire;

namespace {

struct Who {
  std::string name;
  static constexpr auto describe() { return fields(field<&Who::name>("Whom")); }
};

std::string what_of(const std::exception_ptr& thrown) {
  if (!thrown) return "";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  }
}

struct Fixture {
  Fixture() : server({.name = "s", .version = "1"}) {
    server.tool("greet", "Greets", [](const Who& who) { return "hello " + who.name; });
    server.tool("fail", "Fails", []() -> std::string { throw std::runtime_error("a secret of the tool"); });
    server.tool("refuse", "Refuses", []() -> std::string { throw ProtocolError(-32000, "refused"); });
    server.prompt("write", "Writes", [](const Who& who) { return "write to " + who.name; });
    server.prompt("lost", "Loses", []() -> std::string { throw ResourceNotFound("no such page"); });
    server.resource({.uri = "note://one"}, [] { return "one"; });
    server.resource({.uri = "note://none"}, []() -> std::string { throw ResourceNotFound(); });
    server.resource_template({.uri_template = "note://all/{name}"}, [](const Who& who) { return who.name; });
  }

  /// Writes down what passes.
  void watch() {
    server.around_request([this](AnyRequest& request, Context&, RequestNext next) {
      next.then([this, name = std::string(request.method) + " " + request.subject](AnyRequestOutcome& outcome) {
        const std::lock_guard lock(mutex);
        seen.push_back(name + (outcome.thrown ? " threw " + what_of(outcome.thrown) : ""));
      });
    });
  }

  template <class Use>
  int error_of(Use use) {
    try {
      use();
    } catch (const ProtocolError& error) {
      return error.code;
    }
    return 0;
  }

  Server server;
  std::mutex mutex;
  std::vector<std::string> seen;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(every_kind_of_request_passes, Fixture) {
  watch();
  testing::Client client(server);
  client.call("greet", JsonObject{{"name", "you"}});
  client.get_prompt("write", {{"name", "me"}});
  read_resource(client, "note://one");
  BOOST_TEST(client.list_tools().size() == 3u);
  BOOST_TEST(client.list_prompts().size() == 2u);
  BOOST_TEST(list_resources(client).size() == 2u);
  BOOST_TEST(list_resource_templates(client).size() == 1u);
  const std::vector<std::string> all{
      "tools/call greet", "prompts/get write", "resources/read note://one", "tools/list ",
      "prompts/list ",    "resources/list ",   "resources/templates/list "};
  BOOST_TEST(seen == all, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(what_was_thrown_is_seen_and_then_translated_as_ever, Fixture) {
  watch();
  testing::Client client(server, {.revision = "2026-07-28"});
  const CallResult failed = client.call("fail");
  BOOST_TEST(failed.is_error);
  BOOST_TEST(failed.text().find("secret") == std::string::npos);
  BOOST_TEST(error_of([&] { client.call("refuse"); }) == -32000);
  BOOST_TEST(error_of([&] { read_resource(client, "note://none"); }) == -32602);
  const std::vector<std::string> all{"tools/call fail threw a secret of the tool", "tools/call refuse threw refused",
                                     "resources/read note://none threw Resource not found"};
  BOOST_TEST(seen == all, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_prompt_that_needs_a_resource_says_that_it_is_not_there, Fixture) {
  testing::Client modern(server, {.revision = "2026-07-28"});
  BOOST_TEST(error_of([&] { modern.get_prompt("lost"); }) == error_code::invalid_params);
  testing::Client legacy(server, {.revision = "2025-11-25"});
  BOOST_TEST(error_of([&] { legacy.get_prompt("lost"); }) == error_code::resource_not_found);
}

BOOST_FIXTURE_TEST_CASE(a_look_may_make_a_result_of_what_was_thrown, Fixture) {
  server.around_request([](AnyRequest&, Context&, RequestNext next) {
    next.then([](AnyRequestOutcome& outcome) {
      if (outcome.thrown) outcome.value = ToolResult::text("mended: " + what_of(outcome.thrown));
    });
  });
  testing::Client client(server);
  BOOST_TEST(client.call("fail").text() == "mended: a secret of the tool");
  BOOST_TEST(error_of([&] { client.get_prompt("lost"); }) == error_code::internal_error);  // no result of its kind
}

BOOST_FIXTURE_TEST_CASE(around_calls_the_result_is_seen_and_outside_of_them_the_exception_still, Fixture) {
  watch();
  bool saw_error = false;
  server.around_call([&](CallRequest&, Context&, Next next) {
    next.then([&](AnyOutcome& outcome) { saw_error = std::get<ToolResult>(outcome).is_error; });
  });
  testing::Client client(server);
  BOOST_TEST(client.call("fail").is_error);
  BOOST_TEST(saw_error);
  BOOST_TEST(seen == std::vector<std::string>{"tools/call fail threw a secret of the tool"},
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_answers_later_may_answer_with_an_error_of_the_protocol, Fixture) {
  server.tool({.name = "later", .description = ""}, [](Reply reply) { reply(ProtocolError(-32050, "not now")); });
  testing::Client client(server);
  BOOST_TEST(error_of([&] { client.call("later"); }) == -32050);
  watch();
  BOOST_TEST(error_of([&] { client.call("later"); }) == -32050);
  BOOST_TEST(seen == std::vector<std::string>{"tools/call later threw not now"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(around_a_call_an_error_of_the_protocol_can_be_made_of_a_result, Fixture) {
  server.around_call([](CallRequest& request, Context&, Next next) {
    if (request.tool == "fail") return next.answer(ProtocolError(-32050, "not allowed"));
    next.then([](AnyOutcome& outcome) { outcome = ProtocolError(-32051, "not to be seen"); });
  });
  testing::Client client(server);
  BOOST_TEST(error_of([&] { client.call("fail"); }) == -32050);
  BOOST_TEST(error_of([&] { client.call("greet", JsonObject{{"name", "you"}}); }) == -32051);
}

BOOST_FIXTURE_TEST_CASE(arguments_can_be_changed_and_are_checked_behind, Fixture) {
  server.around_request([](AnyRequest& request, Context&, RequestNext next) {
    if (request.arguments.is_object() && request.arguments.get_object().contains("name")) {
      const bool bad = request.arguments.at("name") == Json("bad");
      request.arguments.get_object()["name"] = bad ? Json(5) : Json("somebody else");
    }
    next();
  });
  testing::Client client(server);
  BOOST_TEST(client.call("greet", JsonObject{{"name", "you"}}).text() == "hello somebody else");
  BOOST_TEST(client.call("greet", JsonObject{{"name", "bad"}}).is_error);
  BOOST_TEST(error_of([&] { client.get_prompt("write", {{"name", "bad"}}); }) == error_code::invalid_params);
}

BOOST_FIXTURE_TEST_CASE(arguments_can_be_supplied_and_mended, Fixture) {
  watch();
  testing::Client client(server);
  const auto prompt_of = [&](const JsonObject& params) { return to_json_text(client.request("prompts/get", params)); };
  const auto error_for = [&](const JsonObject& params) { return error_of([&] { prompt_of(params); }); };
  const std::vector<JsonObject> wrong{{{"name", "write"}},
                                      {{"name", "write"}, {"arguments", JsonObject{}}},
                                      {{"name", "write"}, {"arguments", JsonObject{{"name", 5}}}},
                                      {{"name", "write"}, {"arguments", JsonObject{{"name", "me"}, {"other", "x"}}}}};
  for (const JsonObject& params : wrong) BOOST_TEST(error_for(params) == error_code::invalid_params);
  BOOST_TEST(seen.size() == wrong.size());  // what is refused behind a middleware is seen by it
  server.around_request([](AnyRequest& request, Context&, RequestNext next) {
    request.arguments = JsonObject{{"name", "somebody"}};
    next();
  });
  for (const JsonObject& params : wrong) BOOST_TEST(prompt_of(params).find("write to somebody") != std::string::npos);
  BOOST_TEST(client.call("greet").text() == "hello somebody");
  BOOST_TEST(error_for({{"name", "write"}, {"arguments", JsonArray{}}}) == error_code::invalid_params);
  BOOST_TEST(error_for({{"name", "write"}, {"arguments", "x"}}) == error_code::invalid_params);
}

BOOST_FIXTURE_TEST_CASE(arguments_that_a_middleware_has_spoiled_are_refused, Fixture) {
  server.around_request([](AnyRequest& request, Context&, RequestNext next) {
    request.arguments = request.subject == "write" ? Json("no object") : Json(nullptr);
    next();
  });
  testing::Client client(server);
  BOOST_TEST(error_of([&] { client.get_prompt("write", {{"name", "me"}}); }) == error_code::invalid_params);
}

BOOST_FIXTURE_TEST_CASE(a_request_can_be_answered_or_refused_on_the_way, Fixture) {
  server.around_request([](AnyRequest& request, Context&, RequestNext next) {
    if (request.kind == RequestKind::resource) return next.answer(ResourceResult{{ResourceContents::text("kept")}, {}});
    if (request.kind == RequestKind::list) throw ProtocolError(-32001, "nothing for you");
    if (request.kind == RequestKind::prompt) return;  // dropped
    next();
  });
  testing::Client client(server);
  BOOST_TEST(read_resource(client, "note://one").at(0).contents == "kept");
  BOOST_TEST(error_of([&] { client.list_tools(); }) == -32001);
  BOOST_TEST(error_of([&] { client.get_prompt("write", {{"name", "me"}}); }) == error_code::internal_error);
}

BOOST_FIXTURE_TEST_CASE(what_is_taken_out_of_a_list_is_not_shown_and_the_list_is_for_this_client_only, Fixture) {
  server.around_request([](AnyRequest&, Context&, RequestNext next) {
    next.then([](AnyRequestOutcome& outcome) {
      if (auto* list = std::get_if<ListResult>(&outcome.value)) {
        std::erase(list->names, "fail");
        std::erase(list->names, "note://one");
      }
    });
  });
  testing::Client client(server, {.revision = "2026-07-28"});
  BOOST_TEST(client.list_tools().size() == 2u);
  BOOST_TEST(list_resources(client).size() == 1u);
  BOOST_TEST(client.request("tools/list").at("cacheScope") == Json("private"));
  BOOST_TEST(client.request("prompts/list").at("cacheScope") == Json("public"));
}
