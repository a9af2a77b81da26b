// A client of the Tool Discovery Protocol written with nothing but curl: every endpoint and status of the document.
#include <toolwire/bridge/http_provider.hpp>

#define BOOST_TEST_MODULE bridge_http_provider_test
#include <boost/test/unit_test.hpp>
#include <future>

#include "http_provider_bench.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

BOOST_AUTO_TEST_CASE(the_manifest_is_served_as_the_document_says) {
  const Provider provider;
  const CurlAnswer answer = provider.get("/api/v1/tools");
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.header("content-type") == "application/json");
  BOOST_TEST(answer.header("cache-control") == "public, max-age=60");
  BOOST_TEST(!answer.header("etag").empty());
  BOOST_TEST(answer.json() == parse_json(seed_text()));
}

BOOST_AUTO_TEST_CASE(one_tool_is_served_by_name) {
  const Provider provider;
  const CurlAnswer answer = provider.get("/api/v1/tools/spawn_coding_agent");
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.json() == parse_json(seed_text()).at_pointer("/tools/0"));
  BOOST_TEST(provider.get("/api/v1/tools/spawn%5Fcoding_agent?x=1").status == 200);
}

BOOST_AUTO_TEST_CASE(an_unknown_tool_is_404_with_the_body_of_the_document) {
  const Provider provider;
  const CurlAnswer answer = provider.get("/api/v1/tools/no_such");
  BOOST_TEST(answer.status == 404);
  BOOST_TEST(answer.body == R"({"error":"Not Found","message":"tool not found: no_such"})");
}

BOOST_AUTO_TEST_CASE(an_empty_name_is_400) {
  const Provider provider;
  BOOST_TEST(provider.get("/api/v1/tools/").status == 400);
}

BOOST_AUTO_TEST_CASE(an_unavailable_scenario_is_503_and_comes_back) {
  Provider provider;
  const auto manifest = provider.manifest.exchange(nullptr);
  BOOST_TEST(provider.get("/api/v1/tools").status == 503);
  BOOST_TEST(provider.get("/api/v1/tools/spawn_coding_agent").status == 503);
  BOOST_TEST(provider.execute(call).status == 503);
  provider.manifest.exchange(manifest);
  BOOST_TEST(provider.get("/api/v1/tools").status == 200);
}

BOOST_AUTO_TEST_CASE(a_known_tag_is_304_until_the_manifest_changes) {
  Provider provider;
  const std::string tag = provider.get("/api/v1/tools").header("etag");
  for (const std::string& known : {tag, "\"other\", W/" + tag, std::string("*")}) {
    const CurlAnswer answer = provider.get("/api/v1/tools", {"-H", "If-None-Match: " + known});
    BOOST_TEST(answer.status == 304);
    BOOST_TEST(answer.body.empty());
    BOOST_TEST(answer.header("etag") == tag);
  }
  Manifest changed = load_manifest(seed_path);
  changed.generated_at = "2026-01-01T00:00:00Z";
  provider.manifest.exchange(std::make_shared<const Manifest>(changed));
  const CurlAnswer answer = provider.get("/api/v1/tools", {"-H", "If-None-Match: " + tag});
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.header("etag") != tag);
}

BOOST_AUTO_TEST_CASE(head_has_no_body_and_other_methods_and_paths_are_refused) {
  const Provider provider;
  const CurlAnswer head = provider.get("/api/v1/tools", {"--head"});
  BOOST_TEST(head.status == 200);
  BOOST_TEST(head.body.empty());
  const CurlAnswer put = provider.get("/api/v1/tools", {"-X", "PUT", "-d", "x"});
  BOOST_TEST(put.status == 405);
  BOOST_TEST(put.header("allow") == "GET, HEAD");
  BOOST_TEST(provider.get("/").status == 404);
  BOOST_TEST(provider.get("/api/v1/toolsy").status == 404);
  BOOST_TEST(provider.get("/" + std::string(7000, 'a')).status == 404);
  BOOST_TEST(provider.get("/" + std::string(9000, 'a')).status == 414);
}

BOOST_AUTO_TEST_CASE(a_tool_is_executed) {
  Provider provider;
  const CurlAnswer answer = provider.execute(call);
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.body ==
             R"({"success":true,"result":{"tool":"spawn_coding_agent","task":{"task":"x"}},"is_async":false})");
  provider.tools.answer_with(ToolResult::text("done"));
  BOOST_TEST(provider.execute(call).json().at("result") == Json("done"));
}

BOOST_AUTO_TEST_CASE(what_keeps_a_call_from_success_has_a_code_and_a_status) {
  Provider provider;
  provider.tools.answer_with(ToolResult::error("no such repository"));
  const CurlAnswer said_no = provider.execute(call);
  BOOST_TEST(said_no.status == 200);
  BOOST_TEST(said_no.body == R"({"success":false,"error":"no such repository","code":"tool_error","is_async":false})");
  const std::vector<std::pair<std::string, int>> codes{{"rate_limited", 429},      {"approval_required", 403},
                                                       {"timeout", 504},           {"unavailable", 502},
                                                       {"invalid_arguments", 400}, {"invalid_output", 200}};
  for (const auto& [code, status] : codes) {
    provider.tools.answer_with(failure(code, "text", true, 1500));
    const CurlAnswer answer = provider.execute(call);
    BOOST_TEST(answer.status == status);
    BOOST_TEST(answer.json().at("code") == Json(code));
    BOOST_TEST(answer.header("retry-after") == "2");
  }
}

