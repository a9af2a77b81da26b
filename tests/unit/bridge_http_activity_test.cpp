#include "activities/http_activity.hpp"

#define BOOST_TEST_MODULE bridge_http_activity
#include <boost/test/unit_test.hpp>

#include <cstdlib>

#include "bound_activity.hpp"
#include "http_test_server.hpp"
#include "waited_call.hpp"

namespace {

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// `{"http": {…}}` with URL in it replaced by that of the server.
std::string entry_for(const HttpTestServer& server, std::string settings) {
  const std::size_t at = settings.find("URL");
  return "{\"http\": " + settings.replace(at, 3, server.origin()) + "}";
}

ToolResult result(const HttpTestServer& server, const std::string& settings, const std::string& parameters = "{}",
                  const std::vector<ToolDefinition>& tools = {}) {
  const ActivityPointer activity = bound_activity(entry_for(server, settings), new_services(), tools);
  return call(*activity, parse_json(parameters));
}

/// What the execution endpoint's answer becomes.
ToolResult executed(const std::string& answer, int status = 200, bool structured = false) {
  return execution_result({.status = status, .headers = {}, .body = answer}, structured, "http://h:80", {});
}

std::string body_of(const std::string& request) { return request.substr(request.find("\r\n\r\n") + 4); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_is_made_from_its_templates) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::json(R"({"ok": true})"); });
  const ToolResult answered = result(
      server, R"({"url": "URL/items/{id}?v=1", "method": "PUT", "query": {"q": "{q}"}, "headers": {"X-A": "a {id}"},
                  "body": {"n": "{n}"}})",
      R"({"id": "a b", "q": "x&y", "n": 3})");
  BOOST_TEST((answered.structured == parse_json(R"({"ok": true})")));
  const std::string request = server.requests().at(0);
  BOOST_TEST(request.starts_with("PUT /items/a%20b?v=1&q=x%26y HTTP/1.1\r\n"), request);
  BOOST_TEST(contains(request, "\r\nX-A: a a b\r\n"));
  BOOST_TEST(contains(request, "\r\nContent-Type: application/json\r\n"));
  BOOST_TEST(body_of(request) == R"({"n":3})");
}

BOOST_AUTO_TEST_CASE(without_a_body_of_its_own_a_post_sends_the_parameters) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::of(200, "fine"); });
  BOOST_TEST(text_of(result(server, R"({"url": "URL/", "method": "POST"})", R"({"a": [1]})")) == "fine");
  BOOST_TEST(body_of(server.requests().at(0)) == R"({"a":[1]})");
  result(server, R"({"url": "URL/", "method": "POST", "form": {"a": "{a}"}})", R"({"a": "x y"})");
  BOOST_TEST(body_of(server.requests().at(1)) == "a=x%20y");
  BOOST_TEST(contains(server.requests().at(1), "application/x-www-form-urlencoded"));
}

BOOST_AUTO_TEST_CASE(an_answer_is_json_by_its_type_by_the_binding_or_by_the_tools_schema) {
  HttpTestServer plain([](const std::string&) { return HttpAnswer::of(200, "[1]"); });
  BOOST_TEST(!result(plain, R"({"url": "URL/"})").structured.has_value());
  BOOST_TEST((result(plain, R"({"url": "URL/", "output": "json"})").structured == parse_json("[1]")));
  const ToolDefinition tool{.name = "tool", .output = JsonObject{{"type", "array"}}};
  BOOST_TEST((result(plain, R"({"url": "URL/"})", "{}", {tool}).structured == parse_json("[1]")));
  HttpTestServer broken([](const std::string&) { return HttpAnswer::json("{"); });
  BOOST_TEST(code_of(result(broken, R"({"url": "URL/"})")) == "invalid_output");
  BOOST_TEST(text_of(result(broken, R"({"url": "URL/", "output": "text"})")) == "{");
}

