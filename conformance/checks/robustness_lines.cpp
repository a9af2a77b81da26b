// Lines that are not requests.
#include <vector>

#include "checks/robustness.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

/// Sends lines one by one; after each the server must still serve.
Session& survive(Probe& probe, const std::vector<std::string>& lines) {
  Session& session = rough_session(probe);
  for (const std::string& line : lines) {
    session.send_line(line);
    expect_serving(probe, session, "the line " + to_json_text(Json(line.substr(0, 60))));
  }
  return session;
}

void parse_error_recovery(Probe& probe) {
  survive(probe, {"{", "}", R"({"a":)", "[1,2", "\"abc", "nul", R"({"jsonrpc":"2.0",,})", "{'jsonrpc':'2.0'}",
                  "/* no */ {}", R"({"jsonrpc":"2.0","id":1,})", "NaN", R"({"x":Infinity})"});
}

void parse_error_many(Probe& probe) {
  Session& session = rough_session(probe);
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "{\n";
  session.send_bytes(lines);
  expect_serving(probe, session, "a thousand broken lines", 30s);  // each of which may be logged
}

void invalid_utf8(Probe& probe) {
  Session& session = rough_session(probe);
  for (std::string_view bytes : {"\xFF\xFE", "\xC0\x80", "\xE2\x82", "\xED\xA0\x80"}) {
    session.send_line(std::string(R"({"jsonrpc":"2.0","id":"bad-bytes","method":")") + std::string(bytes) + "\"}");
    expect_serving(probe, session, "invalid UTF-8");
  }
}

void lone_surrogates(Probe& probe) {
  Session& session = rough_session(probe);
  const auto echo =
      probe.find("tool:echo") ? std::optional(probe.need_tool("tool:echo", "TEXT", "PLACE")) : std::nullopt;
  for (std::string_view escape : {R"("\ud83d")", R"("\udc00")", R"("\ude00\ud83d")"}) {
    session.send_line(request_with(session, "lone", harmless(probe), {{"x", "PLACE"}}, "PLACE", escape));
    session.send_line(request_with(session, "PLACE", harmless(probe), {}, "PLACE", escape));
    if (echo) session.send_line(request_with(session, "argument", "tools/call", echo->params(), "PLACE", escape));
    expect_serving(probe, session, "a lone surrogate");
  }
}

void nul_escape(Probe& probe) {
  Session& session = rough_session(probe);
  session.send_line(
      request_with(session, "nul-in-params", harmless(probe), {{"x", "PLACE"}}, "PLACE", R"("a\u0000b")"));
  session.send_line(request_with(session, "PLACE", harmless(probe), {}, "PLACE", R"("id\u0000end")"));
  session.send_line(session.request_text("nul-in-method", std::string(harmless(probe)) + '\0' + "more"));
  expect_serving(probe, session, "escaped NUL characters");
  for (const Message& message : session.messages()) {
    const bool is_cut = message.id() == Json("id") || (message.id() == Json("nul-in-method") && !message.is_error());
    probe.expect(!is_cut, "ids and methods as they were sent, not cut at a NUL", message.text.substr(0, 300));
  }
}

void raw_nul_byte(Probe& probe) {
  Session& session = rough_session(probe);
  session.send_bytes(std::string_view("\0\n", 2));
  session.send_bytes(std::string_view("{\"jsonrpc\":\"2.0\",\0\"id\":1}\n", 26));
  expect_serving(probe, session, "raw NUL bytes");
}

void raw_control_characters(Probe& probe) {
  survive(probe, {"{\"jsonrpc\":\"2.0\",\"id\":\"c1\",\"method\":\"a\tb\"}",
                  "{\"jsonrpc\":\"2.0\",\"id\":\"c2\",\"method\":\"a\x01\"}",
                  "{\"jsonrpc\":\"2.0\",\"id\":\"c3\",\"method\":\"\x1B[31m\"}"});
}

