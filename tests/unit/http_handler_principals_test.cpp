// What belongs to who calls over HTTP in 2026-07-28, and is refused to everybody else (mrtr, requestState; the
// extension for tasks, security), and which answers caches may give to others (server/utilities/caching).
#define BOOST_TEST_MODULE http_handler_principals_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include "http_recorder.hpp"
#include "toolwire/json_members.hpp"
#include "toolwire/result.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire::test;

namespace {

struct Sure {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Sure::yes>("Whether to")); }
};

struct Note {
  std::string name;
  static constexpr auto describe() { return fields(field<&Note::name>("Of the note")); }
};

const JsonObject follows_tasks{{"extensions", {{"io.modelcontextprotocol/tasks", JsonObject()}}},
                               {"elicitation", JsonObject()}};
const JsonObject accepted{{"sure", {{"action", "accept"}, {"content", {{"yes", true}}}}}};
const char* const methods_of_tasks[] = {"tasks/get", "tasks/update", "tasks/cancel"};

struct Fixture {
  explicit Fixture(ServerOptions options = {})
      : server({"s", "1"}, std::move(options)), handler(std::in_place, server, patient()) {
    server.tool("who", "Tells who calls", [](Context& context) { return "<" + context.principal().id + ">"; });
    server.tool("asks", "Asks", approved);
    server.tool({.name = "careful", .description = "Becomes a task, and asks", .long_running = true}, approved);
    server.tool({.name = "slow", .description = "Becomes a task, and waits", .long_running = true},
                [this](Context& context) {
                  while (!go_on && !context.stop_requested()) std::this_thread::sleep_for(1ms);
                  return "for " + context.principal().id;
                });
    server.tool({.name = "rated", .description = "Once a minute", .rate_per_minute = 1}, [] { return "done"; });
  }
  ~Fixture() { go_on = true; }

  static Outcome<std::string> approved(Context& context) {
    if (!context.answer<Sure>("sure")) return ask<Sure>("sure", "Sure?");
    return "approved for " + context.principal().id;
  }
  Json answer_to(http::Request request, const std::string& who) {
    request.principal = who;
    return send(*handler, std::move(request))->json();
  }
  static std::string text_in(const Json& result) {
    return std::string(result.at("content").at(0).at("text").as_string());
  }
  std::string text_for(const std::string& who, const std::string& tool) {
    return text_in(answer_to(modern_call(tool), who).at("result"));
  }
  /// The id of the task that a call has become.
  Json begun(const std::string& tool, const std::string& who) {
    return answer_to(modern_call(tool, {}, {}, follows_tasks), who).at("result").at("taskId");
  }
  Json of_task(const char* method, const Json& id, const std::string& who, JsonObject params = {}) {
    params["taskId"] = id;
    return answer_to(modern(method, std::move(params), {}, follows_tasks), who);
  }
  void wait_for(const char* status, const Json& task, const std::string& who) {
    Json now;
    for (int i = 0; i < 20'000 && now != Json(status); ++i) {
      now = of_task("tasks/get", task, who).at("result").at("status");
      if (now != Json(status)) std::this_thread::sleep_for(1ms);
    }
    BOOST_TEST(now == Json(status));
  }

  std::atomic<bool> go_on{false};
  Server server;
  std::optional<http::Handler> handler;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_principal_of_a_request_is_its_caller, Fixture) {
  http::Request request = modern_call("who");
  BOOST_TEST(send(*handler, request)->json().at("result").at("content").at(0).at("text") == Json("<>"));
  request.principal = "ann";
  BOOST_TEST(send(*handler, request)->json().at("result").at("content").at(0).at("text") == Json("<ann>"));
  request.principal = "a\nb";
  BOOST_TEST(send(*handler, request)->status() == 403);
  request.principal = std::string(max_principal_id + 1, 'x');
  BOOST_TEST(send(*handler, request)->status() == 403);
}

