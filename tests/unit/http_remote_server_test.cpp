// Servers that are reached over HTTP, and speak it well.
#include <toolwire/http/detail/remote_transport.hpp>

#define BOOST_TEST_MODULE http_remote_server_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <future>
#include <mutex>
#include <string>
#include <toolwire/http/connect.hpp>
#include <vector>

#include "http_served.hpp"
#include "remote_script.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

const std::string own_tool = R"({"tools":[{"name":"run","inputSchema":{"type":"object","properties":{
  "region":{"type":"string","x-mcp-header":"Region"},
  "deep":{"type":"object","properties":{"count":{"type":"integer","x-mcp-header":"Count"}}}}}}]})";
const std::string done_text = R"({"content":[{"type":"text","text":"done"}]})";

HttpAnswer done(const RemoteRequest& request) { return result(request, done_text); }

/// A session of a revision with handshake, whose id is told with the answer of `initialize`.
HttpAnswer session(const RemoteRequest& request) {
  return HttpAnswer::of(200,
                        result_text(request, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":
true}},"serverInfo":{"name":"s","version":"1"}})"),
                        "Content-Type: application/json\r\nMcp-Session-Id: of-this-test\r\n");
}

std::string url_of(const HttpServed& served) { return "http://" + served.host() + "/mcp"; }

}  // namespace

BOOST_AUTO_TEST_CASE(tools_of_our_own_server_are_listed_and_called_in_every_revision) {
  HttpServed served;
  for (const char* const revision : {"", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}) {
    BOOST_TEST_CONTEXT("revision '" << revision << "'") {
      RemoteClient client(url_of(served), {.revision = revision});
      BOOST_TEST(client->server().revision == (*revision == '\0' ? "2026-07-28" : revision));
      BOOST_TEST(client->list_tools().size() == 4U);
      BOOST_TEST(client->call("echo", {{"text", "over\nHTTP ü"}}).text() == "over\nHTTP ü");
      client->ping();
    }
  }
}

BOOST_AUTO_TEST_CASE(tools_whose_arguments_no_header_field_could_repeat_are_not_offered) {
  const std::string tools = R"({"tools":[
    {"name":"wrong","inputSchema":{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}}},
    {"name":"fine","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}},"more":1},
    {"name":"too","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A\r\nB: c"}}}}],
    "ttlMs":5,"cacheScope":"public"})";
  for (const std::string revision : {"2025-11-25", "2026-07-28"}) {
    RemoteScript script(revision,
                        {{"tools/list", [&](const RemoteRequest& request) { return result(request, tools); }}});
    std::mutex mutex;
    std::vector<std::string> left_out;
    Client client(http::connect(script.server().url("/mcp"), {.on_left_out =
                                                                  [&](const std::string& why) {
                                                                    const std::lock_guard lock(mutex);
                                                                    left_out.push_back(why);
                                                                  }}),
                  {.revision = revision});
    const Json listed = client.request("tools/list", JsonObject());
    const std::lock_guard lock(mutex);
    if (!script.modern()) {  // where the annotation means nothing
      BOOST_TEST(listed.at("tools").as_array().size() == 3U);
      BOOST_TEST(left_out.empty());
      continue;
    }
    BOOST_TEST(listed == parse_json(R"({"tools":[{"name":"fine","inputSchema":{"type":"object","properties":
      {"a":{"type":"string","x-mcp-header":"A"}}},"more":1}],"ttlMs":5,"cacheScope":"public"})"));
    BOOST_TEST_REQUIRE(left_out.size() == 2U);
    BOOST_TEST(left_out[0].starts_with("\"wrong\": its x-mcp-header \"A\" is of a parameter"), left_out[0]);
    BOOST_TEST(left_out[1] == "\"too\": its x-mcp-header is no name of a header field");
  }
}

