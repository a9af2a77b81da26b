// JSON-RPC 2.0 as MCP uses it (basic, messages): ids, errors, notifications, malformed requests. What every message
// must look like is watched in passive/messages.cpp.
#include <toolwire/error.hpp>

#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

void answers_id(Probe& probe, Session& session, const Json& id) {
  session.send_request_with_id(id, harmless(probe));
  const Answer answer = session.await(id);
  if (!answer.ok()) probe.fail("a result with the id " + to_json_text(id), answer.text());
}

void response_id_echo(Probe& probe) {
  Session& session = probe.opened();
  for (const Json& id : {Json(4001), Json(4242), Json("abc")}) answers_id(probe, session, id);
}

void response_id_type_preserved(Probe& probe) {
  Session& session = probe.opened();
  session.send_request_with_id(77, harmless(probe));
  session.send_request_with_id("77", harmless(probe));
  for (const Json& id : {Json(77), Json("77")}) {
    const Answer answer = session.await(id);
    probe.expect(answer.ok(), "a response with the id " + to_json_text(id) + " of the same type", answer.text());
  }
}

void string_id_accepted(Probe& probe) {
  Session& session = probe.opened();
  for (const Json& id : {Json("5f3b2c1a-9d4e-4f6a-8b7c-0123456789ab"), Json("with spaces, \"quotes\", \\ and 😀"),
                         Json(" Space around, and CAPITALS "), Json(std::string(200, 'i'))})
    answers_id(probe, session, id);
}

void id_zero_and_empty_string(Probe& probe) {
  Session& session = probe.opened();
  answers_id(probe, session, Json(0));
  answers_id(probe, session, Json(""));
}

void error_id_echo(Probe& probe) {
  Session& session = probe.opened();
  session.send_request_with_id("e-1", "conformance/does-not-exist");
  const Answer refused = session.await("e-1");
  probe.expect(refused.is_error(), "an error with the id \"e-1\"", refused.text());
  if (!probe.offer().has("tools")) return;
  session.send_request_with_id(9077, "tools/call", {{"name", 5}});
  const Answer answer = session.await(9077);
  probe.expect(answer.kind != Answer::Kind::silence, "an answer with the id 9077", answer.text());
}

/// The names of requests without an id, which make them notifications (JSON-RPC 2.0, section 4.1). Over HTTP the reply
/// to what is refused may have an error as its body.
void send_requests_without_id(Session& session, const Probe& probe) {
  if (!session.has_process()) return;
  session.notify(harmless(probe));
  if (probe.offer().has("tools")) session.notify("tools/list");
}

/// The answer to a request sent afterwards shows that there was none to what came before.
void no_reply_to_notification(Probe& probe) {
  Session& session = probe.opened();
  const std::size_t before = session.mark();
  send_requests_without_id(session, probe);
  session.notify("notifications/cancelled", {{"requestId", "never-sent"}, {"reason", "none"}});
  session.notify("notifications/conformance-unknown", {{"x", 1}});
  session.notify("notifications/progress", {{"progressToken", JsonArray{}}, {"progress", "junk"}});
  const Answer next = probe.expect_alive(session);
  for (std::size_t i = before; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (message.kind == Message::Kind::response && message.id() != next.message.id())
      probe.fail("no response to a notification", message.text.substr(0, 500));
  }
}

/// The last two are members of every object in some languages, and may be found where methods are looked up.
void jsonrpc_unknown_method(Probe& probe) {
  Session& session = probe.session();
  for (std::string_view method : {"conformance/does-not-exist", "tools/callX", "toString", "constructor"})
    probe.expect_error(session.request(method), {error_code::method_not_found}, std::string(method));
  probe.expect_alive(session);
}