BOOST_AUTO_TEST_CASE(who_is_not_named_by_the_program_is_identified) {
  std::atomic<int> asked{0};
  ServerOptions options;
  options.identify = [&](const UnidentifiedRequest& request, Done<Principal> done) {
    ++asked;
    done(request.peer != nullptr ? "process " + std::to_string(request.peer->process) : "somebody");
  };
  Fixture fixture(std::move(options));
  http::Request request = modern_call("who");
  BOOST_TEST(send(*fixture.handler, request)->json().at("result").at("content").at(0).at("text") == Json("<somebody>"));
  request.peer = Peer{1, 2};
  BOOST_TEST(send(*fixture.handler, request)->json().at("result").at("content").at(0).at("text") ==
             Json("<process 2>"));
  request.principal = "ann";
  BOOST_TEST(send(*fixture.handler, request)->json().at("result").at("content").at(0).at("text") == Json("<ann>"));
  BOOST_TEST(asked == 2);
}

BOOST_FIXTURE_TEST_CASE(answers_to_questions_belong_to_who_was_asked, Fixture) {
  const JsonObject asked{{"elicitation", JsonObject()}};
  http::Request request = modern_call("asks", {}, {}, asked);
  request.principal = "ann";
  const Json state = send(*handler, request)->json().at("result").at("requestState");
  http::Request again = modern("tools/call",
                               {{"name", "asks"},
                                {"arguments", JsonObject()},
                                {"requestState", state},
                                {"inputResponses", {{"sure", {{"action", "accept"}, {"content", {{"yes", true}}}}}}}},
                               {}, asked, 2);
  again.principal = "bob";
  BOOST_TEST(send(*handler, again)->json().at("error").at("code") == Json(-32602));
  again.principal = "ann";
  BOOST_TEST(send(*handler, again)->json().at("result").at("content").at(0).at("text") == Json("approved for ann"));
}

/// 2026-07-28 basic/patterns/mrtr, security: its integrity, the method and the parameters it is for, and its end.
BOOST_AUTO_TEST_CASE(a_state_is_good_for_its_call_alone_and_for_a_time) {
  ServerOptions options;
  options.limits.state_age = 300s;
  Fixture fixture(std::move(options));
  const JsonObject can_answer{{"elicitation", JsonObject()}};
  fixture.server.tool({.name = "asks_for_text", .description = "Asks"},
                      [](const Note& note, Context& context) -> Outcome<std::string> {
                        if (!context.answer<Sure>("sure")) return ask<Sure>("sure", "Sure?");
                        return "approved: " + note.name;
                      });
  fixture.server.tool({.name = "asks_shortly", .description = "Asks", .answers_within = 1ms}, Fixture::approved);
  const auto asked = [&](const char* tool, JsonObject arguments) {
    const Json answer = fixture.answer_to(modern_call(tool, std::move(arguments), {}, can_answer), "ann");
    return std::string(answer.at("result").at("requestState").as_string());
  };
  const auto answered = [&](const char* tool, JsonObject arguments, const std::string& state) {
    JsonObject params{
        {"name", tool}, {"arguments", std::move(arguments)}, {"requestState", state}, {"inputResponses", accepted}};
    http::Request request = modern("tools/call", std::move(params), {}, can_answer, 2);
    request.principal = "ann";
    return outcome(*fixture.handler, std::move(request));
  };
  const std::string state = asked("asks_for_text", {{"name", "a"}});
  BOOST_TEST(answered("asks_for_text", {{"name", "a"}}, state) == "200 0");
  BOOST_TEST(answered("asks_for_text", {{"name", "b"}}, state) == "200 -32602");  // of other parameters
  BOOST_TEST(answered("asks", {}, state) == "200 -32602");                        // of another tool
  for (const std::size_t at : {std::size_t{0}, state.size() / 2, state.size() - 2}) {
    std::string altered = state;
    altered[at] = altered[at] == 'A' ? 'B' : 'A';
    BOOST_TEST(answered("asks_for_text", {{"name", "a"}}, altered) == "200 -32602", at);
  }
  const std::string session_like = std::string(state.size(), 'A');
  BOOST_TEST(answered("asks_for_text", {{"name", "a"}}, session_like) == "200 -32602");
  const std::string short_lived = asked("asks_shortly", {});
  std::this_thread::sleep_for(5ms);
  BOOST_TEST(answered("asks_shortly", {}, short_lived) == "200 -32602");
}