BOOST_AUTO_TEST_CASE(progress_comes_before_the_result) {
  HttpServed served;
  RemoteClient client(url_of(served));
  std::vector<std::string> reports;
  const CallResult result = client->call("flood", {{"count", 5}}, {.on_progress = [&](const ProgressReport& report) {
                                           reports.push_back(report.message.substr(0, 1));
                                         }});
  BOOST_TEST(result.text() == "reported");
  BOOST_TEST_REQUIRE(!reports.empty());  // a server sends no more than so many a second
  BOOST_TEST(reports.front() == "0");
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_is_stopped_at_the_server_in_both_eras) {
  for (const char* const revision : {"2025-11-25", "2026-07-28"}) {
    HttpServed served;
    RemoteClient client(url_of(served), {.revision = revision});
    CallHandle call = client->start_call("hold", {{"gate", "never"}});
    BOOST_TEST(comes_true([&] { return served.running_tools == 1; }));
    call.cancel("no longer wanted");
    BOOST_CHECK_THROW(call.wait(), CancelledError);
    BOOST_TEST(comes_true([&] { return served.cancelled_tools == 1; }), revision);
    BOOST_TEST(client->call("echo", {{"text", "still here"}}).text() == "still here");
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_takes_too_long_meets_its_deadline) {
  HttpServed served;
  RemoteClient client(url_of(served));
  BOOST_CHECK_THROW(client->call("hold", {{"gate", "never"}}, {.timeout = 50ms}), TimeoutError);
  BOOST_TEST(comes_true([&] { return served.cancelled_tools == 1; }));
}

BOOST_AUTO_TEST_CASE(calls_do_not_wait_for_each_other) {
  HttpServed served;
  RemoteClient client(url_of(served));
  CallHandle slow = client->start_call("hold", {{"gate", "go"}});
  BOOST_TEST(comes_true([&] { return served.running_tools == 1; }));
  BOOST_TEST(client->call("echo", {{"text", "quick"}}).text() == "quick");
  served.gates.open("go");
  BOOST_TEST(slow.wait().text() == "went on");
}

BOOST_AUTO_TEST_CASE(a_request_without_a_session_says_all_that_the_revision_wants) {
  RemoteScript script(
      "2026-07-28", {{"tools/list", [](const RemoteRequest& r) { return result(r, own_tool); }}, {"tools/call", done}});
  RemoteClient client(script.server().url("/mcp"), {}, {{"Authorization", "Bearer x"}});
  client->list_tools();
  client->call("run", {{"region", " ü "}, {"deep", {{"count", 42}}}});
  const RemoteRequest call = script.requests("tools/call").at(0);
  BOOST_TEST(call.header("Accept") == "application/json, text/event-stream");
  BOOST_TEST(call.header("Content-Type") == "application/json");
  BOOST_TEST(call.header("MCP-Protocol-Version") == "2026-07-28");
  BOOST_TEST(call.header("Mcp-Method") == "tools/call");
  BOOST_TEST(call.header("Mcp-Name") == "run");
  BOOST_TEST(call.header("Mcp-Param-Region") == "=?base64?IMO8IA==?=");
  BOOST_TEST(call.header("Mcp-Param-Count") == "42");
  BOOST_TEST(call.header("Authorization") == "Bearer x");
  BOOST_TEST(call.header("Mcp-Session-Id") == "-");
  BOOST_TEST(script.requests("GET").empty());
}

BOOST_AUTO_TEST_CASE(a_session_is_named_with_every_request_and_ended) {
  RemoteScript script("2025-11-25", {{"initialize", session}, {"tools/call", done}});
  {
    RemoteClient client(script.server().url("/mcp"));
    BOOST_TEST(client->call("run", JsonObject()).text() == "done");
    BOOST_TEST(comes_true([&] { return !script.requests("GET").empty(); }));
  }
  BOOST_TEST(script.requests("initialize").at(0).header("Mcp-Session-Id") == "-");
  for (const char* const what : {"notifications/initialized", "tools/call", "GET", "DELETE"}) {
    const auto found = script.requests(what);
    BOOST_TEST_REQUIRE(found.size() == 1U, what);
    BOOST_TEST(found[0].header("Mcp-Session-Id") == "of-this-test", what);
    BOOST_TEST(found[0].header("MCP-Protocol-Version") == "2025-11-25", what);
  }
}

BOOST_AUTO_TEST_CASE(nothing_overtakes_the_end_of_the_handshake) {
  RemoteScript script("2025-11-25", {{"notifications/initialized",
                                      [](const RemoteRequest&) {
                                        HttpAnswer held = accepted();
                                        held.held = true;
                                        return held;
                                      }},
                                     {"tools/call", done}});
  RemoteClient client(script.server().url("/mcp"));
  CallHandle cancelled = client->start_call("run", JsonObject());
  CallHandle call = client->start_call("run", JsonObject());
  BOOST_TEST(script.server().wait_for_requests(3));  // discover, initialize, initialized
  BOOST_TEST(script.requests("tools/call").empty());
  cancelled.cancel();
  script.server().release();
  BOOST_TEST(call.wait().text() == "done");
  BOOST_TEST(script.requests("tools/call").size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_a_server_says_by_itself_is_heard_and_questions_are_answered) {
  RemoteScript script(
      "2025-11-25",
      {{"initialize", session},
       {"tools/call",
        [](const RemoteRequest& request) {
          return events(event(R"({"jsonrpc":"2.0","id":"q1","method":"elicitation/create",
data: "params":{"message":"Sure?","requestedSchema":{"type":"object"}}})") +
                        event(result_text(request, done_text)));
        }},
       {"GET", [](const RemoteRequest&) {
          return events(": here\n\n" + event(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"), true);
        }}});
  std::promise<void> changed;
  std::promise<std::string> question;
  ClientOptions options;
  options.on_elicitation = [&](const Elicitation& asked) {
    question.set_value(asked.message);
    return ElicitationReply{.action = ElicitationReply::Action::accept, .content = JsonObject()};
  };
  options.on_notification = [&](const std::string& method, const Json&) {
    if (method == "notifications/tools/list_changed") changed.set_value();
  };
  RemoteClient client(script.server().url("/mcp"), options);
  BOOST_TEST((changed.get_future().wait_for(30s) == std::future_status::ready));
  BOOST_TEST(client->call("run", JsonObject()).text() == "done");
  BOOST_TEST(question.get_future().get() == "Sure?");
  const auto answered = [&] {
    for (const RemoteRequest& request : script.requests("POST")) {
      if (request.text.find(R"("id":"q1","result":{"action":"accept")") != std::string::npos) return true;
    }
    return false;
  };
  BOOST_TEST(comes_true(answered));
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_cut_goes_on_after_its_last_event) {
  RemoteScript script("2025-11-25",
                      {{"initialize", session},
                       {"tools/call", [](const RemoteRequest&) { return events("retry: 1\nid: e7\ndata:\n\n"); }},
                       {"GET", [](const RemoteRequest& request) {
                          if (request.header("Last-Event-ID") != "e7") return HttpAnswer::of(405, "");
                          return events(event(R"({"jsonrpc":"2.0","id":3,"result":)" + done_text + "}"));
                        }}});
  RemoteClient client(script.server().url("/mcp"));
  BOOST_TEST(client->call("run", JsonObject()).text() == "done");
  BOOST_TEST(script.requests("tools/call").size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_server_may_be_asked_again_and_again_for_the_answer) {
  std::atomic<int> polls = 0;
  std::promise<std::string> last;
  RemoteScript script("2025-11-25",
                      {{"tools/call", [](const RemoteRequest&) { return events("retry: 1\nid: e0\ndata:\n\n"); }},
                       {"GET", [&](const RemoteRequest& request) {
                          if (request.header("Last-Event-ID") == "-") return HttpAnswer::of(405, "");
                          if (++polls < 7) return events("id: e" + std::to_string(polls) + "\ndata:\n\n");
                          last.set_value(request.header("Last-Event-ID"));
                          return events(event(R"({"jsonrpc":"2.0","id":3,"result":)" + done_text + "}"));
                        }}});
  RemoteClient client(script.server().url("/mcp"));
  BOOST_TEST(client->call("run", JsonObject()).text() == "done");
  BOOST_TEST(last.get_future().get() == "e6");
}

BOOST_AUTO_TEST_CASE(a_subscription_whose_stream_ends_is_had_again_and_what_was_missed_is_asked_for) {
  std::atomic<int> listened = 0;
  RemoteScript script(
      "2026-07-28",
      {{"server/discover",
        [](const RemoteRequest& request) {
          return result(request, R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},
"serverInfo":{"name":"s","version":"1"}})");
        }},
       {"subscriptions/listen", [&](const RemoteRequest& request) {
          return events(event(R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":
data: {"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":)" +
                              request.id() + "}}}"),
                        ++listened > 1);
        }}});
  RemoteClient client(script.server().url("/mcp"));
  std::promise<void> changed;
  Subscription subscription = client->subscribe_lists([&] { changed.set_value(); });
  BOOST_TEST((changed.get_future().wait_for(30s) == std::future_status::ready));
  BOOST_TEST(subscription.is_active());
  BOOST_TEST(script.requests("subscriptions/listen").size() == 2U);
}