void capability_gated_method(Probe& probe) {
  struct Gated {
    std::string_view capability, method;
    JsonObject params;
  };
  const Gated gated[] = {
      {"tools", "tools/list", {}},
      {"prompts", "prompts/list", {}},
      {"resources", "resources/list", {}},
      {"completions",
       "completion/complete",
       {{"ref", {{"type", "ref/prompt"}, {"name", "x"}}}, {"argument", {{"name", "y"}, {"value", ""}}}}},
  };
  std::size_t tried = 0;
  for (const Gated& it : gated) {
    // The capability of completion is as old as 2025-03-26.
    if (probe.offer().has(it.capability) || (it.capability == "completions" && !probe.since("2025-03-26"))) continue;
    ++tried;
    probe.expect_error(probe.session().request(it.method, it.params), {error_code::method_not_found},
                       std::string(it.method));
  }
  if (tried == 0) probe.skip("the server declares every capability");
}

/// Sends a line that cannot be served, then a request whose answer shows that the line was processed; that answer may
/// overtake the reaction. Nothing: none came.
std::optional<Message> reaction_to_line(Probe& probe, Session& session, std::string_view line) {
  const std::size_t before = session.mark();
  session.send_line(line);
  const auto begin = Clock::now();
  const Json marker = session.send_request(harmless(probe));
  const Answer answer = session.await(marker);
  const auto grace = probe.overtaken(Clock::now() - begin);
  if (!answer.ok())
    probe.broken("a server that answers the next request after the line " + std::string(line), answer.text());
  const auto is_reaction = [&](const Message& it) { return it.kind == Message::Kind::response && it.id() != marker; };
  const Message* reaction = session.wait_for(before, is_reaction, grace);
  return reaction != nullptr ? std::optional(*reaction) : std::nullopt;
}

/// An error without id, with null, or with `id`; never a result.
void expect_reaction(Probe& probe, Session& session, std::string_view line, int code, const Json& id) {
  const auto reaction = reaction_to_line(probe, session, line);
  const std::string expected = "error " + std::to_string(code) + " to the line " + std::string(line);
  if (!reaction) probe.warn(expected, "nothing");
  const Json answered = reaction->id().value_or(nullptr);
  probe.expect(reaction->error_code() == code && (answered.is_null() || answered == id), expected,
               reaction->text.substr(0, 500));
}

void parse_error_code(Probe& probe) {
  Session& session = probe.opened();
  expect_reaction(probe, session, R"({"jsonrpc":"2.0","id":1,"method":)", error_code::parse_error, 1);
}

void invalid_request_code(Probe& probe) {
  Session& session = probe.opened();
  expect_reaction(probe, session, R"({"jsonrpc":"2.0","id":9005})", error_code::invalid_request, 9005);
  expect_reaction(probe, session, R"({"jsonrpc":"1.0","id":9006,"method":"ping"})", error_code::invalid_request, 9006);
  expect_reaction(probe, session, R"({"id":9007,"method":"x"})", error_code::invalid_request, 9007);
  expect_reaction(probe, session, R"({"jsonrpc":"2.0","id":9008,"method":5})", error_code::invalid_request, 9008);
}

void non_object_message(Probe& probe) {
  Session& session = probe.opened();
  for (std::string_view line : {"42", "\"x\"", "null", "true"})
    expect_reaction(probe, session, line, error_code::invalid_request, nullptr);
}

void invalid_params_code(Probe& probe) {
  Session& session = probe.session();
  std::size_t tried = 0;
  auto refused = [&](std::string_view capability, std::string_view method, JsonObject params) {
    if (!probe.offer().has(capability)) return;
    ++tried;
    const std::string what = std::string(method) + " with the params " + to_json_text(params);
    probe.expect_error(session.request(method, std::move(params)), {error_code::invalid_params}, what);
  };
  refused("tools", "tools/call", {});
  refused("resources", "resources/read", {{"uri", 5}});
  refused("prompts", "prompts/get", {{"name", nullptr}});
  if (tried == 0) probe.skip("the server has neither tools, resources nor prompts");
}