BOOST_AUTO_TEST_CASE(kept_texts_belong_to_the_principal) {
  Fixture fixture({.output_budget = OutputBudget{.lines = 2, .bytes = 100}, .kept_output = 1 << 20});
  fixture.server.tool("long", "Says a lot", [] { return "1\n2\n3\n4\n"; });
  http::Request request = modern_call("long");
  request.principal = "ann";
  const Json meta = send(*fixture.handler, request)->json().at("result").at("_meta").at("dev.toolwire/output");
  http::Request more = modern_call("read_output", {{"cursor", meta.at("cursor")}});
  const auto is_found = [&](const char* who) {
    more.principal = who;
    const Json result = send(*fixture.handler, more)->json().at("result");
    const Json* const is_error = result.as_object().if_contains("isError");
    return is_error == nullptr || !is_error->as_bool();
  };
  BOOST_TEST(!is_found("bob"));
  BOOST_TEST(!is_found(""));
  BOOST_TEST(is_found("ann"));
}

BOOST_FIXTURE_TEST_CASE(a_task_is_its_principals, Fixture) {
  for (const std::string owner : {"ann", ""}) {
    const Json task = begun("slow", owner);
    const Json unknown = of_task("tasks/get", "none", owner).at("error");
    for (const std::string other : {"bob", "", "ann"}) {
      if (other == owner) continue;
      for (const char* const method : methods_of_tasks) {
        BOOST_TEST_INFO(method << " by '" << other << "'");
        BOOST_TEST(of_task(method, task, other).at("error") == unknown);  // not told from one that never was
      }
    }
    BOOST_TEST(of_task("tasks/get", task, owner).at("result").at("status") == Json("working"));  // nobody has ended it
    BOOST_TEST(find_member(of_task("tasks/cancel", task, owner), "error") == nullptr);
    wait_for("cancelled", task, owner);
  }
}

BOOST_FIXTURE_TEST_CASE(the_question_of_a_task_is_answered_by_its_principal, Fixture) {
  const Json task = begun("careful", "ann");
  wait_for("input_required", task, "ann");
  BOOST_TEST(of_task("tasks/update", task, "bob", {{"inputResponses", accepted}}).at("error").at("code") ==
             Json(-32602));
  BOOST_TEST(of_task("tasks/get", task, "ann").at("result").at("status") == Json("input_required"));
  BOOST_TEST(find_member(of_task("tasks/update", task, "ann", {{"inputResponses", accepted}}), "error") == nullptr);
  wait_for("completed", task, "ann");
  BOOST_TEST(text_in(of_task("tasks/get", task, "ann").at("result").at("result")) == "approved for ann");
}

