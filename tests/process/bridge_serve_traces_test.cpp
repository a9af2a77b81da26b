// `toolwire-bridge serve` with a collector of traces: the spans of what it serves and calls, and that no call minds how
// the collector is doing.
#define BOOST_TEST_MODULE bridge_serve_traces_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <toolwire/json_members.hpp>

#include "failure_code.hpp"
#include "file_content.hpp"
#include "mcp_bridge.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"
#include "trace_collector.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const std::string bridge_program = TOOLWIRE_BIN_DIR "/toolwire-bridge";
const std::string trace = "0af7651916cd43dd8448eb211c80319c";
const std::string caller = "b7ad6b7169203331";
const std::string sampled = "00-" + trace + "-" + caller + "-01";
constexpr int served = 2;
constexpr int made = 3;

constexpr const char* manifest = R"({
  "protocol_version": "1.0",
  "scenario": {"name": "own", "version": "1.0.0", "description": "Tools of files"},
  "tools": [
    {"name": "fetch", "description": "Asks a service", "parameters": {"type": "object", "properties": {}},
     "metadata": {"enabled_by_default": true, "requires_approval": false}},
    {"name": "run", "description": "Says its environment", "parameters": {"type": "object", "properties": {}},
     "metadata": {"enabled_by_default": true, "requires_approval": false}}
  ],
  "generated_at": "2026-01-15T10:30:00Z"
})";

/// What is lost is said at the very end, which a busy machine may not reach within two seconds.
const ClientOptions patient{.grace = {.after_end_of_input = std::chrono::seconds(30)}};

struct Fixture {
  ScratchFolder folder;
  JsonObject bindings{{"run", parse_json(R"j({"process": {"argv": ["sh", "-c", "echo $TRACEPARENT $TRACESTATE"]}})j")},
                      {"fetch", parse_json(R"j({"constant": {"result": {}}})j")}};

  std::string path(const std::string& name) const { return (folder / name).string(); }
  /// A server over stdio, two tools of files, and a collector.
  std::string configure(JsonObject traces, JsonObject more = {}) const {
    folder.file("tools.json", manifest);
    JsonObject own = std::move(more);
    own["manifests"] = JsonArray{"tools.json"};
    own["bindings"] = bindings;
    own["traces"] = std::move(traces);
    own["metrics"] = "metrics.prom";
    const JsonObject servers{{"one", JsonObject{{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}}}};
    return folder.file("bridge.json", to_json_text(JsonObject{{"mcpServers", servers}, {"toolwire", std::move(own)}}))
        .string();
  }
  /// What it writes to standard error goes to a file.
  Program serve(const std::string& file) const {
    Program program{
        .command = {"sh", "-c", R"(exec "$0" "$@" 2>>')" + path("log") + "'", bridge_program, "serve", file}};
    program.environment["XDG_STATE_HOME"] = folder.text();
    program.environment["COLLECTOR_TOKEN"] = "s3cret-of-the-collector";
    return program;
  }
  std::string log() const { return content_of(path("log")); }
};