BOOST_AUTO_TEST_CASE(a_success_without_words_is_no_failure) {
  const auto answered = [](int status, const std::string& type, const std::string& body) {
    return http_result({.status = status, .headers = {{"content-type", type}}, .body = body}, HttpOutput::automatic,
                       "http://h:80", {});
  };
  for (const int status : {200, 201, 202, 204}) {
    const ToolResult done = answered(status, "application/json", "");
    BOOST_TEST(!done.is_error, status);
    BOOST_TEST(text_of(done) == "");
  }
  BOOST_TEST((answered(200, "Application/JSON ; charset=utf-8", "[1]").structured == parse_json("[1]")));
  HttpTestServer server([](const std::string&) { return HttpAnswer::json(R"({"a": 1})"); });
  BOOST_TEST(!result(server, R"({"url": "URL/", "method": "HEAD"})").is_error);
}

BOOST_AUTO_TEST_CASE(what_nobody_can_see_in_a_services_text_is_shown_as_escapes) {
  const std::string hidden = "a\x1b]52;c;eA==\a\u202eb\r\n";
  const std::string seen = R"(a\u{1B}]52;c;eA==\u{7}\u{202E}b)";
  HttpTestServer server([&](const std::string&) { return HttpAnswer::of(200, hidden); });
  BOOST_TEST(text_of(result(server, R"({"url": "URL/"})")) == seen + "\n");
  const std::string mark = "\u202e";  // NOLINT(misc-misleading-bidirectional): meant
  HttpTestServer data([&](const std::string&) { return HttpAnswer::json("[\"" + mark + "\"]"); });
  BOOST_TEST((result(data, R"({"url": "URL/"})").structured == JsonArray{mark}));
  const JsonObject answer{{"success", true}, {"result", hidden}};
  BOOST_TEST(text_of(executed(to_json_text(answer))) == seen + "\n");
  BOOST_TEST((executed(to_json_text(answer), 200, true).structured == Json(hidden)));
}

BOOST_AUTO_TEST_CASE(statuses_have_their_codes) {
  const auto code = [](int status) {
    return code_of(http_result({.status = status, .headers = {{"retry-after", "7"}}, .body = "why"},
                               HttpOutput::automatic, "http://h:80", {}));
  };
  BOOST_TEST(code(404) == "back_end_error");
  BOOST_TEST(code(429) == "rate_limited");
  BOOST_TEST(code(403) == "denied");
  BOOST_TEST(code(504) == "timeout");
  BOOST_TEST(code(413) == "too_large");
  BOOST_TEST(code(503) == "unavailable");
  const ToolResult limited = http_result({.status = 429, .headers = {{"retry-after", "7"}}, .body = ""},
                                         HttpOutput::automatic, "http://h:80", {});
  BOOST_TEST(limited.meta.at("dev.toolwire/error").at("retryAfterMs").to_number<int>() == 7000);
  BOOST_TEST(text_of(limited) == "http://h:80 answered with status 429");
}

BOOST_AUTO_TEST_CASE(only_a_connection_that_failed_may_be_retried) {
  std::string entry;
  {
    HttpTestServer server([](const std::string&) { return HttpAnswer{}; });
    entry = entry_for(server, R"({"base_url": "URL"})");
  }
  const ActivityPointer activity = bound_activity(entry, new_services());
  const ToolResult failed = call(*activity, JsonObject{});
  BOOST_TEST(code_of(failed) == "unavailable");
  BOOST_TEST(failed.meta.at("dev.toolwire/error").at("retryable").as_bool());
  HttpTestServer breaks([](const std::string&) { return HttpAnswer{}; });
  const auto error_after = [&](const std::string& method) {
    return to_json_text(
        result(breaks, R"({"url": "URL/", "method": ")" + method + R"("})").meta.at("dev.toolwire/error"));
  };
  BOOST_TEST(error_after("POST") == R"({"code":"unavailable","retryable":false,"outcome":"unknown"})");
  BOOST_TEST(error_after("PUT") == R"({"code":"unavailable","retryable":true})");
  HttpTestServer down([](const std::string&) { return HttpAnswer::of(503, ""); });
  BOOST_TEST(!result(down, R"({"url": "URL/"})").meta.at("dev.toolwire/error").at("retryable").as_bool());
}