BOOST_AUTO_TEST_CASE(an_execution_that_makes_no_sense_runs_nothing) {
  Provider provider;
  BOOST_TEST(provider.execute(R"({"tool_name":"other"})").status == 404);
  for (const char* const body :
       {"", "{", "[]", "{}", R"({"tool_name":7})", R"({"tool_name":"spawn_coding_agent","arguments":[]})"}) {
    const CurlAnswer answer = provider.execute(body);
    BOOST_TEST(answer.status == 400);
    BOOST_TEST(answer.json().at("success") == Json(false));
  }
  const std::string url = provider.url("/api/v1/tools/execute");
  BOOST_TEST(curl({"-d", call, url}).status == 415);
  BOOST_TEST(provider.execute(call, {"-H", "Content-Encoding: gzip"}).status == 415);
  BOOST_TEST(curl({"-F", "file=@-", url}, call).status == 415);
  BOOST_TEST(provider.tools.calls() == 0);
}

BOOST_AUTO_TEST_CASE(a_body_beyond_the_limit_is_413_however_it_is_sent) {
  const Provider provider({.max_body = 1000});
  const std::string body = R"({"tool_name":")" + std::string(2000, 'x') + "\"}";
  BOOST_TEST(provider.execute(body).status == 413);
  BOOST_TEST(provider.execute(body, {"-H", "Transfer-Encoding: chunked"}).status == 413);
  BOOST_TEST(provider.execute(call, {"-H", "Transfer-Encoding: chunked"}).status == 200);
}

BOOST_AUTO_TEST_CASE(answers_are_whole_whatever_range_is_asked_for) {
  const Provider provider;
  const CurlAnswer whole = provider.get("/api/v1/tools", {"-H", "Range: bytes=0-1,3-4"});
  BOOST_TEST(whole.status == 200);
  BOOST_TEST(whole.json() == parse_json(seed_text()));
  const CurlAnswer refused = provider.get("/api/v1/tools", {"-H", "Range: bytes=0-1,9-3"});
  BOOST_TEST(refused.status == 416);
  BOOST_TEST(refused.json().at_pointer("/error") == Json("Range Not Satisfiable"));
}

BOOST_AUTO_TEST_CASE(the_token_is_asked_for_everywhere) {
  const Provider provider({.token = "secret-token"});
  for (const char* const header : {"X: y", "Authorization: Bearer", "Authorization: Bearer secret-toke",
                                   "Authorization: Bearer secret-tokens", "Authorization: Basic secret-token"}) {
    const CurlAnswer answer = provider.get("/api/v1/tools", {"-H", header});
    BOOST_TEST(answer.status == 401);
    BOOST_TEST(answer.header("www-authenticate") == "Bearer");
    BOOST_TEST(answer.body.find("secret") == std::string::npos);
  }
  BOOST_TEST(provider.execute(call).status == 401);
  for (const char* const path : {"/api/v1/tools", "/api/v1/tools/spawn_coding_agent"}) {
    const CurlAnswer answer = provider.get(path, {"-H", "Authorization: Bearer secret-token"});
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.header("cache-control") == "private, max-age=60");  // no cache has it for those without the token
  }
  BOOST_TEST(provider.execute(call, {"-H", "authorization: bearer secret-token"}).status == 200);
}

BOOST_AUTO_TEST_CASE(without_a_token_only_loopback_is_listened_on) {
  const auto source = [] { return std::shared_ptr<const Manifest>(); };
  const auto execute = [](const std::string&, const Json&, const std::stop_token&, const auto&) {};
  for (const char* const host : {"0.0.0.0", "::", "192.0.2.1", "example.com", ""}) {
    BOOST_CHECK_THROW(HttpProvider({.host = host}, source, execute), std::invalid_argument);
    BOOST_CHECK_NO_THROW(HttpProvider({.host = host, .token = "t"}, source, execute));
  }
  for (const char* const host : {"127.0.0.1", "127.8.9.10", "::1", "[::1]", "localhost"}) {
    BOOST_CHECK_NO_THROW(HttpProvider({.host = host}, source, execute));
  }
}