/// Sends a line with a member twice; at most one response may come to it.
void expect_one_answer(Probe& probe, Session& session, const std::string& line, const JsonArray& ids) {
  const std::size_t before = session.mark();
  session.send_line(line);
  expect_serving(probe, session, "a member given twice");
  std::size_t answers = 0;
  for (std::size_t i = before; i < session.mark(); ++i) {
    const auto id = session.messages()[i].id();
    answers += id && std::ranges::find(ids, *id) != ids.end() ? 1U : 0U;
  }
  if (answers > 1) probe.broken("one answer to a request with a member twice", std::to_string(answers));
}

void duplicate_keys(Probe& probe) {
  Session& session = rough_session(probe);
  const std::string method = R"("method":")" + std::string(harmless(probe)) + R"(")";
  const std::string params = R"("params":)" + to_json_text(session.with_metadata({}));
  const std::string begin = R"({"jsonrpc":"2.0","id":)";
  expect_one_answer(probe, session, begin + R"(8801,"id":8802,)" + method + "," + params + "}", {8801, 8802});
  expect_one_answer(probe, session, begin + R"(8803,"method":"conformance/none",)" + method + "," + params + "}",
                    {8803});
  expect_one_answer(probe, session, begin + "8804," + method + "," + params + "," + params + "}", {8804});
}

void prototype_keys(Probe& probe) {
  Session& session = rough_session(probe);
  for (const char* key : {"__proto__", "constructor", "toString", "hasOwnProperty"}) {
    const JsonObject polluted{{key, {{"polluted", true}}}};
    session.send_request(harmless(probe), polluted);
    session.send_request(harmless(probe), {{"_meta", polluted}});
    session.send_request("tools/call", {{"name", key}, {"arguments", polluted}});
    session.send_request("prompts/get", {{"name", key}});
    session.send_request(key);
  }
  expect_serving(probe, session, "keys such as __proto__");
}