/// Whoever asks is told of its own tasks only, and not whether there are others.
BOOST_FIXTURE_TEST_CASE(changes_of_a_task_reach_its_principal_alone, Fixture) {
  const Json task = begun("careful", "ann");
  wait_for("input_required", task, "ann");
  const auto listening = [&](const char* who) {
    http::Request request =
        modern("subscriptions/listen", {{"notifications", {{"taskIds", JsonArray{task}}}}}, {}, follows_tasks, "sub");
    request.principal = who;
    auto stream = send(*handler, std::move(request));
    BOOST_TEST(stream->wait_for("notifications/subscriptions/acknowledged"));
    return stream;
  };
  const std::string id(task.as_string());
  const auto anns = listening("ann");
  const auto bobs = listening("bob");
  const auto nobodys = listening("");
  BOOST_TEST(anns->so_far().find(id) != std::string::npos);
  BOOST_TEST(find_member(of_task("tasks/update", task, "ann", {{"inputResponses", accepted}}), "error") == nullptr);
  wait_for("completed", task, "ann");
  BOOST_TEST(anns->wait_for("\"completed\""));
  for (const auto& stream : {bobs, nobodys}) {
    BOOST_TEST(HttpRecorder::events_in(stream->so_far()).size() == 1U);
    BOOST_TEST(stream->so_far().find(id) == std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(each_principal_has_a_rate_of_its_own, Fixture) {
  for (const char* const who : {"ann", "bob", ""}) {
    BOOST_TEST(text_for(who, "rated") == "done");
    BOOST_TEST(text_for(who, "rated").starts_with("\"rated\" may be called 1 times a minute"));
  }
}

BOOST_AUTO_TEST_CASE(all_calls_of_a_principal_together_have_a_bound) {
  Fixture fixture({.calls_per_minute = 2});
  for (const char* const who : {"ann", "bob", ""}) {
    for (int i = 0; i < 2; ++i) BOOST_TEST(fixture.text_for(who, "who") == "<" + std::string(who) + ">");
    BOOST_TEST(fixture.text_for(who, "who").starts_with("You may call tools 2 times a minute"));
  }
}

// server/utilities/caching

namespace {

/// One tool, prompt, resource and template, which only `visible` see.
void add_one_of_each(Server& server, const Visible& visible) {
  server.tool({.name = "a_tool", .description = "One", .visible = visible}, [] { return "1"; });
  server.prompt({.name = "a_prompt", .visible = visible}, [] { return "1"; });
  server.resource({.uri = "note://one", .name = "a_resource", .visible = visible}, [] { return "1"; });
  server.resource_template({.uri_template = "note://of/{name}", .name = "a_template", .visible = visible},
                           [](const Note& note) { return note.name; });
}

struct List {
  const char* method;
  const char* of;
};
constexpr List lists[] = {{"tools/list", "tools"},
                          {"prompts/list", "prompts"},
                          {"resources/list", "resources"},
                          {"resources/templates/list", "resourceTemplates"}};

}  // namespace

BOOST_AUTO_TEST_CASE(lists_and_what_is_read_have_hints_for_caches) {
  Server server({"s", "1"}, ServerOptions{.list_age = 90s});
  add_one_of_each(server, nullptr);
  http::Handler handler(server, patient());
  for (const List& list : lists) {
    BOOST_TEST_INFO(list.method);
    http::Request request = modern(list.method);
    request.principal = "ann";
    const Json result = send(handler, std::move(request))->json().at("result");
    BOOST_TEST(result.at("ttlMs") == Json(90'000));
    BOOST_TEST(result.at("cacheScope") == Json("public"));
    BOOST_TEST(result.at(list.of).as_array().size() == 1U);
  }
  const Json found = send(handler, modern("server/discover"))->json().at("result");
  BOOST_TEST(found.at("ttlMs") == Json(90'000));
  const Json read = send(handler, modern("resources/read", {{"uri", "note://one"}}))->json().at("result");
  BOOST_TEST(read.at("ttlMs").is_number());
  BOOST_TEST(read.at("cacheScope").is_string());
}

BOOST_AUTO_TEST_CASE(lists_that_differ_by_principal_are_private) {
  Server server({"s", "1"});
  add_one_of_each(server, [](Context& context) { return context.principal().id == "ann"; });
  http::Handler handler(server, patient());
  const auto result_for = [&](const char* who, http::Request request) {
    request.principal = who;
    return send(handler, std::move(request))->json();
  };
  for (const List& list : lists) {
    for (const char* const who : {"ann", "bob", ""}) {
      BOOST_TEST_INFO(list.method << " for '" << who << "'");
      const Json result = result_for(who, modern(list.method)).at("result");
      BOOST_TEST(result.at(list.of).as_array().size() == (std::string_view(who) == "ann" ? 1U : 0U));
      BOOST_TEST(result.at("cacheScope") == Json("private"));
      BOOST_TEST(result.at("ttlMs").is_number());
    }
  }
  const http::Request read = modern("resources/read", {{"uri", "note://one"}});
  BOOST_TEST(result_for("ann", read).at("result").at("cacheScope") == Json("private"));
  BOOST_TEST(result_for("bob", read).at("error").at("code") == Json(-32602));
}

BOOST_FIXTURE_TEST_CASE(a_list_that_may_differ_by_principal_is_private, Fixture) {
  server.around_request([](AnyRequest&, Context&, RequestNext next) { next(); });
  http::Request request = modern("tools/list");
  request.principal = "ann";
  BOOST_TEST(send(*handler, request)->json().at("result").at("cacheScope") == Json("private"));
}