BOOST_AUTO_TEST_CASE(names_that_are_not_ours_and_pages_of_others_are_refused) {
  const Provider provider({.host_names = {"tools.test"}, .origins = {"https://inbox.test"}});
  const auto status = [&](const std::string& header) { return provider.get("/api/v1/tools", {"-H", header}).status; };
  BOOST_TEST(status("Host: evil.test") == 421);
  BOOST_TEST(status("Host: 127.0.0.1.evil.test:80") == 421);
  BOOST_TEST(status("Host:") == 400);
  for (const char* const host : {"localhost:1", "LOCALHOST", "[::1]:80", "tools.test"}) {
    BOOST_TEST(status(std::string("Host: ") + host) == 200);
  }
  BOOST_TEST(status("Origin: http://evil.test") == 403);
  BOOST_TEST(status("Origin: null") == 403);
  BOOST_TEST(status("Origin: http://localhost:3000") == 403);
  BOOST_TEST(status("Sec-Fetch-Site: cross-site") == 403);
  BOOST_TEST(status("Origin: http://127.0.0.1:" + std::to_string(provider.port)) == 200);
  BOOST_TEST(status("Origin: https://inbox.test") == 200);
}

BOOST_AUTO_TEST_CASE(calls_that_wait_do_not_keep_others_from_being_answered) {
  Provider provider({.max_connections = 4, .max_calls = 2});
  provider.tools.wait_instead();
  std::vector<std::future<CurlAnswer>> calls;
  calls.reserve(2);
  for (int i = 0; i < 2; ++i) calls.push_back(std::async(std::launch::async, [&] { return provider.execute(call); }));
  const Tools::Waiting first = provider.tools.take_waiting();
  const Tools::Waiting second = provider.tools.take_waiting();
  BOOST_TEST(provider.get("/api/v1/tools").status == 200);
  const CurlAnswer busy = provider.execute(call);
  BOOST_TEST(busy.status == 503);
  BOOST_TEST(busy.json().at("code") == Json("busy"));
  BOOST_TEST(busy.header("retry-after") == "1");
  first.done(ToolResult::text("1"));
  second.done(ToolResult::text("2"));
  for (auto& answer : calls) BOOST_TEST(answer.get().status == 200);
}

BOOST_AUTO_TEST_CASE(a_client_that_hangs_up_stops_its_call) {
  Provider provider;
  provider.tools.wait_instead();
  std::promise<void> stopped;
  Tools::Waiting waiting;
  {
    const RawConnection client(provider.port);
    client.send(
        "POST /api/v1/tools/execute HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: " +
        std::to_string(call.size()) + "\r\n\r\n" + call);
    waiting = provider.tools.take_waiting();
  }
  const std::stop_callback on_stop(waiting.stop, [&] { stopped.set_value(); });
  stopped.get_future().wait();
  BOOST_TEST(waiting.stop.stop_requested());
}

BOOST_AUTO_TEST_CASE(the_end_stops_calls_and_answers_them) {
  Provider provider({.drain = std::chrono::milliseconds(1)});
  provider.tools.wait_instead();
  auto answer = std::async(std::launch::async, [&] { return provider.execute(call); });
  const Tools::Waiting waiting = provider.tools.take_waiting();
  provider.end();
  BOOST_TEST(waiting.stop.stop_requested());
  BOOST_TEST(answer.get().status == 503);
  BOOST_TEST(provider.get("/api/v1/tools").exit == 7);  // connection refused
}

BOOST_AUTO_TEST_CASE(clients_that_never_finish_their_request_are_given_up) {
  const Provider provider({.max_connections = 2, .max_calls = 1, .request_time = std::chrono::milliseconds(200)});
  const RawConnection silent(provider.port);
  const RawConnection slow(provider.port);
  slow.send("GET /api/v1/tools HTTP/1.1\r\nHost: loc");
  const RawConnection third(provider.port);
  third.send("GET /api/v1/tools HTTP/1.1\r\nHost: localhost\r\n\r\n");
  BOOST_TEST(third.rest().starts_with("HTTP/1.1 200 OK"));
  BOOST_TEST(!slow.rest().starts_with("HTTP/1.1 200"));
  BOOST_TEST(silent.rest() == "");
}

BOOST_AUTO_TEST_CASE(what_is_no_http_is_answered_or_dropped_and_the_provider_goes_on) {
  const Provider provider({.request_time = std::chrono::milliseconds(300)});
  const std::vector<std::string> texts{
      "hello\r\n\r\n",
      std::string("\0\1\2\r\n\r\n", 7),
      "GET\r\n\r\n",
      std::string(100'000, 'x') + "\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET /api/v1/tools HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET /api/v1/tools HTTP/1.1\r\nHost: localhost\r\n" + std::string(20'000, 'h') + ": x\r\n\r\n",
      "POST /api/v1/tools/execute HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\nx"};
  for (const std::string& text : texts) {
    const RawConnection client(provider.port);
    client.send(text);
    BOOST_TEST(client.rest().find("200 OK") == std::string::npos);
  }
  BOOST_TEST(provider.get("/api/v1/tools").status == 200);
}

BOOST_AUTO_TEST_CASE(a_port_that_is_taken_is_named) {
  const Provider provider;
  HttpProvider second(
      {.port = provider.port}, [] { return std::shared_ptr<const Manifest>(); },
      [](const std::string&, const Json&, const std::stop_token&, const auto&) {});
  BOOST_CHECK_EXCEPTION(second.listen(), std::runtime_error, [&](const std::runtime_error& error) {
    return std::string(error.what()).find(std::to_string(provider.port) + ": Address already in use") !=
           std::string::npos;
  });
}
