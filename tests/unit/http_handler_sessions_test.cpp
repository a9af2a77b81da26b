// Streamable HTTP in the revisions with a handshake (2025-03-26, 2025-06-18, 2025-11-25 basic/transports): sessions
// without a table, questions to the client on the stream of its own request, and batches.
#define BOOST_TEST_MODULE http_handler_sessions_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <string>
#include <thread>

#include "http_recorder.hpp"
#include "toolwire/result.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire::test;

namespace {

struct Sure {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Sure::yes>("Whether to")); }
};

/// A message of a session; without a header for the version if that is empty.
http::Request in_session(const std::string& session, const std::string& version, const std::string& body) {
  http::Request request = post_of(body);
  if (!session.empty()) with(request, "Mcp-Session-Id", session);
  if (!version.empty()) with(request, "MCP-Protocol-Version", version);
  return request;
}

std::string call_of(const std::string& tool, int id = 7) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":{},"_meta":{"progressToken":1}}})";
}

struct Fixture {
  explicit Fixture(http::HandlerOptions options = {}, std::shared_ptr<EventBus> bus = {})
      : server({"s", "1"}, logging(std::move(bus))), handler(server, patient(std::move(options))) {
    server.tool("echo", "Says hello", [] { return "hello"; });
    server.tool("who", "Tells who calls", [](Context& context) { return "<" + context.principal().id + ">"; });
    server.tool("logs", "Writes to the log", [](Context& context) {
      context.log(LogLevel::debug, "not so much");
      context.log(LogLevel::info, "something");
      return "logged";
    });
    server.tool("counts", "Reports progress", [](Context& context) {
      context.progress(1, 2);
      return "counted";
    });
    server.tool("asks", "Asks", [](Context& context) -> Outcome<std::string> {
      const auto sure = context.answer<Sure>("sure");
      if (!sure) return ask<Sure>("sure", "Sure?");
      return std::string(sure->accepted() && sure->value->yes ? "yes" : "no");
    });
    server.tool("waits", "Waits until it is told to go on or to stop", [this](Context& context) {
      ++waiting;
      while (!go_on && !context.stop_requested()) std::this_thread::sleep_for(1ms);
      if (context.stop_requested()) ++stopped;
      --waiting;
      return "waited";
    });
  }
  ~Fixture() { go_on = true; }
  static ServerOptions logging(std::shared_ptr<EventBus> bus) {
    ServerOptions options;
    options.stores.events = std::move(bus);
    options.declares.logging = true;
    return options;
  }

  std::shared_ptr<HttpRecorder> initialized(const std::string& version, const std::string& principal = {}) {
    http::Request request =
        post_of(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" + version +
                R"(","capabilities":{"elicitation":{},"sampling":{}},"clientInfo":{"name":"c","version":"1"}}})");
    request.principal = principal;
    return send(handler, std::move(request));
  }
  std::string session_of(const std::string& version, const std::string& principal = {}) {
    return initialized(version, principal)->field("Mcp-Session-Id");
  }
  std::shared_ptr<HttpRecorder> sent(const std::string& session, const std::string& version, const std::string& body) {
    return send(handler, in_session(session, version, body));
  }
  std::string outcome_of(const std::string& session, const std::string& version, const std::string& body) {
    return outcome(handler, in_session(session, version, body));
  }
  void wait_until(const std::function<bool()>& what) {
    for (int i = 0; i < 20'000 && !what(); ++i) std::this_thread::sleep_for(1ms);
    BOOST_TEST(what());
  }

  std::atomic<bool> go_on{false};
  std::atomic<int> waiting{0};
  std::atomic<int> stopped{0};
  Server server;
  http::Handler handler;
};

std::string text_of(const Json& answer) {
  return std::string(answer.at("result").at("content").at(0).at("text").as_string());
}

const char* const versions[] = {"2025-03-26", "2025-06-18", "2025-11-25"};

}  // namespace

// Session Management