void params_must_be_object(Probe& probe) {
  Session& session = probe.opened();
  std::int64_t id = 9100;
  for (std::string_view params : {"[]", "\"x\"", "1"}) {
    const Json mine = ++id;
    const std::string line = R"({"jsonrpc":"2.0","id":)" + to_json_text(mine) + R"(,"method":"tools/list","params":)" +
                             std::string(params) + "}";
    session.send_line(line);
    probe.expect_error(probe.expect_reply(session, mine, line),
                       {error_code::invalid_params, error_code::invalid_request}, line);
  }
  probe.expect_alive(session);
}

void null_id_not_a_request(Probe& probe) {
  Session& session = probe.opened();
  const auto reaction = reaction_to_line(probe, session, session.request_text(nullptr, harmless(probe)));
  if (!reaction) return;
  probe.expect(reaction->is_error(), "an error or nothing to a request whose id is null",
               reaction->text.substr(0, 500));
}

/// Where it can be called without one at all.
void expect_call_with_unknown_member(Probe& probe, Session& session) {
  if (!probe.find("tool:text")) return;
  JsonObject params = probe.need_tool("tool:text").params();
  if (!session.request("tools/call", params).ok()) return;
  params["x-unknown"] = JsonArray{1, 2};
  probe.expect_result(session.request("tools/call", params), "tools/call with a further member in params");
}

void unknown_fields_tolerated(Probe& probe) {
  Session& session = probe.opened({{"experimental", {{"example.com/x", JsonObject{}}}}, {"x-unknown", {{"a", 1}}}});
  JsonObject params = session.with_metadata({{"x-unknown", JsonArray{1, 2}}});
  Json& meta = params["_meta"];
  if (meta.is_null()) meta = JsonObject{};
  meta.as_object()["example.com/unknown"] = "value";
  JsonObject message{{"jsonrpc", "2.0"}, {"id", "unknown-fields"}, {"method", harmless(probe)}, {"params", params}};
  session.send_line(to_json_text(message));
  probe.expect_result(session.await("unknown-fields"), "a request with further members in params and _meta");
  message["id"] = "unknown-at-top";
  message["x-unknown"] = true;
  session.send_line(to_json_text(message));
  const Answer answer = probe.expect_reply(session, "unknown-at-top", "a request with a further member at its top");
  expect_call_with_unknown_member(probe, session);
  if (!answer.ok()) probe.info("a request with a further member at its top is refused: " + answer.text());
}

void out_of_order_allowed(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 2);
  Session& session = probe.session();
  const Json call = session.send_request("tools/call", slow.params());
  const Answer quick = session.request(harmless(probe));
  probe.expect_result(quick, "a request beside a slow call");
  const bool in_order = session.await(call, 0ms).ok();
  session.notify("notifications/cancelled", {{"requestId", call}});
  if (in_order) probe.info("the quick request waits for the slow call");
}

}  // namespace

std::span<const Check> jsonrpc_base_checks() {
  static constexpr Check checks[] = {
      {"rpc-response-id-echo", response_id_echo},
      {"rpc-response-id-type-preserved", response_id_type_preserved},
      {"rpc-string-id-accepted", string_id_accepted},
      {"rpc-id-zero-and-empty-string", id_zero_and_empty_string},
      {"rpc-error-id-echo", error_id_echo},
      {"rpc-no-reply-to-notification", no_reply_to_notification},
      {"rpc-unknown-method", jsonrpc_unknown_method},
      {"rpc-capability-gated-method", capability_gated_method},
      {"rpc-parse-error-code", parse_error_code},
      {"rpc-invalid-request-code", invalid_request_code},
      {"rpc-non-object-message", non_object_message},
      {"rpc-invalid-params-code", invalid_params_code},
      {"rpc-params-must-be-object", params_must_be_object},
      {"rpc-null-id-not-a-request", null_id_not_a_request},
      {"rpc-unknown-fields-tolerated", unknown_fields_tolerated},
      {"rpc-out-of-order-allowed", out_of_order_allowed},
  };
  return checks;
}

}  // namespace toolwire::conformance
