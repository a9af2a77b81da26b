// What a request to a Streamable HTTP endpoint has to be (2026-07-28 basic/transports/streamable-http, whose sections
// the cases name; basic/index for the codes), and what is said to one that is not.
#define BOOST_TEST_MODULE http_handler_requests_test
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>

#include "http_recorder.hpp"
#include "toolwire/result.hpp"
#include "toolwire/transport.hpp"

using namespace toolwire;
using namespace toolwire::test;

namespace {

struct Sure {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Sure::yes>("Whether to")); }
};

Json schema_with_headers() {
  return parse_json(R"({"type":"object","properties":{
    "region":{"type":"string","x-mcp-header":"Region"},
    "count":{"type":"integer","x-mcp-header":"Count"},
    "dry":{"type":"boolean","x-mcp-header":"Dry"},
    "where":{"type":"object","properties":{"zone":{"type":"string","x-mcp-header":"Zone"}}}}})");
}

struct Fixture {
  explicit Fixture(http::HandlerOptions options = {})
      : server({"s", "1"}), handler(server, patient(std::move(options))) {
    server.tool("echo", "Says hello", [] { return "hello"; });
    server.tool("asks", "Asks", [](Context& context) -> Outcome<std::string> {
      if (!context.answer<Sure>("sure")) return ask<Sure>("sure", "Sure?");
      return "done";
    });
    server.tool({.name = "routed", .description = "Is routed by header fields", .input_schema = schema_with_headers()},
                [](const Json&) { return "routed"; });
    server.tool("fails", "Fails", []() -> std::string { throw ToolError("no"); });
    server.prompt("greeting", "Greets", [] { return "hello"; });
    server.resource({.uri = "test://one", .name = "one"}, [] { return "content"; });
  }
  std::string outcome_of(http::Request request) { return outcome(handler, std::move(request)); }
  std::string outcome_with(const char* name, const char* value) {
    http::Request request = modern_call("echo");
    return outcome_of(with(request, name, value));
  }
  std::string outcome_without(const char* name) {
    http::Request request = modern_call("echo");
    return outcome_of(without(request, name));
  }

  Server server;
  http::Handler handler;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_request_is_answered_with_one_json_object, Fixture) {
  const auto answer = send(handler, modern_call("echo"));
  BOOST_TEST(answer->status() == 200);
  BOOST_TEST(answer->field("Content-Type") == "application/json");
  BOOST_TEST(answer->head().length.value() == answer->body().size());
  BOOST_TEST(answer->json().at("id") == Json(1));
  BOOST_TEST(answer->json().at("result").at("content").at(0).at("text") == Json("hello"));
  BOOST_TEST(outcome_of(modern("server/discover")) == "200 0");
  BOOST_TEST(outcome_of(modern("tools/list")) == "200 0");
}

// Sending Messages 1; Earlier Streamable HTTP Revisions

BOOST_FIXTURE_TEST_CASE(everything_but_post_is_refused_with_405_and_what_is_allowed, Fixture) {
  for (const char* const method : {"GET", "DELETE", "PUT", "HEAD", "OPTIONS", "post"}) {
    BOOST_TEST_INFO(method);
    http::Request request = modern_call("echo");
    request.method = method;
    const auto answer = send(handler, std::move(request));
    BOOST_TEST(answer->status() == 405);
    BOOST_TEST(answer->field("Allow") == "POST");
  }
}

BOOST_FIXTURE_TEST_CASE(there_is_one_path_and_its_query_means_nothing, Fixture) {
  for (const char* const target : {"/", "/mcp/", "/other", "", "/MCP"}) {
    http::Request request = modern_call("echo");
    request.target = target;
    BOOST_TEST(outcome_of(std::move(request)) == "404 -32600");
  }
  http::Request request = modern_call("echo");
  request.target = "/mcp?key=value";
  BOOST_TEST(outcome_of(std::move(request)) == "200 0");
}

