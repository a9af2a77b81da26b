// Servers that are reached over HTTP, and speak it badly or not at all.
#include <toolwire/http/detail/remote_transport.hpp>

#define BOOST_TEST_MODULE http_remote_attacks_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <string>

#include "remote_script.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

const std::string done_text = R"({"content":[{"type":"text","text":"done"}]})";

/// What a call fails with; its code, and what stands in `data`.
struct Failed {
  std::string text;
  std::string code;
  std::string outcome = {};
};

Failed failed_call(RemoteClient& client) {
  try {
    client->call("run", JsonObject(), {.timeout = 30s});
  } catch (const ProtocolError& error) {
    return {error.what(), text_or(error.data, "code"), text_or(error.data, "outcome")};
  } catch (const ConnectionError& error) {
    return {error.what(), "lost"};
  } catch (const TimeoutError& error) {
    return {error.what(), "timeout"};
  }
  BOOST_ERROR("expected a failure");
  return {};
}

/// A call that is answered so, by a server without sessions.
Failed failed(const RemoteScript::Answers& answers) {
  RemoteScript script("2026-07-28", {{"tools/call", answers}});
  RemoteClient client(script.server().url("/mcp"));
  return failed_call(client);
}

/// Why no client comes about with this answer to the first message.
std::string refused(const RemoteScript::Answers& answers, const std::string& path = "/mcp") {
  RemoteScript script("2026-07-28", {{"server/discover", answers}, {"initialize", answers}});
  try {
    RemoteClient client(script.server().url(path), {.timeout = 30s, .probe_timeout = 30s});
  } catch (const std::exception& error) {
    BOOST_TEST(std::string(error.what()).find("secret") == std::string::npos, error.what());
    return error.what();
  }
  BOOST_ERROR("expected a failure");
  return {};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

HttpAnswer status(int code, const std::string& headers = "", const std::string& body = "") {
  return HttpAnswer::of(code, body, headers);
}

}  // namespace

BOOST_AUTO_TEST_CASE(access_that_is_refused_names_what_to_set) {
  const std::string unknown = refused([](const RemoteRequest&) {
    return status(401, "WWW-Authenticate: Bearer resource_metadata=\"https://x/y\"\r\n");
  });
  BOOST_TEST(has(unknown, "HTTP 401"), unknown);
  BOOST_TEST(has(unknown, R"(expected "headers" of the server with what it knows you by, most often "Authorization")"),
             unknown);
  BOOST_TEST(has(unknown, "does not log in by itself"), unknown);
  const std::string forbidden = refused([](const RemoteRequest&) { return status(403); });
  BOOST_TEST(has(forbidden, "does not allow this (HTTP 403)"), forbidden);
  const Failed later = failed([](const RemoteRequest&) { return status(403); });
  BOOST_TEST(later.code == "unauthorized");
}

BOOST_AUTO_TEST_CASE(an_address_without_an_endpoint_is_said_to_be_one) {
  BOOST_TEST(has(refused([](const RemoteRequest&) { return status(404); }), "no MCP endpoint at this path (HTTP 404)"));
  BOOST_TEST(has(refused([](const RemoteRequest&) { return status(405); }), "expected an endpoint of Streamable HTTP"));
  const std::string page =
      refused([](const RemoteRequest&) { return status(200, "Content-Type: text/html\r\n", "<p>Welcome</p>"); });
  BOOST_TEST(has(page, R"(neither JSON nor events, but "text/html")"), page);
}

BOOST_AUTO_TEST_CASE(a_port_where_nobody_listens_is_said) {
  std::string url;
  {
    HttpTestServer gone([](const std::string&) { return HttpAnswer(); });
    url = gone.url("/mcp?key=secret");
  }
  try {
    RemoteClient client{url};
    BOOST_ERROR("expected a failure");
  } catch (const ConnectionError& error) {
    BOOST_TEST(has(error.what(), "Connection refused"), error.what());
    BOOST_TEST(!has(error.what(), "secret"), error.what());
  }
}

BOOST_AUTO_TEST_CASE(credentials_are_not_sent_to_where_an_answer_redirects) {
  HttpTestServer other([](const std::string&) { return HttpAnswer::of(200, "stolen"); });
  RemoteScript script("2026-07-28", {{"server/discover", [&](const RemoteRequest&) {
                                        return status(307, "Location: " + other.url("/mcp?secret") + "\r\n");
                                      }}});
  try {
    RemoteClient client(script.server().url("/mcp"), {}, {{"Authorization", "Bearer secret"}});
    BOOST_ERROR("expected a failure");
  } catch (const ConnectionError& error) {
    BOOST_TEST(has(error.what(), "redirects to " + other.origin() + ", another host; that is not followed"),
               error.what());
    BOOST_TEST(!has(error.what(), "secret"), error.what());
  }
  BOOST_TEST(other.requests().empty());
}

