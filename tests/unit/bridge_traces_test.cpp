// Spans of a bridge: their ids, whose children they are, which are taken, what they say and what they do not, and how a
// configuration says where they go.
#include "traces/traces.hpp"

#define BOOST_TEST_MODULE bridge_traces_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/json.hpp>

#include "activity_bench.hpp"
#include "policy/traced.hpp"
#include "traces/otlp.hpp"
#include "traces/settings.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

namespace {

const std::string trace = "0af7651916cd43dd8448eb211c80319c";
const std::string caller = "b7ad6b7169203331";
const std::string sampled = "00-" + trace + "-" + caller + "-01";
const std::string unsampled = "00-" + trace + "-" + caller + "-00";

struct Fixture {
  std::vector<traces::Span> spans;
  std::vector<std::string> secrets;

  std::shared_ptr<traces::Traces> make(double ratio = 1) {
    return std::make_shared<traces::Traces>(traces::TracesOptions{
        .sample_ratio = ratio, .instance = "me", .secrets = secrets, .record = [this](traces::Span&& span) {
          spans.push_back(std::move(span));
        }});
  }
};

/// The value of an attribute, as text; "-" if there is none.
std::string value_of(const traces::Span& span, std::string_view key) {
  for (const auto& [name, value] : span.attributes) {
    if (name != key) continue;
    const auto* const text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : std::to_string(std::get<std::int64_t>(value));
  }
  return "-";
}

TracedRequest call_of(std::string_view tool, std::string parent = {}) {
  return {.method = "tools/call",
          .subject = tool,
          .id = "7",
          .revision = "2025-11-25",
          .connection = 3,
          .parent = {.traceparent = std::move(parent)}};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_span_of_a_request_goes_on_with_what_came_and_is_gone_on_with, Fixture) {
  const auto traces = make();
  auto request = call_of("echo", sampled);
  request.parent.tracestate = "a=1";
  request.parent.baggage = "b=2";
  const auto span = traces->begin(request);
  BOOST_REQUIRE((span != nullptr));
  const TraceContext passed = span->context();
  const auto id = traces::trace_id_in(passed.traceparent);
  BOOST_REQUIRE(id.has_value());
  BOOST_TEST(id->trace == trace);
  BOOST_TEST(id->parent != caller);
  BOOST_TEST(id->is_sampled());
  BOOST_TEST(passed.tracestate == "a=1");
  BOOST_TEST(passed.baggage == "b=2");
  BOOST_TEST(spans.empty());
  span->end({});
  BOOST_REQUIRE(spans.size() == 1U);
  const traces::Span& ended = spans.front();
  BOOST_TEST(ended.id.trace == trace);
  BOOST_TEST(ended.id.parent == id->parent);
  BOOST_TEST(ended.parent == caller);
  BOOST_TEST(ended.has_remote_parent);
  BOOST_TEST(ended.state == "a=1");
  BOOST_TEST((ended.kind == traces::SpanKind::server));
  BOOST_TEST((ended.ended >= ended.begun));
  BOOST_TEST(!ended.has_failed);
}

BOOST_FIXTURE_TEST_CASE(names_and_attributes_are_those_of_the_conventions, Fixture) {
  const auto traces = make();
  traces->begin(call_of("echo"))->end({});
  BOOST_TEST(spans.back().name == "tools/call echo");
  BOOST_TEST(value_of(spans.back(), "mcp.method.name") == "tools/call");
  BOOST_TEST(value_of(spans.back(), "gen_ai.operation.name") == "execute_tool");
  BOOST_TEST(value_of(spans.back(), "gen_ai.tool.name") == "echo");
  BOOST_TEST(value_of(spans.back(), "mcp.protocol.version") == "2025-11-25");
  BOOST_TEST(value_of(spans.back(), "mcp.session.id") == "me/3");
  BOOST_TEST(value_of(spans.back(), "jsonrpc.request.id") == "7");
  BOOST_TEST(value_of(spans.back(), "error.type") == "-");
  traces->begin({.method = "prompts/get", .subject = "write"})->end({});
  BOOST_TEST(spans.back().name == "prompts/get write");
  BOOST_TEST(value_of(spans.back(), "gen_ai.prompt.name") == "write");
  BOOST_TEST(value_of(spans.back(), "mcp.session.id") == "-");
  traces->begin({.method = "resources/read", .subject = "note://one"})->end({});
  BOOST_TEST(spans.back().name == "resources/read");
  BOOST_TEST(value_of(spans.back(), "mcp.resource.uri") == "note://one");
  traces->begin({.method = "anything/at all"})->end({});
  BOOST_TEST(spans.back().name == "_OTHER");
}

BOOST_FIXTURE_TEST_CASE(errors_have_a_type_of_few, Fixture) {
  const auto traces = make();
  const auto ended = [&](const RequestEnd& how) {
    traces->begin(call_of("echo"))->end(how);
    return value_of(spans.back(), "error.type") + " " + value_of(spans.back(), "rpc.response.status_code") + " " +
           value_of(spans.back(), "toolwire.error.code") + (spans.back().has_failed ? " failed" : "");
  };
  using How = RequestEnd::How;
  BOOST_TEST(ended({}) == "- - -");
  BOOST_TEST(ended({.how = How::asked}) == "- - -");
  BOOST_TEST(ended({.how = How::failed, .error = -32602}) == "-32602 -32602 - failed");
  BOOST_TEST(ended({.how = How::failed}) == "tool_error - - failed");
  BOOST_TEST(ended({.how = How::failed, .code = "timeout"}) == "tool_error - timeout failed");
  BOOST_TEST(ended({.how = How::cancelled}) == "cancelled - - failed");
  static_cast<void>(traces->begin(call_of("echo")));  // given up by everybody
  BOOST_TEST(value_of(spans.back(), "error.type") == "_OTHER");
}

BOOST_FIXTURE_TEST_CASE(who_began_a_trace_has_decided_and_the_ratio_is_for_those_that_begin_here, Fixture) {
  const auto none = make(0);
  BOOST_TEST((none->begin(call_of("echo", unsampled)) == nullptr));
  BOOST_TEST((make(1)->begin(call_of("echo", unsampled)) == nullptr));
  none->begin(call_of("echo", sampled))->end({});
  BOOST_TEST(spans.size() == 1U);
  const auto unfollowed = none->begin(call_of("echo"));
  BOOST_REQUIRE((unfollowed != nullptr));
  const auto told = traces::trace_id_in(unfollowed->context().traceparent);
  BOOST_REQUIRE(told.has_value());
  BOOST_TEST(!told->is_sampled());  // so that nobody behind it begins one
  unfollowed->end({});
  BOOST_TEST(spans.size() == 1U);
  BOOST_TEST((none->begin_request(unfollowed->context(), {.method = "tools/call"}) == nullptr));
  BOOST_TEST((none->begin_call({.traceparent = unsampled}, "echo", "http") == nullptr));
  for (int i = 0; i < 1'000; ++i) make(0.5)->begin(call_of("echo"))->end({});
  BOOST_TEST((spans.size() > 350U && spans.size() < 650U));
}

BOOST_AUTO_TEST_CASE(a_trace_that_one_takes_is_taken_by_all_with_a_ratio_no_smaller) {
  BOOST_TEST(traces::is_within("00000000000000000000000000000000", 1));
  BOOST_TEST(!traces::is_within("000000000000000000ffffffffffffff", 0));
  BOOST_TEST(traces::is_within("000000000000000000ffffffffffffff", 0.001));
  BOOST_TEST(!traces::is_within("00000000000000000000000000000000", 0.999));
  for (int i = 0; i < 200; ++i) {
    const std::string id = traces::new_trace_id();
    BOOST_TEST(id.size() == 32U);
    if (traces::is_within(id, 0.25)) BOOST_TEST(traces::is_within(id, 0.5));
  }
  std::set<std::string> ids;
  for (int i = 0; i < 1'000; ++i) ids.insert(traces::new_span_id());
  BOOST_TEST(ids.size() == 1'000U);
}

BOOST_FIXTURE_TEST_CASE(a_call_to_a_back_end_is_a_child_of_the_request, Fixture) {
  const auto traces = make();
  const auto request = traces->begin(call_of("echo", sampled));
  const auto sent = traces->begin_request(request->context(), {.method = "tools/call",
                                                               .subject = "echo",
                                                               .revision = "2026-07-28",
                                                               .server = "one",
                                                               .transport = "tcp",
                                                               .protocol = "http",
                                                               .origin = "https://mcp.example.com:443"});
  BOOST_REQUIRE((sent != nullptr));
  const auto by_other_means = traces->begin_call(request->context(), "fetch", "http");
  sent->end({});
  by_other_means->end({.error_type = "timeout"});
  request->end({});
  BOOST_REQUIRE(spans.size() == 3U);
  for (const std::size_t child : {0U, 1U}) {
    BOOST_TEST(spans[child].id.trace == trace);
    BOOST_TEST(spans[child].parent == spans[2].id.parent);
    BOOST_TEST((spans[child].kind == traces::SpanKind::client));
    BOOST_TEST(!spans[child].has_remote_parent);
  }
  BOOST_TEST(sent->context().traceparent == spans[0].id.traceparent());
  BOOST_TEST(spans[0].name == "tools/call echo");
  BOOST_TEST(value_of(spans[0], "toolwire.server.name") == "one");
  BOOST_TEST(value_of(spans[0], "network.transport") == "tcp");
  BOOST_TEST(value_of(spans[0], "network.protocol.name") == "http");
  BOOST_TEST(value_of(spans[0], "server.address") == "mcp.example.com");
  BOOST_TEST(value_of(spans[0], "server.port") == "443");
  BOOST_TEST(spans[1].name == "execute_tool fetch");
  BOOST_TEST(value_of(spans[1], "toolwire.activity.kind") == "http");
  BOOST_TEST(value_of(spans[1], "error.type") == "timeout");
}

BOOST_FIXTURE_TEST_CASE(an_activity_is_given_the_context_of_its_own_span, Fixture) {
  const auto traces = make();
  std::string seen;
  std::vector<Reply> kept;
  const auto activity = traced(make_test_activity([&](const Call&, ActivityContext& context, Reply reply) {
                                 seen = context.trace().traceparent;
                                 kept.push_back(std::move(reply));
                               }),
                               traces);
  ActivityBench bench;
  bench.start(*activity);
  BOOST_TEST(spans.empty());
  kept.front()(failure("unavailable", "no", true));
  BOOST_REQUIRE(spans.size() == 1U);
  BOOST_TEST(seen == spans.front().id.traceparent());
  BOOST_TEST(value_of(spans.front(), "error.type") == "unavailable");
  BOOST_TEST(bench.outcomes.size() == 1U);
  bench.start(*activity);
  kept.back()(ToolResult::text("fine"));
  BOOST_TEST(value_of(spans.back(), "error.type") == "-");
  const auto throwing = traced(
      make_test_activity([](const Call&, ActivityContext&, Reply) -> void { throw std::runtime_error("broken"); }),
      traces);
  bench.start(*throwing);
  BOOST_TEST(bench.outcomes.size() == 3U);
  BOOST_TEST(spans.back().has_failed);
}

BOOST_FIXTURE_TEST_CASE(what_is_secret_or_long_is_left_out, Fixture) {
  secrets = {"s3cret"};
  const auto traces = make();
  traces
      ->begin(
          {.method = "resources/read", .subject = "https://user:word@files.example.com/of/s3cret/all?token=abc#part"})
      ->end({});
  BOOST_TEST(value_of(spans.back(), "mcp.resource.uri") == "https://files.example.com/of/(redacted)/all");
  traces->begin(call_of("a\x1b[31m s3cret"))->end({});
  BOOST_TEST(spans.back().name == "tools/call a (redacted)");
  traces->begin(call_of(std::string(5'000, 'x')))->end({});
  BOOST_TEST(value_of(spans.back(), "gen_ai.tool.name").size() == 256U);
  auto request = call_of("echo", sampled);
  request.parent.tracestate = "a=" + std::string(1'000, 'x');
  traces->begin(request)->end({});
  BOOST_TEST(spans.back().state.empty());
}

BOOST_AUTO_TEST_CASE(spans_are_written_as_the_protocol_has_them_in_json) {
  traces::Span span{.id = {.trace = trace, .parent = "00f067aa0ba902b7", .flags = 1},
                    .parent = caller,
                    .has_remote_parent = true,
                    .state = "a=1",
                    .name = "tools/call echo",
                    .kind = traces::SpanKind::server,
                    .begun = traces::Span::Time(std::chrono::nanoseconds(1'700'000'000'000'000'001)),
                    .ended = traces::Span::Time(std::chrono::nanoseconds(1'700'000'000'000'000'002)),
                    .attributes = {{"server.port", std::int64_t{443}}, {"gen_ai.tool.name", "echo"}},
                    .has_failed = true};
  const traces::Resource resource{.service = "bridge", .instance = "me", .version = "1.2.3"};
  const Json sent = parse_json(traces::otlp_text(resource, {span, traces::Span{}}));
  const Json& of_resource = sent.at("resourceSpans").at(0);
  BOOST_TEST(of_resource.at("resource").at("attributes").at(0) ==
             (Json{{"key", "service.name"}, {"value", JsonObject{{"stringValue", "bridge"}}}}));
  const Json& scope = of_resource.at("scopeSpans").at(0);
  BOOST_TEST(scope.at("scope") == (Json{{"name", "toolwire"}, {"version", "1.2.3"}}));
  BOOST_TEST(scope.at("spans").at(0) == parse_json(R"({
    "traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "00f067aa0ba902b7", "traceState": "a=1",
    "parentSpanId": "b7ad6b7169203331", "flags": 769, "name": "tools/call echo", "kind": 2,
    "startTimeUnixNano": "1700000000000000001", "endTimeUnixNano": "1700000000000000002",
    "attributes": [{"key": "server.port", "value": {"intValue": "443"}},
                   {"key": "gen_ai.tool.name", "value": {"stringValue": "echo"}}],
    "status": {"code": 2}})"));
  const Json& plain = scope.at("spans").at(1);
  BOOST_TEST((plain.as_object().if_contains("parentSpanId") == nullptr));
  BOOST_TEST(plain.at("status") == Json(JsonObject{}));
}

BOOST_AUTO_TEST_CASE(an_answer_says_what_became_of_them) {
  using Kind = traces::Verdict::Kind;
  const auto of = [](int status, const std::string& body = "", HttpHeaders headers = {}) {
    return traces::verdict_on(HttpResponse{.status = status, .headers = std::move(headers), .body = body}, 5);
  };
  BOOST_TEST((of(200, "{}").kind == Kind::taken));
  BOOST_TEST(of(200, R"({"partialSuccess": {"rejectedSpans": "2", "errorMessage": "s3cret"}})").rejected == 2U);
  BOOST_TEST(of(200, R"({"partialSuccess": {"rejectedSpans": 2}})").rejected == 2U);
  BOOST_TEST(of(200, R"({"partialSuccess": {"rejectedSpans": "2", "errorMessage": "s3cret"}})").why.find("s3cret") ==
             std::string::npos);
  BOOST_TEST(of(200, R"({"partialSuccess": {"rejectedSpans": "99999999999"}})").rejected == 5U);
  for (const std::string hostile :
       {"", "[", "[[[[", "{\"partialSuccess\": 1}", R"({"partialSuccess": {"rejectedSpans": -3}})", "\xff\xfe"}) {
    BOOST_TEST((of(200, hostile).kind == Kind::taken));
    BOOST_TEST(of(200, hostile).rejected == 0U);
  }
  for (const int status : {429, 502, 503, 504}) BOOST_TEST((of(status).kind == Kind::try_again));
  for (const int status : {400, 401, 404, 413, 500, 501, 301}) BOOST_TEST((of(status).kind == Kind::refused));
  BOOST_TEST((of(429, "", {{"retry-after", "7"}}).wait == std::chrono::seconds(7)));
  BOOST_TEST((
      of(429, "", {{"retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"}, {"date", "Wed, 21 Oct 2026 07:27:00 GMT"}}).wait ==
      std::chrono::seconds(60)));
  for (const std::string odd : {"-1", "1e9", "soon", ""})
    BOOST_TEST(!of(429, "", {{"retry-after", odd}}).wait.has_value());
  BOOST_TEST((traces::verdict_on(HttpFailure{"unavailable", "no"}, 5).kind == Kind::try_again));
  BOOST_TEST((traces::verdict_on(HttpFailure{"denied", "no"}, 5).kind == Kind::refused));
}

namespace {

struct Read {
  std::optional<traces::Settings> settings;
  std::string problems;
};

Read read(const std::string& text) {
  Findings findings("f");
  Read made;
  made.settings = traces::read_settings(
      parse_json(text), [](const std::string& pointer) { return "/toolwire" + pointer; }, findings);
  for (const ManifestProblem& problem : findings.take_problems(""))
    made.problems += problem.pointer + ": " + problem.text + "\n";
  BOOST_TEST(made.problems.empty() == made.settings.has_value());
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(settings_name_a_collector) {
  const Read all =
      read(R"({"endpoint": "https://c.example.com/otlp", "headers": {"Authorization": "Bearer x", "X-A": "b"},
                            "service_name": "front", "sample_ratio": 0.25})");
  BOOST_REQUIRE(all.settings.has_value());
  BOOST_TEST(all.settings->url == "https://c.example.com/otlp/v1/traces");
  BOOST_TEST(all.settings->headers.size() == 2U);
  BOOST_TEST(all.settings->service_name == "front");
  BOOST_TEST(all.settings->sample_ratio == 0.25);
  const Read least = read(R"({"endpoint": "http://127.0.0.1:4318/"})");
  BOOST_REQUIRE(least.settings.has_value());
  BOOST_TEST(least.settings->url == "http://127.0.0.1:4318/v1/traces");
  BOOST_TEST(least.settings->service_name == "toolwire-bridge");
  BOOST_TEST(least.settings->sample_ratio == 1);
  BOOST_TEST(read(R"({"endpoint": "http://localhost:4318/v1/traces"})").settings->url ==
             "http://localhost:4318/v1/traces");
}

BOOST_AUTO_TEST_CASE(what_is_not_understood_is_a_mistake) {
  const auto problem = [](const std::string& text, const std::string& place) {
    const Read made = read(text);
    BOOST_TEST(made.problems.starts_with("/toolwire/traces" + place + ": "), made.problems);
    return made.problems;
  };
  problem("[]", "");
  problem("{}", "");
  problem(R"({"endpoint": "http://collector.example.com:4318"})", "/endpoint");  // not on this machine
  problem(R"({"endpoint": "ftp://127.0.0.1"})", "/endpoint");
  problem(R"({"endpoint": "https://user:word@c.example.com"})", "/endpoint");
  problem(R"({"endpoint": "https://c.example.com/?a=b"})", "/endpoint");
  problem(R"({"endpoint": "https://c.example.com", "ratio": 1})", "/ratio");
  for (const std::string ratio : {"-0.1", "1.1", "\"1\"", "true"})
    problem(R"({"endpoint": "https://c.example.com", "sample_ratio": )" + ratio + "}", "/sample_ratio");
  problem(R"({"endpoint": "https://c.example.com", "service_name": ""})", "/service_name");
  problem(R"({"endpoint": "https://c.example.com", "headers": []})", "/headers");
  problem(R"({"endpoint": "https://c.example.com", "headers": {"Host": "x"}})", "/headers/Host");
  problem(R"({"endpoint": "https://c.example.com", "headers": {"A b": "x"}})", "/headers/A b");
  problem(R"({"endpoint": "https://c.example.com", "headers": {"A": 7}})", "/headers/A");
  const std::string broken =
      problem(R"({"endpoint": "https://c.example.com", "headers": {"A": "s3cret\nB: c"}})", "/headers/A");
  BOOST_TEST(broken.find("s3cret") == std::string::npos);
}