BOOST_FIXTURE_TEST_CASE(sessions_and_event_ids_of_earlier_revisions_are_passed_over_and_never_made, Fixture) {
  http::Request request = modern_call("echo");
  with(request, "Mcp-Session-Id", "of-another-server");
  with(request, "Last-Event-ID", "7");
  const auto answer = send(handler, std::move(request));
  BOOST_TEST(answer->status() == 200);
  BOOST_TEST(answer->field("Mcp-Session-Id").empty());
}

// Backwards Compatibility: what a client of the HTTP+SSE pair of 2024-11-05 asks for is refused, with what to do

BOOST_AUTO_TEST_CASE(clients_of_the_older_pair_are_told_what_to_do) {
  Fixture fixture({.path = "/here"});
  const auto told = [&](const char* method, const char* target, int status) {
    http::Request request = modern_call("echo");
    request.method = method;
    request.target = target;
    if (std::string_view(method) == "GET") {
      request.body.clear();
      with(request, "Accept", "text/event-stream");
    }
    const auto answer = send(fixture.handler, std::move(request));
    BOOST_TEST(answer->status() == status);
    return std::string(answer->json().at("error").at("message").as_string());
  };
  const std::string elsewhere =
      "Invalid Request: there is nothing at this path: send each message of MCP with POST to /here (Streamable HTTP; "
      "the older HTTP+SSE is not served)";
  BOOST_TEST(told("GET", "/sse", 404) == elsewhere);
  BOOST_TEST(told("POST", "/messages?sessionId=1", 404) == elsewhere);
  BOOST_TEST(told("GET", "/here", 405) ==
             "Invalid Request: this is a Streamable HTTP endpoint of MCP: send each message with POST; there is no "
             "stream to GET, and the older HTTP+SSE is not served");
}

// Security & Endpoint 1

BOOST_FIXTURE_TEST_CASE(a_page_of_another_host_may_not_call, Fixture) {
  for (const char* const origin : {"https://evil.example", "http://127.0.0.1", "http://127.0.0.1:8081", "null", "",
                                   "http://127.0.0.1:8080.evil.example", "http://evil.example/127.0.0.1:8080"}) {
    BOOST_TEST_INFO(origin);
    BOOST_TEST(outcome_with("Origin", origin) == "403 -32600");
  }
  BOOST_TEST(outcome_with("Origin", "http://127.0.0.1:8080") == "200 0");
  BOOST_TEST(outcome_with("Origin", "HTTP://127.0.0.1:8080") == "200 0");
}

BOOST_AUTO_TEST_CASE(a_page_that_is_named_may_call) {
  Fixture fixture({.origins = {"https://app.example.com"}});
  BOOST_TEST(fixture.outcome_with("Origin", "https://app.example.com") == "200 0");
  BOOST_TEST(fixture.outcome_with("Origin", "https://app.example.com:444") == "403 -32600");
  BOOST_TEST(fixture.outcome_with("Origin", "https://other.example.com") == "403 -32600");
}

BOOST_FIXTURE_TEST_CASE(a_host_has_to_be_one_of_the_servers_own, Fixture) {
  for (const char* const host : {"localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:80", "[::1]"})
    BOOST_TEST(outcome_with("Host", host) == "200 0");
  for (const char* const host : {"evil.example", "localhost.evil.example", "localhost:80:80", "", "[::1", "*"}) {
    BOOST_TEST_INFO(host);
    BOOST_TEST(outcome_with("Host", host) == "403 -32600");
  }
  BOOST_TEST(outcome_without("Host") == "403 -32600");
  http::Request twice = modern_call("echo");
  twice.fields.push_back({"host", "127.0.0.1"});
  BOOST_TEST(outcome_of(std::move(twice)) == "400 -32600");
}