BOOST_AUTO_TEST_CASE(a_secret_is_sent_and_never_repeated) {
  ::setenv("TOOLWIRE_TEST_SECRET", "hunter2hunter2", 1);
  HttpTestServer server([](const std::string&) { return HttpAnswer::of(401, "bad token hunter2hunter2"); });
  const ToolResult failed =
      result(server, R"({"url": "URL/", "headers": {"Authorization": "Bearer ${env:TOOLWIRE_TEST_SECRET}"}})");
  BOOST_TEST(contains(server.requests().at(0), "\r\nAuthorization: Bearer hunter2hunter2\r\n"));
  BOOST_TEST(contains(text_of(failed), "bad token ***"), text_of(failed));
  ::unsetenv("TOOLWIRE_TEST_SECRET");
  BOOST_CHECK_THROW(result(server, R"({"url": "URL/", "headers": {"A": "${env:TOOLWIRE_TEST_SECRET}"}})"), ToolError);
}

BOOST_AUTO_TEST_CASE(a_value_adds_no_header_and_leaves_no_path) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::of(200, ""); });
  BOOST_CHECK_THROW(result(server, R"({"url": "URL/", "headers": {"X-A": "{a}"}})", R"({"a": "b\r\nX-Evil: 1"})"),
                    InvalidArguments);
  BOOST_CHECK_THROW(result(server, R"({"url": "URL/{a}"})", R"({"a": "../admin"})"), InvalidArguments);
  BOOST_TEST(server.requests().empty());
}