const CallOptions of_caller{.trace = {.traceparent = sampled, .tracestate = "a=1", .baggage = "b=2"}};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_request_and_its_call_go_on_with_the_trace_of_who_calls, Fixture) {
  const TraceCollector collector;
  const std::string file = configure({{"endpoint", collector.endpoint()}, {"service_name", "front"}});
  for (const std::string revision : {"2025-11-25", "2026-07-28"}) {
    std::string seen;
    {
      Client client(serve(file), {.revision = revision});
      client.call("echo", {{"text", "an argument of no concern"}});
      const CallResult result = client.call("meta", {}, of_caller);
      seen = text_or(*result.structured, "traceparent");
      BOOST_TEST(text_or(*result.structured, "tracestate") == "a=1");
      BOOST_TEST(text_or(*result.structured, "baggage") == "b=2");
    }
    const auto request = collector.wait_for("tools/call meta", served).back();
    const auto call = collector.wait_for("tools/call meta", made).back();
    BOOST_TEST(request.trace() == trace);
    BOOST_TEST(request.parent() == caller);
    BOOST_TEST(call.trace() == trace);
    BOOST_TEST(call.parent() == request.id());
    BOOST_TEST(seen == call.traceparent());
    BOOST_TEST(request.attribute("mcp.protocol.version") == revision);
    BOOST_TEST(request.attribute("gen_ai.tool.name") == "meta");
    BOOST_TEST((request.attribute("mcp.session.id") != "-") == (revision == "2025-11-25"));
    BOOST_TEST(request.attribute("error.type") == "-");
    BOOST_TEST(!request.has_failed());
    BOOST_TEST(call.attribute("toolwire.server.name") == "one");
    BOOST_TEST(call.attribute("network.transport") == "pipe");
    BOOST_TEST(request.text("startTimeUnixNano") <= call.text("startTimeUnixNano"));
    BOOST_TEST(request.text("endTimeUnixNano") >= call.text("endTimeUnixNano"));
  }
  const std::string all = collector.everything();
  BOOST_TEST(all.find("POST /v1/traces HTTP/1.1\r\n") != std::string::npos);
  BOOST_TEST(all.find("Content-Type: application/json\r\n") != std::string::npos);
  BOOST_TEST(all.find(R"({"key":"service.name","value":{"stringValue":"front"}})") != std::string::npos);
  BOOST_TEST(all.find("concern") == std::string::npos);
  BOOST_TEST(all.find("argument") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(lists_and_handshakes_are_requests_too_and_begin_traces_of_their_own, Fixture) {
  const TraceCollector collector;
  {
    Client client(serve(configure({{"endpoint", collector.endpoint()}})), {.revision = "2025-11-25"});
    client.list_tools();
    client.ping();
  }
  std::set<std::string> traces;
  for (const std::string name : {"initialize", "tools/list", "ping"}) {
    const auto spans = collector.wait_for(name, served);
    BOOST_REQUIRE(!spans.empty());
    BOOST_TEST(spans.front().parent() == "");
    traces.insert(spans.front().trace());
  }
  BOOST_TEST(traces.size() == 3U);
}

BOOST_FIXTURE_TEST_CASE(prompts_and_resources_of_servers_are_followed_as_calls_are, Fixture) {
  const TraceCollector collector;
  {
    Client client(serve(configure({{"endpoint", collector.endpoint()}})));
    std::vector<std::string> uris;
    for (const ListedResource& one : list_resources(client)) uris.push_back(one.uri);
    const auto note = std::ranges::find_if(uris, [](const std::string& uri) { return uri.ends_with("note://one"); });
    BOOST_TEST_REQUIRE((note != uris.end()));
    BOOST_TEST(read_resource(client, *note).at(0).contents == "the note");
    client.get_prompt("greet", {{"text", "somebody"}});
  }
  for (const std::string name : {"resources/read", "prompts/get greet"}) {
    const auto requests = collector.wait_for(name, served);
    const auto calls = collector.wait_for(name, made);
    BOOST_TEST_REQUIRE((requests.size() == 1U && calls.size() == 1U), name);
    BOOST_TEST(calls[0].parent() == requests[0].id());
  }
  BOOST_TEST(collector.wait_for("resources/read", made)[0].attribute("mcp.resource.uri") == "note://one");
  BOOST_TEST(collector.wait_for("prompts/get greet", made)[0].attribute("gen_ai.prompt.name") == "greet");
  BOOST_TEST(collector.everything().find("somebody") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(services_and_programs_are_given_the_trace, Fixture) {
  HttpTestServer service([](const std::string&) { return HttpAnswer::of(200, "fine"); });
  bindings["fetch"] = JsonObject{{"http", JsonObject{{"url", service.url("/")}}}};
  const TraceCollector collector;
  std::string seen;
  {
    Client client(serve(configure({{"endpoint", collector.endpoint()}})));
    BOOST_TEST(client.call("fetch", {}, of_caller).text() == "fine");
    seen = client.call("run", {}, of_caller).text();
  }
  const auto requests = collector.wait_for("tools/call fetch", served);
  const auto calls = collector.wait_for("execute_tool fetch", made);
  BOOST_REQUIRE((requests.size() == 1U && calls.size() == 1U));
  BOOST_TEST(calls[0].parent() == requests[0].id());
  BOOST_TEST(calls[0].attribute("toolwire.activity.kind") == "http");
  const std::string asked = service.requests().at(0);
  BOOST_TEST(asked.find("\r\ntraceparent: " + calls[0].traceparent() + "\r\n") != std::string::npos, asked);
  BOOST_TEST(asked.find("\r\ntracestate: a=1\r\n") != std::string::npos);
  BOOST_TEST(asked.find("\r\nbaggage: b=2\r\n") != std::string::npos);
  const auto programs = collector.wait_for("execute_tool run", made);
  BOOST_REQUIRE(programs.size() == 1U);
  BOOST_TEST(seen == programs[0].traceparent() + " a=1\n");
}

BOOST_FIXTURE_TEST_CASE(a_trace_is_passed_on_where_nobody_collects_it, Fixture) {
  HttpTestServer service([](const std::string&) { return HttpAnswer::of(200, "fine"); });
  bindings["fetch"] = JsonObject{{"http", JsonObject{{"url", service.url("/")}}}};
  std::string text = content_of(configure({}));
  const Json whole = parse_json(text);
  JsonObject without = whole.as_object();
  without["toolwire"].as_object().erase("traces");
  Client client(serve(folder.file("bridge.json", to_json_text(without)).string()));
  client.call("fetch", {}, of_caller);
  BOOST_TEST(service.requests().at(0).find("\r\ntraceparent: " + sampled + "\r\n") != std::string::npos);
  BOOST_TEST(client.call("run", {}, of_caller).text() == sampled + " a=1\n");
  BOOST_TEST(client.call("run").text() == "\n");
}

BOOST_FIXTURE_TEST_CASE(errors_and_cancelled_calls_say_so, Fixture) {
  const TraceCollector collector;
  {
    Client client(serve(configure({{"endpoint", collector.endpoint()}})));
    BOOST_TEST(client.call("echo").is_error);  // refused before it is sent
    BOOST_TEST(client.call("die", {{"text", "bye"}}).is_error);
    BOOST_CHECK_THROW(client.call("no such tool"), ProtocolError);
    auto call = client.start_call("until_stopped");
    client.call("watched");
    call.cancel("enough");
    client.call("stopped");
  }
  for (const std::string tool : {"echo", "die"}) {
    const auto failed = collector.wait_for("tools/call " + tool, served);
    BOOST_REQUIRE(failed.size() == 1U);
    BOOST_TEST(failed[0].attribute("error.type") == "tool_error");
    BOOST_TEST(failed[0].has_failed());
  }
  const auto killed = collector.wait_for("tools/call die", made);
  BOOST_REQUIRE(killed.size() == 1U);
  BOOST_TEST(killed[0].attribute("error.type") == "unavailable");
  for (const int kind : {served, made}) {
    const auto cancelled = collector.wait_for("tools/call until_stopped", kind);
    BOOST_REQUIRE(cancelled.size() == 1U);
    BOOST_TEST(cancelled[0].attribute("error.type") == "cancelled");
    BOOST_TEST(cancelled[0].has_failed());
  }
  const auto unknown = collector.wait_for("tools/call", served);
  BOOST_REQUIRE(unknown.size() == 1U);
  BOOST_TEST(unknown[0].attribute("error.type") == "-32602");
  BOOST_TEST(unknown[0].attribute("rpc.response.status_code") == "-32602");
  BOOST_TEST(collector.everything().find("no such tool") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(who_begins_a_trace_decides_whether_it_is_followed, Fixture) {
  const TraceCollector collector;
  {
    Client client(serve(configure({{"endpoint", collector.endpoint()}, {"sample_ratio", 0}})));
    const std::string begun = text_or(*client.call("meta").structured, "traceparent");
    BOOST_TEST(begun.ends_with("-00"), begun);
    const std::string unsampled = "00-" + trace + "-" + caller + "-00";
    const CallResult passed = client.call("meta", {}, {.trace = {.traceparent = unsampled}});
    BOOST_TEST(text_or(*passed.structured, "traceparent") == unsampled);
    client.call("meta", {}, of_caller);
  }
  BOOST_TEST(collector.wait_for("tools/call meta", served).size() == 1U);
  BOOST_TEST(collector.wait_for("tools/call meta", made).size() == 1U);
  BOOST_TEST(collector.spans().size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(calls_end_while_the_collector_has_not_answered, Fixture) {
  TraceCollector collector(
      [](const std::string&) { return HttpAnswer{.bytes = "HTTP/1.1 200 OK\r\n\r\n", .held = true}; });
  std::optional<Client> client(std::in_place, serve(configure({{"endpoint", collector.endpoint()}})), patient);
  client->call("meta");
  BOOST_TEST(collector.server().wait_for_requests(1));  // which is not answered
  for (int i = 0; i < 50; ++i) BOOST_TEST(!client->call("meta").is_error);
  BOOST_TEST(collector.server().requests().size() == 1U);
  client.reset();  // it ends although nothing is answered, and says what is lost
  BOOST_TEST(log().find("traces: spans lost: ") != std::string::npos, log());
  collector.server().release();
}

BOOST_FIXTURE_TEST_CASE(calls_do_not_mind_a_collector_that_is_not_there_or_hostile, Fixture) {
  const auto served_all = [&](const std::string& endpoint) {
    std::filesystem::remove(path("log"));
    Client client(serve(configure({{"endpoint", endpoint}})), patient);
    for (int i = 0; i < 10; ++i) BOOST_TEST(!client.call("meta").is_error);
  };
  served_all("http://127.0.0.1:1");
  BOOST_TEST(log().find("traces: spans lost: ") != std::string::npos, log());
  const std::vector<HttpAnswer> answers{
      HttpAnswer::of(400, "a line\nfor the log: s3cret"),
      HttpAnswer::of(302, "", "Location: http://169.254.169.254/\r\n"),
      HttpAnswer{.bytes = "HTTP/1.1 200 OK\r\n\r\n", .repeated = std::string(65'536, 'x')},
      HttpAnswer{.bytes = "\x01\x02\x03\r\n\r\n"}};
  for (const HttpAnswer& answer : answers) {
    const TraceCollector hostile([&](const std::string&) { return answer; });
    served_all(hostile.endpoint());
    BOOST_TEST(log().find("traces: spans lost: ") != std::string::npos, log());
    BOOST_TEST(log().find("s3cret") == std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(a_collector_that_is_busy_gets_them_later, Fixture) {
  std::atomic<int> asked{0};
  const TraceCollector collector([&](const std::string&) {
    return ++asked == 1 ? HttpAnswer::of(429, "", "Retry-After: 1\r\n") : HttpAnswer::json("{}");
  });
  {
    Client client(serve(configure({{"endpoint", collector.endpoint()}})));
    client.call("meta");
    BOOST_TEST(comes_true([&] { return asked >= 2; }));
  }
  const auto requests = collector.server().requests();
  const auto body = [](const std::string& request) { return request.substr(request.find("\r\n\r\n")); };
  BOOST_TEST(body(requests.at(0)) == body(requests.at(1)));
  BOOST_TEST(log().find("lost") == std::string::npos, log());
}

BOOST_FIXTURE_TEST_CASE(headers_come_from_the_environment_and_nobody_else_reads_them, Fixture) {
  const TraceCollector collector;
  folder.file("other-token", "another-s3cret\n");
  const JsonObject headers{{"Authorization", "Bearer ${COLLECTOR_TOKEN}"}, {"X-Key", "${file:other-token}"}};
  const std::string file = configure({{"endpoint", collector.endpoint()}, {"headers", headers}});
  {
    Client client(serve(file));
    const std::string uri = "note://s3cret-of-the-collector/one?another";
    BOOST_CHECK_THROW(read_resource(client, uri), ProtocolError);
  }
  const auto spans = collector.wait_for("resources/read", served);
  BOOST_REQUIRE(spans.size() == 1U);
  BOOST_TEST(spans[0].attribute("mcp.resource.uri") == "note://(redacted)/one");
  for (const std::string& request : collector.server().requests()) {
    BOOST_TEST(request.find("\r\nAuthorization: Bearer s3cret-of-the-collector\r\n") != std::string::npos);
    BOOST_TEST(request.find("\r\nX-Key: another-s3cret\r\n") != std::string::npos);
    BOOST_TEST(request.substr(request.find("\r\n\r\n")).find("s3cret") == std::string::npos);
  }
  BOOST_TEST(log().find("s3cret") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(what_has_become_of_spans_is_counted, Fixture) {
  const TraceCollector collector;
  {
    Client client(serve(configure({{"endpoint", collector.endpoint()}})));
    client.call("meta");
  }
  const std::string metrics = content_of(path("metrics.prom"));
  BOOST_TEST(metrics.find("# TYPE toolwire_spans_exported_total counter\n") != std::string::npos, metrics);
  BOOST_TEST(metrics.find("toolwire_spans_lost_total 0\n") != std::string::npos, metrics);
}

BOOST_FIXTURE_TEST_CASE(a_configuration_that_is_not_understood_does_not_start, Fixture) {
  const auto refused = [&](JsonObject traces) {
    const std::string file = configure(std::move(traces));
    Program program = serve(file);
    program.command.insert(program.command.begin() + 4, "check");
    program.command.erase(program.command.begin() + 5);
    const ProgramRun checked = run_program(program);
    BOOST_TEST(checked.status != 0);
    BOOST_TEST(run_program(serve(file)).status == 2);
    return checked.out;
  };
  BOOST_TEST(refused({{"endpoint", "http://collector.example.com:4318"}}).find("/toolwire/traces/endpoint") !=
             std::string::npos);
  BOOST_TEST(refused({{"endpoint", "http://127.0.0.1:4318"}, {"sampling", 1}}).find("/toolwire/traces/sampling") !=
             std::string::npos);
  BOOST_TEST(refused({{"endpoint", "http://127.0.0.1:4318"},
                      {"headers", JsonObject{{"Authorization", "${NO_SUCH_VARIABLE_HERE}"}}}})
                 .find("/toolwire/traces/headers/Authorization") != std::string::npos);
}