BOOST_AUTO_TEST_CASE(hosts_can_be_named_with_a_port_or_left_to_the_program) {
  Fixture named({.hosts = {"mcp.example.com:8443"}});
  BOOST_TEST(named.outcome_with("Host", "mcp.example.com:8443") == "200 0");
  BOOST_TEST(named.outcome_with("Host", "mcp.example.com") == "403 -32600");
  Fixture any({.hosts = {"*"}});
  BOOST_TEST(any.outcome_with("Host", "evil.example") == "200 0");
  BOOST_TEST(any.outcome_without("Host") == "200 0");
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_meant_are_refused) {
  Server server({"s", "1"});
  const auto made = [&](http::HandlerOptions options) { http::Handler handler(server, std::move(options)); };
  BOOST_CHECK_THROW(made({.path = "mcp"}), std::invalid_argument);
  BOOST_CHECK_THROW(made({.hosts = {}}), std::invalid_argument);
  BOOST_CHECK_THROW(made({.max_body = 0}), std::invalid_argument);
  BOOST_CHECK_THROW(made({.keep_alive = std::chrono::milliseconds(0)}), std::invalid_argument);
  BOOST_CHECK_THROW(made({.stream_after = std::chrono::milliseconds(-1)}), std::invalid_argument);
  BOOST_CHECK_THROW(made({.session_age = std::chrono::hours(0)}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(with_a_secret_that_is_too_short_nothing_begins) {
  const auto says_so = [](const std::invalid_argument& error) {
    return std::string(error.what()) ==
           "TOOLWIRE_SECOND_STATE_KEY: expected a secret of at least 16 bytes, or none; found one of 5";
  };
  Server server{{"weak", "1"}};
  const auto ends = memory_transports();
  ::setenv("TOOLWIRE_SECOND_STATE_KEY", "short", 1);
  BOOST_CHECK_EXCEPTION(http::Handler(server, {}), std::invalid_argument, says_so);
  BOOST_CHECK_EXCEPTION(server.run(*ends.second), std::invalid_argument, says_so);
  ::unsetenv("TOOLWIRE_SECOND_STATE_KEY");
}

// Sending Messages 2 to 5

BOOST_FIXTURE_TEST_CASE(accept_lists_both_media_types, Fixture) {
  for (const char* const accept :
       {"*/*", "text/event-stream;q=0.5, application/json", "APPLICATION/JSON , Text/Event-Stream",
        "application/*, text/*;q=0.1", "text/html, application/json, text/event-stream"}) {
    BOOST_TEST_INFO(accept);
    BOOST_TEST(outcome_with("Accept", accept) == "200 0");
  }
  for (const char* const accept : {"application/json", "text/event-stream", "", "application/json, text/html",
                                   "application/json, text/event-stream;q=0", "application/jsonx, text/*"}) {
    BOOST_TEST_INFO(accept);
    BOOST_TEST(outcome_with("Accept", accept) == "406 -32600");
  }
  BOOST_TEST(outcome_without("Accept") == "406 -32600");
  http::Request two = modern_call("echo");
  with(two, "Accept", "application/json");
  two.fields.push_back({"accept", "text/event-stream"});
  BOOST_TEST(outcome_of(std::move(two)) == "200 0");
}

BOOST_FIXTURE_TEST_CASE(a_body_is_plain_json, Fixture) {
  BOOST_TEST(outcome_with("Content-Type", "application/json; charset=utf-8") == "200 0");
  BOOST_TEST(outcome_with("Content-Type", "text/plain") == "415 -32600");
  BOOST_TEST(outcome_without("Content-Type") == "415 -32600");
  BOOST_TEST(outcome_with("Content-Encoding", "gzip") == "415 -32600");
  BOOST_TEST(outcome_with("Content-Encoding", "identity") == "200 0");
  http::Request request = modern_call("echo");
  request.body = "{";
  BOOST_TEST(outcome_of(request) == "400 -32700");
  request.body = "";
  BOOST_TEST(outcome_of(request) == "400 -32700");
  request.body = "17";
  BOOST_TEST(outcome_of(request) == "400 -32600");
  request.body = R"({"jsonrpc":"2.0","id":7})";
  const auto answer = send(handler, std::move(request));
  BOOST_TEST(answer->status() == 400);
  BOOST_TEST(answer->json().at("id") == Json(7));
}

BOOST_FIXTURE_TEST_CASE(line_breaks_in_a_body_are_white_space, Fixture) {
  http::Request request = modern_call("echo");
  request.body = "\r\n" + request.body.insert(1, "\n\n") + "\n";
  BOOST_TEST(outcome_of(std::move(request)) == "200 0");
}

BOOST_AUTO_TEST_CASE(a_body_has_a_bound) {
  Fixture fixture({.max_body = 1000});
  BOOST_TEST(fixture.outcome_of(modern_call("echo")) == "200 0");
  BOOST_TEST(fixture.outcome_of(modern_call("echo", {{"x", std::string(1000, 'x')}})) == "413 -32600");
}

BOOST_FIXTURE_TEST_CASE(a_notification_is_accepted_without_a_body, Fixture) {
  http::Request request = post_of(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  with(request, "MCP-Protocol-Version", "2026-07-28");
  const auto answer = send(handler, std::move(request));
  BOOST_TEST(answer->status() == 202);
  BOOST_TEST(answer->body().empty());
  BOOST_TEST(answer->head().length.value() == 0u);
}

BOOST_FIXTURE_TEST_CASE(answers_and_batches_are_refused, Fixture) {
  for (const char* const body :
       {R"({"jsonrpc":"2.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})",
        R"({"jsonrpc":"2.0","result":{}})", "[]", R"([{"jsonrpc":"2.0","id":1,"method":"tools/list"}])"}) {
    BOOST_TEST_INFO(body);
    http::Request request = post_of(body);
    BOOST_TEST(outcome_of(with(request, "MCP-Protocol-Version", "2026-07-28")) == "400 -32600");
  }
}

// Protocol Version Header

BOOST_FIXTURE_TEST_CASE(the_version_is_in_the_header_and_in_the_body, Fixture) {
  BOOST_TEST(outcome_without("MCP-Protocol-Version") == "400 -32020");
  BOOST_TEST(outcome_with("MCP-Protocol-Version", "2025-11-25") == "400 -32020");
  BOOST_TEST(outcome_with("MCP-Protocol-Version", "2099-01-01") == "400 -32020");
  BOOST_TEST(outcome_with("MCP-Protocol-Version", "") == "400 -32020");
  http::Request bare = post_of(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  BOOST_TEST(outcome_of(with(bare, "MCP-Protocol-Version", "2026-07-28")) == "400 -32602");
  http::Request initialize = post_of(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})");
  BOOST_TEST(outcome_of(with(initialize, "MCP-Protocol-Version", "2026-07-28")) == "400 -32602");
}

BOOST_FIXTURE_TEST_CASE(a_version_that_is_not_served_is_answered_with_those_that_are, Fixture) {
  http::Request request = modern("tools/list", {}, {});
  const std::size_t at = request.body.find("2026-07-28");
  request.body.replace(at, 10, "2099-01-01");
  const auto answer = send(handler, with(request, "MCP-Protocol-Version", "2099-01-01"));
  BOOST_TEST(answer->status() == 400);
  const Json error = answer->json().at("error");
  BOOST_TEST(answer->json().at("id") == Json(1));
  BOOST_TEST(error.at("code") == Json(-32022));
  BOOST_TEST(error.at("data").at("requested") == Json("2099-01-01"));
  BOOST_TEST(error.at("data").at("supported") == parse_json(R"(["2026-07-28"])"));
  http::Request bare = post_of(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  BOOST_TEST(outcome_of(with(bare, "MCP-Protocol-Version", "2099-01-01")) == "400 -32022");
}

// Standard Request Headers; Case Sensitivity; Server Validation

BOOST_FIXTURE_TEST_CASE(the_method_is_repeated_in_the_header, Fixture) {
  BOOST_TEST(outcome_without("Mcp-Method") == "400 -32020");
  BOOST_TEST(outcome_with("Mcp-Method", "tools/list") == "400 -32020");
  BOOST_TEST(outcome_with("Mcp-Method", "Tools/Call") == "400 -32020");
  http::Request list = modern("tools/list");
  BOOST_TEST(outcome_of(without(list, "Mcp-Method")) == "400 -32020");
  const auto answer = send(handler, [] {
    http::Request request = modern_call("echo");
    return without(request, "Mcp-Method");
  }());
  BOOST_TEST(answer->json().at("id") == Json(1));
}

BOOST_FIXTURE_TEST_CASE(the_name_is_repeated_in_the_header, Fixture) {
  BOOST_TEST(outcome_without("Mcp-Name") == "400 -32020");
  BOOST_TEST(outcome_with("Mcp-Name", "Echo") == "400 -32020");
  BOOST_TEST(outcome_with("Mcp-Name", "echo2") == "400 -32020");
  for (const auto& [method, member, value] :
       {std::tuple("prompts/get", "name", "greeting"), std::tuple("resources/read", "uri", "test://one")}) {
    http::Request request = modern(method, {{member, value}});
    BOOST_TEST(outcome_of(request) == "200 0");
    BOOST_TEST(outcome_of(without(request, "Mcp-Name")) == "400 -32020");
    BOOST_TEST(outcome_of(with(request, "Mcp-Name", "other")) == "400 -32020");
  }
  BOOST_TEST(outcome_of(modern("tools/list")) == "200 0");  // where there is no name none is needed
}

BOOST_FIXTURE_TEST_CASE(tasks_are_named_by_their_ids, Fixture) {
  server.tool({.name = "slow", .description = "Becomes a task", .long_running = true}, [] { return "done"; });
  for (const char* const method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    BOOST_TEST_INFO(method);
    http::Request request =
        modern(method, {{"taskId", "none"}}, {}, {{"extensions", {{"io.modelcontextprotocol/tasks", JsonObject()}}}});
    BOOST_TEST(outcome_of(with(request, "Mcp-Name", "other")) == "400 -32020");
    BOOST_TEST(outcome_of(without(request, "Mcp-Name")) == "400 -32020");
    BOOST_TEST(outcome_of(with(request, "Mcp-Name", "none")) == "200 -32602");
  }
}

BOOST_FIXTURE_TEST_CASE(names_of_header_fields_may_have_any_case, Fixture) {
  http::Request request = modern_call("echo");
  for (auto& field : request.fields) {
    for (char& one : field.name) one = static_cast<char>(std::tolower(one));
  }
  BOOST_TEST(outcome_of(request) == "200 0");
  for (auto& field : request.fields) {
    for (char& one : field.name) one = static_cast<char>(std::toupper(one));
  }
  BOOST_TEST(outcome_of(request) == "200 0");
}

BOOST_FIXTURE_TEST_CASE(a_header_field_of_the_protocol_occurs_once, Fixture) {
  for (const char* const name : {"mcp-method", "MCP-PROTOCOL-VERSION", "Mcp-Name", "mcp-session-id", "Mcp-Param-Region",
                                 "MCP-PARAM-UNKNOWN", "mcp-of-tomorrow"}) {
    BOOST_TEST_INFO(name);
    http::Request request = modern_call("echo");
    request.fields.push_back({name, "x"});
    request.fields.push_back({name, "x"});
    const auto answer = send(handler, std::move(request));
    BOOST_TEST(answer->status() == 400);
    BOOST_TEST(answer->json().at("error").at("code") == Json(-32020));
    BOOST_TEST(answer->json().at("id") == Json(1));
  }
}

BOOST_FIXTURE_TEST_CASE(an_argument_is_repeated_once, Fixture) {
  http::Request request = modern_call("routed", {{"region", "eu"}});
  with(request, "Mcp-Param-Region", "eu");
  BOOST_TEST(outcome_of(request) == "200 0");
  request.fields.push_back({"mcp-param-REGION", "eu"});
  BOOST_TEST(outcome_of(request) == "400 -32020");
}

BOOST_FIXTURE_TEST_CASE(the_header_fields_of_a_notification_occur_once, Fixture) {
  http::Request request = post_of(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  with(request, "MCP-Protocol-Version", "2026-07-28");
  BOOST_TEST(outcome_of(request) == "202 0");
  request.fields.push_back({"mcp-protocol-version", "2026-07-28"});
  BOOST_TEST(outcome_of(request) == "400 -32600");
}

// Value Encoding

BOOST_FIXTURE_TEST_CASE(a_name_may_come_as_base64, Fixture) {
  BOOST_TEST(outcome_with("Mcp-Name", "=?base64?ZWNobw==?=") == "200 0");
  http::Request foreign = modern("prompts/get", {{"name", "grüß dich"}});
  BOOST_TEST(outcome_of(foreign) == "400 -32020");  // as it is, no header can hold it
  BOOST_TEST(outcome_of(with(foreign, "Mcp-Name", "=?base64?Z3LDvMOfIGRpY2g=?=")) == "200 -32602");
  for (const char* const wrong :
       {"=?base64?ZWNobw?=", "=?base64?ZWNobw=?=", "=?base64?ZWNob w==?=",
        "=?base64?"
        "?=",
        "=?base64?ZWNobx==?=", "=?BASE64?ZWNobw==?=", "=?base64?ZWNobw==", "=?base64?=", "ec\x01ho", "echo\x7f"}) {
    BOOST_TEST_INFO(wrong);
    BOOST_TEST(outcome_with("Mcp-Name", wrong) == "400 -32020");
  }
}

// Custom Headers from Tool Parameters

BOOST_FIXTURE_TEST_CASE(annotated_arguments_are_repeated_in_header_fields, Fixture) {
  const auto outcome_for = [this](JsonObject arguments, std::vector<http::Field> fields) {
    http::Request request = modern_call("routed", std::move(arguments));
    for (auto& field : fields) request.fields.push_back(std::move(field));
    return outcome_of(std::move(request));
  };
  BOOST_TEST(outcome_for({}, {}) == "200 0");
  BOOST_TEST(outcome_for({{"region", "eu"}}, {{"Mcp-Param-Region", "eu"}}) == "200 0");
  BOOST_TEST(outcome_for({{"region", "eu"}}, {{"mcp-param-region", "=?base64?ZXU=?="}}) == "200 0");
  BOOST_TEST(outcome_for({{"region", "eu"}}, {}) == "400 -32020");
  BOOST_TEST(outcome_for({{"region", "eu"}}, {{"Mcp-Param-Region", "EU"}}) == "400 -32020");
  BOOST_TEST(outcome_for({{"region", "eu"}}, {{"Mcp-Param-Region", "e\tu\x01"}}) == "400 -32020");
  BOOST_TEST(outcome_for({}, {{"Mcp-Param-Region", "eu"}}) == "400 -32020");
  BOOST_TEST(outcome_for({{"where", {{"zone", "b"}}}}, {{"Mcp-Param-Zone", "b"}}) == "200 0");
  BOOST_TEST(outcome_for({{"where", {{"zone", "b"}}}}, {{"Mcp-Param-Zone", "a"}}) == "400 -32020");
  BOOST_TEST(outcome_for({{"where", {{"zone", "b"}}}}, {}) == "400 -32020");
  BOOST_TEST(outcome_for({}, {{"Mcp-Param-Unknown", "x"}}) == "200 0");
}

BOOST_FIXTURE_TEST_CASE(integers_are_compared_as_numbers_and_booleans_as_words, Fixture) {
  const auto outcome_for = [this](Json value, const char* name, const char* field, const char* said) {
    http::Request request = modern_call("routed", {{name, std::move(value)}});
    return outcome_of(with(request, field, said));
  };
  for (const char* const same : {"42", "42.0", "4.2e1"})
    BOOST_TEST(outcome_for(42, "count", "Mcp-Param-Count", same) == "200 0");
  for (const char* const other : {"43", "42.1", "", "forty-two", "0x2a", "42 "}) {
    BOOST_TEST_INFO(other);
    const bool is_trimmed = std::string(other) == "42 ";
    BOOST_TEST(outcome_for(42, "count", "Mcp-Param-Count", other) == (is_trimmed ? "200 0" : "400 -32020"));
  }
  BOOST_TEST(outcome_for(true, "dry", "Mcp-Param-Dry", "true") == "200 0");
  BOOST_TEST(outcome_for(true, "dry", "Mcp-Param-Dry", "True") == "400 -32020");
  BOOST_TEST(outcome_for(false, "dry", "Mcp-Param-Dry", "true") == "400 -32020");
}

// Protocol Version Header; basic/index, error codes

BOOST_FIXTURE_TEST_CASE(an_unknown_method_is_not_found, Fixture) {
  for (const char* const method : {"tools/none", "ping", "initialize", "resources/subscribe", "logging/setLevel"}) {
    BOOST_TEST_INFO(method);
    const auto answer = send(handler, modern(method));
    BOOST_TEST(answer->status() == 404);
    BOOST_TEST(answer->json().at("error").at("code") == Json(-32601));
    BOOST_TEST(answer->json().at("id") == Json(1));
  }
}

BOOST_FIXTURE_TEST_CASE(what_a_client_cannot_do_is_a_bad_request, Fixture) {
  BOOST_TEST(outcome_of(modern_call("asks")) == "400 -32021");
  BOOST_TEST(outcome_of(modern_call("asks", {}, {}, {{"elicitation", JsonObject()}})) == "200 0");
}

/// A program that passes questions on has keys of its own, and the client sees those of whoever asks.
BOOST_FIXTURE_TEST_CASE(questions_can_be_shown_under_other_keys_than_their_answers_have, Fixture) {
  server.tool("relays", "Asks for others", [](Context& context) -> Outcome<std::string> {
    if (!context.answers().empty()) return to_json_text(context.answers());
    Questions questions = ask<Sure>("1:sure", "Sure?");
    questions.also(ask<Sure>("2:sure", "Sure, too?")).also(ask<Sure>("own", "Sure?"));
    for (Question& question : questions.list) question.shown_key = question.key == "own" ? "1:sure" : "sure";
    return questions;
  });
  const JsonObject capabilities{{"elicitation", JsonObject()}};
  const Json asked = send(handler, modern_call("relays", {}, {}, capabilities))->json().at("result");
  std::set<std::string> shown;
  JsonObject answers;
  for (const auto& [key, question] : asked.at("inputRequests").as_object()) {
    shown.emplace(key);
    answers[key] = JsonObject{{"action", "accept"}, {"for", key}};
  }
  BOOST_TEST((shown == std::set<std::string>{"sure", "2:sure", "own"}));  // no two the same, and none that is another's
  answers["1:sure"] = JsonObject{{"action", "decline"}};                  // nobody was asked under this key
  const Json told = send(handler, modern("tools/call",
                                         {{"name", "relays"},
                                          {"arguments", JsonObject()},
                                          {"inputResponses", answers},
                                          {"requestState", asked.at("requestState")}},
                                         {}, capabilities))
                        ->json();
  const Json got = parse_json(told.at("result").at("content").at(0).at("text").as_string());
  BOOST_TEST(got.as_object().size() == 3U);
  BOOST_TEST(got.at("1:sure").at("for") == Json("sure"));
  BOOST_TEST(got.at("2:sure").at("for") == Json("2:sure"));
  BOOST_TEST(got.at("own").at("for") == Json("own"));
}

BOOST_FIXTURE_TEST_CASE(required_metadata_that_is_missing_is_a_bad_request, Fixture) {
  http::Request request = modern_call("echo");
  const std::string_view member = "\"io.modelcontextprotocol/clientCapabilities\":{}";
  request.body.replace(request.body.find(member), member.size(), "\"other\":1");
  BOOST_TEST(outcome_of(std::move(request)) == "400 -32602");
}

BOOST_FIXTURE_TEST_CASE(every_other_error_has_status_200, Fixture) {
  BOOST_TEST(outcome_of(modern_call("none")) == "200 -32602");
  BOOST_TEST(outcome_of(modern("prompts/get", {{"name", "none"}})) == "200 -32602");
  BOOST_TEST(outcome_of(modern("resources/read", {{"uri", "test://none"}})) == "200 -32602");
  const auto failed = send(handler, modern_call("fails"));
  BOOST_TEST(failed->status() == 200);
  BOOST_TEST(failed->json().at("result").at("isError") == Json(true));
}

BOOST_FIXTURE_TEST_CASE(ids_come_back_as_they_were_sent, Fixture) {
  for (const char* const id : {"\"a\"", "\"\"", "0", "-1", "9007199254740993", "\"1\""}) {
    http::Request request = modern("tools/list", {}, {}, {}, parse_json(id));
    BOOST_TEST(send(handler, std::move(request))->body().starts_with(std::string(R"({"jsonrpc":"2.0","id":)") + id));
  }
}