BOOST_FIXTURE_TEST_CASE(a_handshake_is_answered_with_a_session, Fixture) {
  for (const std::string version : versions) {
    BOOST_TEST_INFO(version);
    const auto answer = initialized(version);
    BOOST_TEST(answer->status() == 200);
    BOOST_TEST(answer->json().at("result").at("protocolVersion") == Json(version));
    const std::string session = answer->field("Mcp-Session-Id");
    BOOST_TEST(!session.empty());
    BOOST_TEST(session.size() < 4096u);
    for (const char one : session) BOOST_TEST((one > 0x20 && one < 0x7f));
    BOOST_TEST(session != session_of(version));
    BOOST_TEST(outcome_of(session, version, R"({"jsonrpc":"2.0","method":"notifications/initialized"})") == "202 0");
    BOOST_TEST(text_of(sent(session, version, call_of("echo"))->json()) == "hello");
    BOOST_TEST(outcome_of(session, version, R"({"jsonrpc":"2.0","id":3,"method":"ping"})") == "200 0");
  }
}

BOOST_FIXTURE_TEST_CASE(a_handshake_that_fails_has_no_session, Fixture) {
  const auto answer = send(handler, post_of(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"));
  BOOST_TEST(answer->status() == 200);
  BOOST_TEST(answer->json().at("error").at("code") == Json(-32602));
  BOOST_TEST(answer->field("Mcp-Session-Id").empty());
}

BOOST_FIXTURE_TEST_CASE(another_handler_takes_the_session_too, Fixture) {
  Fixture other;
  BOOST_TEST(other.outcome_of(session_of("2025-06-18"), "2025-06-18", call_of("echo")) == "200 0");
}

BOOST_FIXTURE_TEST_CASE(without_a_session_there_is_no_answer, Fixture) {
  BOOST_TEST(outcome_of("", "2025-06-18", call_of("echo")) == "400 -32600");
  BOOST_TEST(outcome_of("", "", call_of("echo")) == "400 -32600");
  BOOST_TEST(outcome_of("", "2025-06-18", R"({"jsonrpc":"2.0","method":"notifications/initialized"})") == "400 -32600");
}

BOOST_FIXTURE_TEST_CASE(a_session_that_is_none_of_ours_is_not_found, Fixture) {
  std::string session = session_of("2025-06-18");
  session[40] = session[40] == 'A' ? 'B' : 'A';
  for (const std::string& wrong : {session, std::string("x"), std::string(5000, 'A')})
    BOOST_TEST(outcome_of(wrong, "2025-06-18", call_of("echo")) == "404 -32600");
}

BOOST_FIXTURE_TEST_CASE(a_session_is_its_principals, Fixture) {
  const std::string session = session_of("2025-11-25", "ann");
  const auto outcome_for = [&](const char* who) {
    http::Request request = in_session(session, "2025-11-25", call_of("who"));
    request.principal = who;
    return send(handler, std::move(request));
  };
  BOOST_TEST(outcome_for("bob")->status() == 404);
  BOOST_TEST(outcome_for("")->status() == 404);
  BOOST_TEST(text_of(outcome_for("ann")->json()) == "<ann>");
}

/// 2025-11-25 basic/utilities/tasks, access control: in a session of its own another principal finds none of them.
BOOST_FIXTURE_TEST_CASE(a_task_of_a_session_is_its_principals, Fixture) {
  const std::string version = "2025-11-25";
  server.tool({.name = "slow", .description = "Runs as a task", .long_running = true},
              [](Context& context) { return "for " + context.principal().id; });
  const auto answer_to = [&](const char* who, const std::string& method, const JsonObject& params) {
    http::Request request =
        in_session(session_of(version, who), version,
                   to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", params}}));
    request.principal = who;
    return send(handler, std::move(request))->json();
  };
  const Json begun =
      answer_to("ann", "tools/call", {{"name", "slow"}, {"arguments", JsonObject()}, {"task", JsonObject()}});
  const Json task = begun.at("result").at("task").at("taskId");
  for (const char* const other : {"bob", ""}) {
    for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
      BOOST_TEST_INFO(method << " by '" << other << "'");
      BOOST_TEST(answer_to(other, method, {{"taskId", task}}).at("error") ==
                 answer_to(other, method, {{"taskId", "none"}}).at("error"));
    }
    BOOST_TEST(answer_to(other, "tasks/list", {}).at("result").at("tasks").as_array().empty());
  }
  BOOST_TEST(text_of(answer_to("ann", "tasks/result", {{"taskId", task}})) == "for ann");  // also in another session
  BOOST_TEST(answer_to("ann", "tasks/list", {}).at("result").at("tasks").as_array().size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_sealed_state_of_a_call_is_no_session, Fixture) {
  const auto asked = send(handler, modern_call("asks", {}, {}, {{"elicitation", JsonObject()}}));
  const std::string state(asked->json().at("result").at("requestState").as_string());
  BOOST_TEST(outcome_of(state, "2025-06-18", call_of("echo")) == "404 -32600");
}

BOOST_FIXTURE_TEST_CASE(a_client_that_says_a_lot_of_itself_has_a_session_all_the_same, Fixture) {
  const auto answer =
      send(handler, post_of(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
        "capabilities":{"elicitation":{},"experimental":{"x":")" +
                            std::string(5000, 'x') + R"("}},"clientInfo":{"name":"c","version":"1"}}})"));
  const std::string session = answer->field("Mcp-Session-Id");
  BOOST_TEST(!session.empty());
  BOOST_TEST(outcome_of(session, "2025-11-25", call_of("echo")) == "200 0");
}

BOOST_FIXTURE_TEST_CASE(a_client_with_an_endless_name_has_a_session_all_the_same, Fixture) {
  const std::string much(10'000, 'x');
  for (const std::string& own :
       {R"({"elicitation":{}},"clientInfo":{"name":")" + much + R"(","version":"1"})",
        R"({"elicitation":{"x":")" + much + R"("}},"clientInfo":{"name":"c","version":"1"})"}) {
    const auto answer = send(
        handler, post_of(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                         R"("capabilities":)" +
                         own + "}}"));
    const std::string session = answer->field("Mcp-Session-Id");
    BOOST_TEST(!session.empty());
    BOOST_TEST(outcome_of(session, "2025-11-25", call_of("echo")) == "200 0");
  }
}

// Listening for Messages from the Server 3; Session Management 5

BOOST_FIXTURE_TEST_CASE(there_is_no_stream_by_get_and_no_end_by_delete, Fixture) {
  for (const char* const method : {"GET", "DELETE"}) {
    http::Request request = in_session(session_of("2025-11-25"), "2025-11-25", "");
    request.method = method;
    BOOST_TEST(outcome(handler, std::move(request)) == "405 -32600");
  }
}

// Protocol Version Header

BOOST_FIXTURE_TEST_CASE(the_version_is_that_of_the_session_and_may_be_left_out, Fixture) {
  const std::string session = session_of("2025-06-18");
  BOOST_TEST(outcome_of(session, "", call_of("echo")) == "200 0");
  BOOST_TEST(outcome_of(session, "2025-11-25", call_of("echo")) == "400 -32600");
  BOOST_TEST(outcome_of(session, "2099-01-01", call_of("echo")) == "400 -32022");
  BOOST_TEST(outcome_of(session, "2026-07-28", call_of("echo")) == "400 -32602");
}

BOOST_FIXTURE_TEST_CASE(errors_have_status_200_as_before, Fixture) {
  const std::string session = session_of("2025-06-18");
  BOOST_TEST(outcome_of(session, "2025-06-18", R"({"jsonrpc":"2.0","id":1,"method":"none"})") == "200 -32601");
  BOOST_TEST(outcome_of(session, "2025-06-18", call_of("none")) == "200 -32602");
}

// Sending Messages to the Server

BOOST_FIXTURE_TEST_CASE(progress_and_the_log_make_a_stream, Fixture) {
  const std::string session = session_of("2025-06-18");
  const auto events = sent(session, "2025-06-18", call_of("counts"))->events();
  BOOST_TEST_REQUIRE(events.size() == 2u);
  BOOST_TEST(events[0].at("method") == Json("notifications/progress"));
  const auto logged = sent(session, "2025-06-18", call_of("logs"))->events();
  BOOST_TEST_REQUIRE(logged.size() == 2u);  // from info on, for nobody remembers a level
  BOOST_TEST(logged[0].at("params").at("data") == Json("something"));
  BOOST_TEST(outcome_of(session, "2025-06-18",
                        R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}})") ==
             "200 0");
}

BOOST_FIXTURE_TEST_CASE(a_question_goes_out_on_the_stream_and_its_answer_comes_by_another_post, Fixture) {
  for (const std::string version : {"2025-06-18", "2025-11-25"}) {
    BOOST_TEST_INFO(version);
    const std::string session = session_of(version);
    const auto call = sent(session, version, call_of("asks"));
    BOOST_TEST(call->wait_for("\n\n"));
    const Json question = HttpRecorder::events_in(call->so_far()).front();
    BOOST_TEST(question.at("method") == Json("elicitation/create"));
    BOOST_TEST(question.at("id").as_string().size() > 32u);
    BOOST_TEST(!call->is_finished());
    const std::string answer =
        to_json_text(JsonObject{{"jsonrpc", "2.0"},
                                {"id", question.at("id")},
                                {"result", {{"action", "accept"}, {"content", {{"yes", true}}}}}});
    BOOST_TEST(outcome_of(session, version, answer) == "202 0");
    BOOST_TEST(text_of(call->events().back()) == "yes");
    BOOST_TEST(outcome_of(session, version, answer) == "400 -32600");  // it was answered
  }
}

BOOST_FIXTURE_TEST_CASE(a_question_is_answered_by_who_was_asked, Fixture) {
  const std::string session = session_of("2025-06-18", "ann");
  http::Request request = in_session(session, "2025-06-18", call_of("asks"));
  request.principal = "ann";
  const auto call = send(handler, std::move(request));
  BOOST_TEST(call->wait_for("\n\n"));
  const Json id = HttpRecorder::events_in(call->so_far()).front().at("id");
  const auto answer_of = [&](const Json& to, const std::string& who) {
    http::Request answer =
        in_session(session_of("2025-06-18", who), "2025-06-18",
                   to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", to}, {"result", {{"action", "decline"}}}}));
    answer.principal = who;
    return outcome(handler, std::move(answer));
  };
  BOOST_TEST(answer_of(id, "bob") == "400 -32600");
  for (const Json& other : {Json(1), Json("1"), Json("-1"), Json(""), Json("x-1")})
    BOOST_TEST(answer_of(other, "ann") == "400 -32600");
  BOOST_TEST(!call->is_finished());
  BOOST_TEST(answer_of(id, "ann") == "202 0");
  BOOST_TEST(text_of(call->events().back()) == "no");
}

BOOST_FIXTURE_TEST_CASE(a_client_that_leaves_does_not_cancel_and_its_notification_does, Fixture) {
  const std::string session = session_of("2025-06-18");
  const auto gone = sent(session, "2025-06-18", call_of("waits", 8));
  const auto cancelled = sent(session, "2025-06-18", call_of("waits", 9));
  wait_until([&] { return waiting == 2; });
  gone->closed();
  const std::string other = session_of("2025-06-18");
  const char* const notification = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})";
  BOOST_TEST(outcome_of(other, "2025-06-18", notification) == "202 0");  // another session's requests are its own
  BOOST_TEST(stopped == 0);
  BOOST_TEST(outcome_of(session, "2025-06-18", notification) == "202 0");
  wait_until([&] { return stopped == 1; });
  BOOST_TEST(cancelled->events().empty());  // nothing is answered
  go_on = true;
  wait_until([&] { return waiting == 0; });
  BOOST_TEST(stopped == 1);
  BOOST_TEST(!gone->is_finished());
}