void unknown_methods_burst(Probe& probe) {
  Session& session = rough_session(probe);
  constexpr std::size_t requests = 200;
  std::vector<Json> ids;
  ids.reserve(requests);
  const std::vector<std::string> names{"", "rpc.x", "__proto__", std::string(10'000, 'm'), "m\u00e9thode"};
  const std::size_t before = session.mark();
  for (std::size_t i = 0; i < requests; ++i) ids.push_back(session.send_request(names[i % names.size()]));
  std::string refusal;
  for (std::size_t i = 0; i < requests; ++i) {
    const bool is_empty = names[i % names.size()].empty();
    if (is_empty && !refusal.empty()) continue;
    const Answer answer = session.await(ids[i]);
    if (is_empty && answer.kind == Answer::Kind::silence) {
      if (const Message* it = session.wait_for(before, refuses_nobody, 0ms)) refusal = it->text.substr(0, 300);
    }
    if (is_empty && !refusal.empty()) continue;
    probe.expect_answer(answer, "an unknown method");
    probe.expect(answer.is_error(), "an error to an unknown method", answer.text());
  }
  if (!refusal.empty()) probe.warn("an error with the id of the request to an empty method", refusal);
}

void unknown_notifications(Probe& probe) {
  Session& session = rough_session(probe);
  const std::size_t before = session.mark();
  session.notify("notifications/foo");
  session.notify("");
  expect_serving(probe, session, "unknown notifications");
  expect_no_stray_response(probe, session, before, "notifications nobody knows");
  session.send_line(R"({"jsonrpc":"2.0","method":5})");
  expect_serving(probe, session, "a notification whose method is a number");
}

void response_to_nothing(Probe& probe) {
  const Session& session = survive(probe, {R"({"jsonrpc":"2.0","id":990099,"result":{}})",
                                           R"({"jsonrpc":"2.0","id":990098,"error":{"code":-1,"message":"x"}})",
                                           R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}})"});
  expect_no_stray_response(probe, session, 0, "a response");
}

void request_response_hybrid(Probe& probe) {
  Session& session = rough_session(probe);
  const std::size_t before = session.mark();
  session.send_line(R"({"jsonrpc":"2.0","id":"hybrid","method":"ping","result":{}})");
  expect_serving(probe, session, "a message with method and result");
  std::size_t answers = 0;
  for (std::size_t i = before; i < session.mark(); ++i)
    answers += session.messages()[i].id() == Json("hybrid") ? 1U : 0U;
  probe.expect(answers <= 1, "at most one answer", std::to_string(answers));
}

void wrong_case_members(Probe& probe) {
  Session& session = rough_session(probe);
  const std::size_t before = session.mark();
  session.send_line(R"({"jsonrpc":"2.0","ID":"wrong-case","Method":"ping"})");
  expect_serving(probe, session, "members in the wrong case");
  for (std::size_t i = before; i < session.mark(); ++i)
    probe.expect(session.messages()[i].id() != Json("wrong-case"), "no answer to \"ID\"",
                 session.messages()[i].text.substr(0, 300));
}

void concatenated(Probe& probe) {
  Session& session = rough_session(probe);
  session.send_line(session.request_text("first-of-two", harmless(probe)) +
                    session.request_text("second-of-two", harmless(probe)));
  expect_serving(probe, session, "two messages on one line");
}

void pretty_printed(Probe& probe) {
  Session& session = rough_session(probe);
  session.send_bytes("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": \"pretty\",\n  \"method\": \"ping\"\n}\n");
  expect_serving(probe, session, "a message over several lines");
}

void foreign_protocols(Probe& probe) {
  Session& session = rough_session(probe);
  session.send_bytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect_serving(probe, session, "a request of HTTP");
  session.send_bytes("Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
  expect_serving(probe, session, "headers of the language server protocol");
}

void positional_params(Probe& probe) {
  Session& session = rough_session(probe);
  int number = 0;
  for (std::string_view method : {"tools/list", "tools/call", "resources/read", "prompts/get", "completion/complete"}) {
    for (std::string_view params : {"[1]", "\"x\"", "5", "true"}) {
      const std::string id = "positional-" + std::to_string(++number);
      session.send_line(R"({"jsonrpc":"2.0","id":")" + id + R"(","method":")" + std::string(method) + R"(","params":)" +
                        std::string(params) + "}");
      const std::string what = std::string(method) + " with the params " + std::string(params);
      const Answer answer = probe.expect_reply(session, Json(id), what);
      probe.expect(answer.is_error(), "an error to " + what, answer.text());
    }
  }
}

void absent_params(Probe& probe) {
  if (probe.modern()) probe.skip("every request of this revision has params");
  Session& session = rough_session(probe);
  session.send_line(R"({"jsonrpc":"2.0","id":"absent","method":"ping"})");
  probe.expect_result(session.await("absent"), "ping without params");
  session.send_line(R"({"jsonrpc":"2.0","id":"null","method":"ping","params":null})");
  probe.expect_reply(session, "null", "ping with the params null");
  if (!probe.offer().has("tools")) return;
  session.send_line(R"({"jsonrpc":"2.0","id":"absent-list","method":"tools/list"})");
  probe.expect_result(session.await("absent-list"), "tools/list without params");
  session.send_line(R"({"jsonrpc":"2.0","id":"null-list","method":"tools/list","params":null})");
  probe.expect_reply(session, "null-list", "tools/list with the params null");
}

}  // namespace

std::span<const Check> robustness_lines_checks() {
  static constexpr Check checks[] = {
      {"rb-parse-error-recovery", parse_error_recovery},
      {"rb-parse-error-many", parse_error_many},
      {"rb-invalid-utf8", invalid_utf8},
      {"rb-lone-surrogate-escape", lone_surrogates},
      {"rb-nul-escape", nul_escape},
      {"rb-raw-nul-byte", raw_nul_byte},
      {"rb-raw-control-chars", raw_control_characters},
      {"rb-duplicate-keys", duplicate_keys},
      {"rb-proto-keys", prototype_keys},
      {"rb-unknown-methods-burst", unknown_methods_burst},
      {"rb-unknown-notifications", unknown_notifications},
      {"rb-response-to-nothing", response_to_nothing},
      {"rb-request-and-response-hybrid", request_response_hybrid},
      {"rb-case-and-extra-members", wrong_case_members},
      {"rb-concatenated-json", concatenated},
      {"rb-pretty-printed-input", pretty_printed},
      {"rb-http-or-lsp-input", foreign_protocols},
      {"rb-params-positional", positional_params},
      {"rb-params-null-absent", absent_params},
  };
  return checks;
}

}  // namespace toolwire::conformance