BOOST_AUTO_TEST_CASE(a_redirect_within_the_server_is_followed_with_the_message) {
  std::atomic<int> redirected = 0;
  RemoteScript script("2026-07-28", {{"tools/call", [&](const RemoteRequest& request) {
                                        if (request.text.starts_with("POST /mcp/ ")) return result(request, done_text);
                                        ++redirected;
                                        return status(307, "Location: /mcp/\r\n");
                                      }}});
  RemoteClient client(script.server().url("/mcp"));
  BOOST_TEST(client->call("run", JsonObject()).text() == "done");
  BOOST_TEST(redirected == 1);
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_cut_fails_its_call_once_and_the_call_is_not_sent_again) {
  std::atomic<int> calls = 0;
  const Failed cut = failed([&](const RemoteRequest&) {
    ++calls;
    return events(event(R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})") + "data: {\"jsonr");
  });
  BOOST_TEST(has(cut.text, "ended the stream before the answer had come"), cut.text);
  BOOST_TEST(cut.code == "unavailable");
  BOOST_TEST(cut.outcome == "unknown");
  BOOST_TEST(calls == 1);
  const Failed broken = failed([&](const RemoteRequest&) {
    ++calls;
    return HttpAnswer{.bytes = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"};
  });
  BOOST_TEST(broken.code == "unavailable", broken.text);
  BOOST_TEST(broken.outcome == "unknown");
  BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(a_stream_that_cannot_be_resumed_is_given_up_and_its_call_is_not_sent_again) {
  for (const HttpAnswer& resumed : {HttpAnswer{}, status(503), status(429)}) {
    std::atomic<int> resumptions = 0;
    RemoteScript script("2025-11-25",
                        {{"tools/call", [](const RemoteRequest&) { return events("retry: 1\nid: e1\ndata:\n\n"); }},
                         {"GET", [&](const RemoteRequest& request) {
                            if (request.header("Last-Event-ID") == "-") return status(405);
                            ++resumptions;
                            return resumed;
                          }}});
    RemoteClient client(script.server().url("/mcp"));
    const Failed failure = failed_call(client);
    BOOST_TEST((failure.code == "unavailable" || failure.code == "busy"), failure.text);
    BOOST_TEST(resumptions == 5);
    BOOST_TEST(script.requests("tools/call").size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(a_call_whose_stream_is_not_kept_for_resuming_fails) {
  RemoteScript script("2025-11-25",
                      {{"tools/call", [](const RemoteRequest&) { return events("retry: 1\nid: e1\ndata:\n\n"); }},
                       {"GET", [](const RemoteRequest&) { return status(405); }}});
  RemoteClient client(script.server().url("/mcp"));
  BOOST_TEST(has(failed_call(client).text, "HTTP 405"));
}

BOOST_AUTO_TEST_CASE(a_call_whose_stream_the_server_refuses_to_resume_may_have_been_done) {
  const std::string refusal = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no streams here"}})";
  const auto refused_with = [&](int code) {
    return HttpAnswer{.bytes = "HTTP/1.1 " + std::to_string(code) +
                               " Refused\r\nContent-Type: application/json\r\nContent-Length: " +
                               std::to_string(refusal.size()) + "\r\n\r\n" + refusal};
  };
  for (const HttpAnswer& resumed :
       {status(405), status(400), refused_with(405), refused_with(400), HttpAnswer::of(200, "<html>")}) {
    RemoteScript script("2025-11-25",
                        {{"tools/call", [](const RemoteRequest&) { return events("retry: 1\nid: e1\ndata:\n\n"); }},
                         {"GET", [&](const RemoteRequest& request) {
                            return request.header("Last-Event-ID") == "-" ? status(405) : resumed;
                          }}});
    RemoteClient client(script.server().url("/mcp"));
    const Failed failure = failed_call(client);
    BOOST_TEST(failure.code == "unavailable", resumed.bytes + ": " + failure.text);
    BOOST_TEST(failure.outcome == "unknown", resumed.bytes + ": " + failure.text);
    BOOST_TEST(has(failure.text, "ended the stream before the answer had come, and does not resume it: "),
               failure.text);
  }
}

BOOST_AUTO_TEST_CASE(an_answer_to_another_request_is_none) {
  const Failed foreign =
      failed([](const RemoteRequest&) { return HttpAnswer::json(R"({"jsonrpc":"2.0","id":4711,"result":{}})"); });
  BOOST_TEST(has(foreign.text, "JSON that is not its answer"), foreign.text);
  BOOST_TEST(foreign.outcome == "unknown");
  const Failed broken = failed([](const RemoteRequest&) { return HttpAnswer::json("{\"jsonrpc\""); });
  BOOST_TEST(has(broken.text, "JSON that is not its answer"), broken.text);
  BOOST_TEST(broken.outcome == "unknown");
  const Failed page =
      failed([](const RemoteRequest&) { return HttpAnswer::of(200, "<p>", "Content-Type: text/html\r\n"); });
  BOOST_TEST(has(page.text, "neither JSON nor events"), page.text);
  BOOST_TEST(page.outcome == "unknown");
}

BOOST_AUTO_TEST_CASE(an_answer_with_the_id_as_a_text_or_an_error_without_one_is_that_of_its_request) {
  RemoteScript script("2026-07-28",
                      {{"tools/call", [&](const RemoteRequest& request) {
                          const bool as_events = has(request.text, "events");
                          std::string text =
                              has(request.text, "unnamed")
                                  ? R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what?"}})"
                                  : R"({"jsonrpc":"2.0","id":")" + request.id() + R"(","result":)" + done_text + "}";
                          return as_events ? events(event(text)) : HttpAnswer::json(std::move(text));
                        }}});
  RemoteClient client(script.server().url("/mcp"));
  for (const char* const tool : {"json", "events"}) BOOST_TEST(client->call(tool, JsonObject()).text() == "done");
  for (const char* const tool : {"unnamed json", "unnamed events"}) {
    BOOST_CHECK_EXCEPTION(client->call(tool, JsonObject()), ProtocolError, [](const ProtocolError& error) {
      return error.code == -32600 && std::string(error.what()) == "what?";
    });
  }
}

BOOST_AUTO_TEST_CASE(of_two_answers_the_first_counts_and_ends_the_stream) {
  RemoteScript script("2026-07-28", {{"tools/call", [](const RemoteRequest& request) {
                                        return events(event(result_text(request, done_text)) +
                                                          event(result_text(request, R"({"content":[]})")),
                                                      true);
                                      }}});
  RemoteClient client(script.server().url("/mcp"));
  BOOST_TEST(client->call("run", JsonObject()).text() == "done");
  BOOST_TEST(script.server().wait_until_idle());
}

BOOST_AUTO_TEST_CASE(messages_that_are_too_large_fail_their_call_only) {
  for (const bool as_events : {true, false}) {
    RemoteScript script("2026-07-28", {{"tools/call", [&](const RemoteRequest& request) {
                                          if (has(request.text, "small")) return result(request, done_text);
                                          HttpAnswer answer = as_events ? events("data: ") : HttpAnswer();
                                          if (!as_events)
                                            answer.bytes =
                                                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n\"";
                                          answer.repeated = std::string(65536, 'x');
                                          return answer;
                                        }}});
    RemoteClient client(script.server().url("/mcp"));
    const Failed failure = failed_call(client);
    BOOST_TEST(failure.code == "too_large", failure.text);
    BOOST_TEST(failure.outcome == "unknown", failure.text);
    BOOST_TEST(client->call("small", JsonObject()).text() == "done");
    BOOST_TEST(script.server().wait_until_idle());
  }
}

BOOST_AUTO_TEST_CASE(a_reason_without_end_is_cut) {
  const Failed failure = failed([](const RemoteRequest&) {
    return HttpAnswer{.bytes = "HTTP/1.1 500 Oh\r\nContent-Type: text/plain\r\n\r\n\x1b[31mno", .repeated = "!"};
  });
  BOOST_TEST(has(failure.text, "answered HTTP 500"), failure.text);
  BOOST_TEST(!has(failure.text, "\x1b"));
  BOOST_TEST(failure.text.size() < 400U);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_busy_is_asked_again_where_that_does_no_harm) {
  std::atomic<int> busy = 0, unavailable = 0, listed = 0;
  RemoteScript script("2026-07-28",
                      {{"tools/call",
                        [&](const RemoteRequest& request) {
                          if (has(request.text, "unavailable")) return ++unavailable, status(503);
                          return ++busy == 1 ? status(429, "Retry-After: 0\r\n") : result(request, done_text);
                        }},
                       {"tools/list", [&](const RemoteRequest& request) {
                          return ++listed == 1 ? status(503, "Retry-After: 0\r\n") : result(request, R"({"tools":[]})");
                        }}});
  RemoteClient client(script.server().url("/mcp"));
  BOOST_TEST(client->call("run", JsonObject()).text() == "done");
  BOOST_TEST(client->list_tools().empty());
  BOOST_TEST(listed == 2);
  BOOST_CHECK_THROW(client->call("unavailable", JsonObject()), ProtocolError);
  BOOST_TEST(unavailable == 1);
}

BOOST_AUTO_TEST_CASE(a_wait_that_is_too_long_is_handed_on) {
  RemoteScript script("2026-07-28",
                      {{"tools/call", [](const RemoteRequest&) { return status(429, "Retry-After: 3600\r\n"); }}});
  RemoteClient client(script.server().url("/mcp"));
  try {
    client->call("run", JsonObject());
    BOOST_ERROR("expected a failure");
  } catch (const ProtocolError& error) {
    BOOST_TEST(text_or(error.data, "code") == "busy");
    BOOST_TEST(member_or_null(error.data, "retryAfterMs") == Json(3'600'000));
  }
}

BOOST_AUTO_TEST_CASE(a_session_that_the_server_has_forgotten_is_over) {
  for (const HttpAnswer& answer :
       {status(404), HttpAnswer::of(400, R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,
"message":"Bad Request: No valid session ID provided"}})")}) {
    RemoteScript script("2025-11-25", {{"initialize",
                                        [](const RemoteRequest& request) {
                                          return HttpAnswer::of(
                                              200, result_text(request, R"({"protocolVersion":"2025-11-25",
"capabilities":{},"serverInfo":{"name":"s","version":"1"}})"),
                                              "Content-Type: application/json\r\nMcp-Session-Id: a\r\n");
                                        }},
                                       {"tools/call", [&](const RemoteRequest&) { return answer; }}});
    RemoteClient client(script.server().url("/mcp"));
    const Failed failure = failed_call(client);
    BOOST_TEST(failure.code == "session_lost", failure.text);
    BOOST_CHECK_THROW(client->ping(), ConnectionError);
  }
}

BOOST_AUTO_TEST_CASE(a_session_id_that_is_none_is_refused) {
  RemoteScript script("2025-11-25", {{"initialize", [](const RemoteRequest& request) {
                                        return HttpAnswer::of(200,
                                                              result_text(request, R"({"protocolVersion":"2025-11-25",
"capabilities":{},"serverInfo":{"name":"s","version":"1"}})"),
                                                              "Content-Type: application/json\r\n"
                                                              "Mcp-Session-Id: a\tb\r\n");
                                      }}});
  BOOST_CHECK_EXCEPTION(RemoteClient(script.server().url("/mcp")), ConnectionError, [](const ConnectionError& error) {
    return has(error.what(), "expected visible ASCII characters");
  });
}

BOOST_AUTO_TEST_CASE(a_silent_server_is_given_up_at_the_deadline_and_its_connections_are_closed) {
  RemoteScript script("2026-07-28", {{"tools/call", [](const RemoteRequest&) { return HttpAnswer{.held = true}; }}});
  RemoteClient client(script.server().url("/mcp"));
  BOOST_CHECK_THROW(client->call("run", JsonObject(), {.timeout = 50ms}), TimeoutError);
  BOOST_TEST(script.server().wait_until_idle());
}

BOOST_AUTO_TEST_CASE(a_client_that_ends_waits_for_no_call) {
  RemoteScript script("2026-07-28", {{"tools/call", [](const RemoteRequest&) { return HttpAnswer{.held = true}; }}});
  auto client = std::make_unique<RemoteClient>(script.server().url("/mcp"));
  CallHandle call = (*client)->start_call("run", JsonObject());
  BOOST_TEST(script.server().wait_for_requests(2));
  client.reset();
  BOOST_CHECK_THROW(call.wait(), ConnectionError);
}

BOOST_AUTO_TEST_CASE(the_http_client_may_end_first) {
  RemoteScript script("2025-11-25", {{"GET", [](const RemoteRequest&) { return events(": here\n\n", true); }}});
  RemoteClient client(script.server().url("/mcp"));
  BOOST_TEST(script.server().wait_for_requests(4));  // discover, initialize, initialized, GET
  client.http->close();
  BOOST_CHECK_THROW(client->ping(), ConnectionError);
}