BOOST_FIXTURE_TEST_CASE(a_question_whose_stream_is_gone_is_given_up, Fixture) {
  const std::string session = session_of("2025-06-18");
  const auto call = sent(session, "2025-06-18", call_of("asks"));
  BOOST_TEST(call->wait_for("\n\n"));
  const Json id = HttpRecorder::events_in(call->so_far()).front().at("id");
  call->closed();
  const std::string answer =
      to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"result", {{"action", "decline"}}}});
  wait_until([&] { return outcome_of(session, "2025-06-18", answer) == "400 -32600"; });
}

// Where several servers are one to their clients, who answers may reach another one than has asked.

/// Two behind a balancer, on one bus.
struct Replicas {
  std::shared_ptr<EventBus> bus = memory_event_bus();
  Fixture first{{}, bus};
  Fixture second{{}, bus};

  std::string outcome_at_second(const std::string& session, const std::string& version, const std::string& body,
                                const std::string& principal) {
    http::Request request = in_session(session, version, body);
    request.principal = principal;
    return outcome(second.handler, std::move(request));
  }
};

BOOST_FIXTURE_TEST_CASE(a_question_of_another_replica_is_answered, Replicas) {
  for (const std::string version : {"2025-03-26", "2025-06-18", "2025-11-25"}) {
    BOOST_TEST_INFO(version);
    const std::string session = first.session_of(version, "ann");
    http::Request request = in_session(session, version, call_of("asks"));
    request.principal = "ann";
    const auto call = send(first.handler, std::move(request));
    if (version == "2025-03-26") {  // which has no such questions
      BOOST_TEST(call->wait_for("isError"));
      continue;
    }
    BOOST_TEST(call->wait_for("\n\n"));
    const Json id = HttpRecorder::events_in(call->so_far()).front().at("id");
    const auto answer_of = [&](const std::string& action) {
      return to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"result", {{"action", action}}}});
    };
    const std::string of_bob = second.session_of(version, "bob");
    BOOST_TEST(outcome_at_second(of_bob, version, answer_of("accept"), "bob") == "202 0");  // but it is not for him
    BOOST_TEST(outcome_at_second(session, version, answer_of("decline"), "ann") == "202 0");
    BOOST_TEST(call->wait_for("\"text\":\"no\""));
    BOOST_TEST(text_of(call->events().back()) == "no");
  }
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_is_too_long_for_the_bus_is_refused, Replicas) {
  const std::string session = first.session_of("2025-06-18");
  const std::string answer =
      R"({"jsonrpc":"2.0","id":"somebody-1","result":{"action":")" + std::string(300'000, 'x') + "\"}}";
  BOOST_TEST(second.outcome_of(session, "2025-06-18", answer) == "400 -32600");
}