BOOST_AUTO_TEST_CASE(a_scenario_is_asked_as_its_protocol_says) {
  HttpTestServer server(
      [](const std::string&) { return HttpAnswer::json(R"({"success": true, "result": {"n": 1}})"); });
  const ToolDefinition tool{.name = "spawn", .output = JsonObject{{"type", "object"}}};
  const ActivityPointer activity =
      make_scenario_activity(server.origin() + "/", HttpOrigin::operators, tool, new_services().http, {{"X-K", "{v}"}});
  BOOST_TEST((call(*activity, JsonObject{{"task", "fix"}}).structured == parse_json(R"({"n": 1})")));
  const std::string request = server.requests().at(0);
  BOOST_TEST(request.starts_with("POST /api/v1/tools/execute HTTP/1.1\r\n"), request);
  BOOST_TEST(contains(request, "\r\nX-K: {v}\r\n"));
  BOOST_TEST(body_of(request) == R"({"tool_name":"spawn","arguments":{"task":"fix"}})");
  BOOST_CHECK_THROW(make_scenario_activity("ftp://x", HttpOrigin::operators, tool, nullptr), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_fetched_manifest_does_not_lead_into_this_machine) {
  HttpTestServer server([](const std::string&) { return HttpAnswer::json(R"({"success": true})"); });
  const ActivityPointer activity =
      make_scenario_activity(server.origin(), HttpOrigin::other, {.name = "t"}, new_services().http);
  BOOST_TEST(code_of(call(*activity, JsonObject{})) == "denied");
  BOOST_TEST(server.requests().empty());
}

BOOST_AUTO_TEST_CASE(answers_of_a_scenario_become_results) {
  BOOST_TEST(text_of(executed(R"({"success": true, "result": "done"})")) == "done");
  BOOST_TEST((executed(R"({"success": true, "result": "done"})", 200, true).structured == Json("done")));
  BOOST_TEST(executed(R"({"success": true})").content.empty());
  const ToolResult going = executed(R"({"success": true, "is_async": true, "run_id": "r1", "status": "pending"})", 202);
  BOOST_TEST((going.structured == parse_json(R"({"is_async": true, "run_id": "r1", "status": "pending"})")));
  BOOST_TEST((going.meta.at("dev.toolwire/details").at("run_id") == "r1"));
}

BOOST_AUTO_TEST_CASE(failures_of_a_scenario_keep_their_reasons_and_codes) {
  const ToolResult failed = executed(R"({"success": false, "error": "no runner", "code": "runner_missing"})");
  BOOST_TEST(failed.is_error);
  BOOST_TEST(text_of(failed) == "no runner (runner_missing)");
  BOOST_TEST(code_of(failed) == "back_end_error");
  BOOST_TEST(code_of(executed(R"({"success": false, "error": "slow", "code": -32001})")) == "timeout");
  BOOST_TEST(code_of(executed(R"({"success": false, "error": "no", "code": -32002})", 403)) == "denied");
  BOOST_TEST(code_of(executed(R"({"success": false, "code": "busy"})", 500)) == "busy");
  BOOST_TEST(executed(R"({"success": true, "result": 1})", 500).is_error);
  BOOST_TEST(contains(text_of(executed(R"({"error": "Not Found", "message": "tool not found: x"})", 404)),
                      "tool not found: x"));
  BOOST_TEST(code_of(executed("<html>", 200)) == "invalid_output");
  BOOST_TEST(code_of(executed("<html>", 500)) == "back_end_error");
}

BOOST_AUTO_TEST_CASE(a_constant_stands_for_the_real_thing) {
  const ActivityServices none;
  const ActivityPointer made = bound_activity(R"({"constant": {"result": {"city": "{city}", "celsius": 20}}})", none);
  BOOST_TEST(
      (call(*made, JsonObject{{"city", "Bern"}}).structured == parse_json(R"({"city": "Bern", "celsius": 20})")));
  BOOST_TEST(text_of(call(*bound_activity(R"({"constant": {"text": "hi"}})", none), JsonObject{})) == "hi");
  BOOST_TEST(call(*bound_activity(R"({"constant": {"error": "down"}})", none), JsonObject{}).is_error);
}

BOOST_AUTO_TEST_CASE(headers_that_no_request_can_have_are_refused_with_their_place) {
  for (const auto& [name, problem] : std::vector<std::pair<std::string, std::string>>{
           {"two words", "headers/two words: a header's name has characters that no header has"},
           {"Transfer-Encoding", "headers/Transfer-Encoding: the header \"Transfer-Encoding\" cannot be given"},
           {"content-length", "headers/content-length: the header \"content-length\" cannot be given"}}) {
    const std::string entry = R"({"http": {"url": "http://x.example/", "headers": {")" + name + R"(": "v"}}})";
    BOOST_TEST(contains(binding_problems(entry), problem), entry + " -> " + binding_problems(entry));
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_go_together_is_refused_with_its_place) {
  for (const auto& [entry, problem] : std::vector<std::pair<std::string, std::string>>{
           {R"({"http": {}})", "expected \"url\""},
           {R"({"http": {"base_url": "http://h", "query": {}}})", "/query: cannot be used together"},
           {R"({"http": {"url": "http://h/", "tool": "x"}})", "/tool: cannot be used together"},
           {R"({"http": {"base_url": "file:///x"}})", "/base_url: expected an http"},
           {R"({"http": {"url": "http://h/", "body": {}}})", "no body with the method GET"},
           {R"({"http": {"url": "http://h/", "method": "POST", "body": {}, "form": {}}})", "not both"},
           {R"({"http": {"url": "http://h/", "query": {"q": "${env:X}"}}})", "/query/q: ${env:NAME} can be used"},
           {R"({"http": {"url": "http://h/", "headers": {"A": "{"}}})", "/headers/A"}})
    BOOST_TEST(contains(binding_problems(entry), problem), entry + " -> " + binding_problems(entry));
}