BOOST_FIXTURE_TEST_CASE(a_call_at_another_replica_is_cancelled, Replicas) {
  const std::string session = first.session_of("2025-03-26");
  const auto call = first.sent(session, "2025-03-26", call_of("waits", 8));
  const auto kept = first.sent(session, "2025-03-26", call_of("waits", 9));
  first.wait_until([&] { return first.waiting == 2; });
  const char* const batch = R"([{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}},)"
                            R"({"jsonrpc":"2.0","id":1,"method":"ping"}])";
  const auto status_for = [&](const std::string& whose) { return second.sent(whose, "2025-03-26", batch)->status(); };
  BOOST_TEST(status_for(second.session_of("2025-03-26")) == 200);  // another session's requests are its own
  BOOST_TEST(status_for(session) == 200);
  first.wait_until([&] { return first.stopped == 1; });
  first.go_on = true;
  first.wait_until([&] { return first.waiting == 0; });
  BOOST_TEST(first.stopped == 1);
}

// Who calls at one may listen at another.
BOOST_FIXTURE_TEST_CASE(who_listens_hears_of_a_replica_at_which_nobody_listens, Replicas) {
  const auto listening =
      send(second.handler, modern("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}}));
  BOOST_TEST(listening->wait_for("subscriptions/acknowledged"));
  BOOST_TEST(first.outcome_of(first.session_of("2025-06-18"), "2025-06-18", call_of("echo")) == "200 0");
  first.server.tool("new", "Is new", [] { return "new"; });
  BOOST_TEST(listening->wait_for("tools/list_changed"));
}

BOOST_FIXTURE_TEST_CASE(what_is_no_message_of_a_client_is_passed_over, Replicas) {
  const auto stranger = bus->join({});
  for (const char* const params : {"", "x", R"("body":1)", R"("body":"{")", R"("body":"[]")",
                                   R"("body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")"})
    stranger->tell({Event::Kind::client_message, "session", params});
  BOOST_TEST(first.outcome_of(first.session_of("2025-06-18"), "2025-06-18", call_of("echo")) == "200 0");
}

// 2025-03-26 basic/transports, sending messages: batches

BOOST_FIXTURE_TEST_CASE(a_batch_is_answered_with_a_batch, Fixture) {
  const std::string session = session_of("2025-03-26");
  const auto answer = sent(session, "",
                           "[" + call_of("echo", 1) + R"(,{"jsonrpc":"2.0","method":"notifications/initialized"},)" +
                               R"({"jsonrpc":"2.0","id":"p","method":"ping"},)" + call_of("none", 2) + "]");
  BOOST_TEST(answer->status() == 200);
  BOOST_TEST(answer->field("Content-Type") == "application/json");
  const Json all = answer->json();
  BOOST_TEST(all.as_array().size() == 3u);
  std::string ids;
  for (const Json& one : all.as_array()) ids += to_json_text(one.at("id"));
  BOOST_TEST(ids.size() == 5u);
  BOOST_TEST(ids.find("\"p\"") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_batch_may_become_a_stream, Fixture) {
  const std::string session = session_of("2025-03-26");
  const auto answer = sent(session, "", "[" + call_of("counts", 1) + "," + call_of("echo", 2) + "]");
  const auto events = answer->events();
  BOOST_TEST_REQUIRE(events.size() == 2u);
  BOOST_TEST(events[0].at("method") == Json("notifications/progress"));
  BOOST_TEST(events[1].as_array().size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_batch_without_requests_is_accepted, Fixture) {
  const std::string session = session_of("2025-03-26");
  BOOST_TEST(outcome_of(session, "", R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])") == "202 0");
}

BOOST_FIXTURE_TEST_CASE(a_batch_is_refused_where_there_are_none_or_something_in_it_is_wrong, Fixture) {
  const std::string batch = "[" + call_of("echo") + "]";
  BOOST_TEST(outcome_of(session_of("2025-06-18"), "2025-06-18", batch) == "400 -32600");
  BOOST_TEST(outcome_of(session_of("2025-11-25"), "", batch) == "400 -32600");
  BOOST_TEST(outcome_of("", "", batch) == "400 -32600");
  const std::string session = session_of("2025-03-26");
  BOOST_TEST(outcome_of(session, "", "[]") == "400 -32600");
  BOOST_TEST(outcome_of(session, "", "[" + call_of("echo") + ",1]") == "400 -32600");
}

BOOST_FIXTURE_TEST_CASE(header_fields_of_the_protocol_occur_once_here_too, Fixture) {
  http::Request request = in_session(session_of("2025-06-18"), "2025-06-18", call_of("echo"));
  request.fields.push_back({"mcp-session-id", "x"});
  BOOST_TEST(outcome(handler, std::move(request)) == "400 -32020");
}

BOOST_FIXTURE_TEST_CASE(both_eras_are_served_beside_each_other, Fixture) {
  const std::string session = session_of("2025-06-18");
  BOOST_TEST(text_of(sent(session, "2025-06-18", call_of("echo"))->json()) == "hello");
  BOOST_TEST(send(handler, modern_call("echo"))->json().at("result").at("resultType") == Json("complete"));
}
