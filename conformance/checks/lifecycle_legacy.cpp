// The handshake of the legacy revisions (basic/lifecycle): initialize, what it negotiates, what comes before it.
#include <algorithm>

#include "checks/groups.hpp"
#include "probe/questions.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

JsonObject initialize_with(const Json& version) {
  return {{"protocolVersion", version},
          {"capabilities", JsonObject{}},
          {"clientInfo", {{"name", "toolwire-conformance"}, {"version", TOOLWIRE_VERSION}}}};
}

JsonObject initialize_params(std::string_view version) { return initialize_with(Json(version)); }

Answer initialize(Session& session, std::string_view version) {
  return session.request("initialize", initialize_params(version));
}

bool lifecycle_serves(const Probe& probe, std::string_view version) {
  auto offer = probe.target().offers.find(version);
  return offer != probe.target().offers.end() && offer->second.served;
}

std::string newest_served(const Probe& probe) {
  std::string newest;
  for (const Revision& revision : revisions) {
    if (!revision.modern && lifecycle_serves(probe, revision.name)) newest = revision.name;
  }
  return newest;
}

void result_shape(Probe& probe) {
  const Json& result = probe.offer().opening;
  const std::string got = to_json_text(result).substr(0, 500);
  probe.expect(get(result, "protocolVersion").is_string(), "protocolVersion, a string", got);
  probe.expect(get(result, "capabilities").is_object(), "capabilities, an object", got);
  probe.expect(get(result, "serverInfo", "name").is_string() && get(result, "serverInfo", "version").is_string(),
               "serverInfo with the strings name and version", got);
}

void echo_supported_version(Probe& probe) {
  Session& session = probe.fresh();
  const Answer answer = initialize(session, probe.revision().name);
  probe.expect_result(answer, "initialize");
  probe.expect(text_of(get(answer.result, "protocolVersion")) == probe.revision().name,
               "protocolVersion " + std::string(probe.revision().name),
               to_json_text(get(answer.result, "protocolVersion")));
}

/// The version offered instead of an unknown one; empty if the request is refused.
std::string counter_offer(Probe& probe, std::string_view version) {
  Session& session = probe.fresh();
  const Answer answer = initialize(session, version);
  probe.expect_answer(answer, "initialize with the protocolVersion \"" + std::string(version) + "\"");
  return std::string(text_of(get(answer.result, "protocolVersion")));
}

void unknown_version_counteroffer(Probe& probe) {
  for (std::string_view version : {"1999-01-01", "2999-12-31", "not-a-date", ""}) {
    const std::string offered = counter_offer(probe, version);
    const std::string expected = "another version that the server supports, for \"" + std::string(version) + "\"";
    if (offered.empty()) probe.warn(expected, "an error (an example of the specification has one)");
    probe.expect(offered != version && find_revision(offered) != nullptr, expected, "\"" + offered + "\"");
  }
}

void counteroffer_is_latest(Probe& probe) {
  const std::string offered = counter_offer(probe, "2999-12-31");
  if (offered.empty()) probe.skip("the server refuses unknown versions with an error");
  probe.expect(offered == newest_served(probe), newest_served(probe), offered);
}

void counteroffer_honoured(Probe& probe) {
  const std::string offered = counter_offer(probe, "2999-12-31");
  if (offered.empty()) probe.skip("the server refuses unknown versions with an error");
  Session& session = probe.fresh();
  const Answer answer = initialize(session, offered);
  probe.expect_result(answer, "initialize with the version offered before");
  probe.expect(text_of(get(answer.result, "protocolVersion")) == offered, offered,
               to_json_text(answer.result).substr(0, 300));
  session.notify("notifications/initialized");
  probe.expect_alive(session);
}

/// What came of a request before the handshake. Nobody need answer it, so the wait ends soon after a ping was served,
/// or after two seconds once the process has answered anything; before, it may still be starting.
Answer early_request(Session& session, std::string_view method, JsonObject params) {
  const bool started = session.mark() > 0;
  const Json id = session.send_request(method, std::move(params));
  const Json marker = session.send_request("ping");
  const auto answered = [&](const Message& it) { return it.id() == id || it.id() == marker; };
  session.wait_for(session.mark(), answered, started ? 2s : session.options().timeout);
  return session.await(id, 500ms);
}

void malformed_params(Probe& probe) {
  JsonObject no_client = initialize_params(probe.revision().name);
  no_client.erase("clientInfo");
  JsonObject null_capabilities = initialize_params(probe.revision().name);
  null_capabilities["capabilities"] = nullptr;
  const JsonObject wrong[] = {{}, initialize_with(5), null_capabilities, no_client};
  std::string served;
  for (const JsonObject& params : wrong) {
    Session& session = probe.fresh();  // each a process of its own: a server may refuse to be initialized twice
    const Answer answer = early_request(session, "initialize", params);
    if (answer.kind == Answer::Kind::ended) probe.broken("an error", answer.text());
    if (!answer.is_error() && answer.kind != Answer::Kind::refused) {
      if (served.empty()) served = to_json_text(params) + " got " + answer.text();
      continue;
    }
    if (!initialize(session, probe.revision().name).ok())
      probe.broken("a correct initialize that works after " + to_json_text(params) + " was refused", "none");
  }
  probe.expect(served.empty(), "an error to each malformed initialize", served);
}

void capabilities_object(Probe& probe) {
  const Json& capabilities = get(probe.offer().opening, "capabilities");
  for (const auto& [name, value] : probe.offer().capabilities) {
    probe.expect(value.is_object(), "an object for each capability", to_json_text(capabilities).substr(0, 500));
    for (std::string_view flag : {"listChanged", "subscribe"}) {
      const Json* stated = value.get_object().if_contains(flag);
      if (stated != nullptr)
        probe.expect(stated->is_bool(), "booleans for listChanged and subscribe",
                     to_json_text(capabilities).substr(0, 500));
    }
  }
}

/// A method that a capability, or a member of it, promises. It may refuse these params, but it has to be there.
struct Declared {
  std::string_view capability, member, method, params;
};

constexpr Declared declared_methods[] = {
    {"completions", "", "completion/complete",
     R"({"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"y","value":""}})"},
    {"resources", "subscribe", "resources/subscribe", R"({"uri":"conformance://nothing"})"},
    {"resources", "subscribe", "resources/unsubscribe", R"({"uri":"conformance://nothing"})"},
    {"tasks", "list", "tasks/list", "{}"},
    {"tasks", "cancel", "tasks/cancel", R"({"taskId":"conformance-nothing"})"}};

bool is_declared(const Probe& probe, const Declared& method) {
  if (!probe.offer().has(method.capability)) return false;
  if (method.member.empty()) return true;
  const Json& member = get(probe.offer().capabilities.at(method.capability), method.member);
  return member.is_object() || member == Json(true);
}

void capabilities_match_behaviour(Probe& probe) {
  Session& session = probe.session();
  struct Feature {
    std::string_view capability, method, member;
  };
  for (const Feature& it :
       {Feature{"tools", "tools/list", "tools"}, Feature{"resources", "resources/list", "resources"},
        Feature{"prompts", "prompts/list", "prompts"}}) {
    const Answer answer = session.request(it.method);
    if (probe.offer().has(it.capability)) {
      probe.expect_result(answer, std::string(it.method) + ", which is declared,");
      continue;
    }
    const JsonArray* items = get(answer.result, it.member).if_array();
    probe.expect(!answer.ok() || items == nullptr || items->empty(),
                 "nothing from " + std::string(it.method) + ", which is not declared",
                 to_json_text(answer.result).substr(0, 300));
  }
  if (probe.offer().has("logging"))
    probe.expect_result(session.request("logging/setLevel", {{"level", "emergency"}}),
                        "logging/setLevel, which is declared,");
  for (const Declared& it : declared_methods) {
    if (!is_declared(probe, it)) continue;
    const Answer answer = session.request(it.method, parse_json(it.params).get_object());
    probe.expect(answer.code() != -32601, std::string(it.method) + ", which is declared", answer.text());
  }
}

void lifecycle_instructions_string(Probe& probe) {
  const Json& instructions = get(probe.offer().opening, "instructions");
  const bool stated = probe.offer().opening.as_object().contains("instructions");
  probe.expect(!stated || instructions.is_string(), "a string, or no member", to_json_text(instructions));
}

void accepts_initialized(Probe& probe) {
  Session& session = probe.fresh();
  if (!initialize(session, probe.revision().name).ok()) probe.skip("initialize fails");
  const std::size_t before = session.mark();
  session.notify("notifications/initialized");
  session.notify("notifications/initialized", {{"_meta", JsonObject{}}});
  const Answer next = probe.expect_alive(session);
  for (std::size_t i = before; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    probe.expect(message.kind != Message::Kind::response || message.id() == next.message.id(),
                 "no answer to notifications/initialized", message.text.substr(0, 300));
  }
}

void first_requests_gated(Probe& probe) {
  Session& session = probe.fresh();
  const Json early = session.send_request("tools/list");
  const Answer opening = initialize(session, probe.revision().name);
  if (!opening.ok()) probe.broken("an initialize that works after an early request", opening.text());
  // The client should not ask so early, but nothing forbids the server to answer.
  if (session.await(early, 300ms).ok()) probe.info("tools/list is served before initialize");
}

void ping_before_init(Probe& probe) {
  Session& session = probe.fresh();
  const Json ping = session.send_request("ping");
  const Answer opening = initialize(session, probe.revision().name);
  if (!opening.ok()) probe.broken("an initialize that works after a ping", opening.text());
  const Answer answer = session.await(ping, probe.timeout(2s));
  probe.expect(answer.ok(), "an answer to a ping before initialize", answer.text());
}

void quiet_before_initialized(Probe& probe) {
  Session& session = probe.fresh({.capabilities = all_capabilities(probe.revision())});
  session.respond_with(nullptr);
  JsonObject params = initialize_params(probe.revision().name);
  params["capabilities"] = session.options().capabilities;
  probe.expect_result(session.request("initialize", params), "initialize");
  session.listen_for(300ms);
  for (const Message& message : session.messages()) {
    if (message.kind == Message::Kind::request && message.method() != "ping")
      probe.fail("no request but ping before notifications/initialized", message.text.substr(0, 300));
  }
}

void only_negotiated_capabilities(Probe& probe) {
  Session& session = probe.opened();
  std::size_t called = 0;
  for (std::string_view kind :
       with_those_that_ask_nothing({"tool:needs-sampling", "tool:needs-elicitation", "tool:needs-roots"})) {
    if (!probe.find(kind)) continue;
    ++called;
    const Callable tool = probe.need_tool(kind);
    const Answer answer = session.request("tools/call", tool.params());
    for (const Message& message : session.messages()) {
      if (message.kind == Message::Kind::request && message.method() != "ping")
        probe.fail("no request of a kind the client has not declared", message.text.substr(0, 300));
    }
    probe.expect_answer(answer, "tools/call of " + tool.name);
  }
  if (called == 0) probe.skip("the server has no tool that asks the client, and no other whose kind is known");
}

void repeat_initialize(Probe& probe) {
  Session& session = probe.opened();
  const Answer again = initialize(session, probe.revision().name);
  if (again.kind == Answer::Kind::ended) probe.broken("an error or the same answer", again.text());
  probe.expect(again.is_error() || text_of(get(again.result, "protocolVersion")) == probe.revision().name,
               "an error, or the version negotiated before", again.text());
  probe.expect_alive(session);
}

void unknown_client_capabilities(Probe& probe) {
  Session& session = probe.fresh();
  JsonObject params = initialize_params(probe.revision().name);
  params["capabilities"] = JsonObject{{"experimental", {{"x", JsonObject{}}}},
                                      {"future", {{"a", true}}},
                                      {"extensions", {{"com.example/x", JsonObject{}}}}};
  probe.expect_result(session.request("initialize", params), "initialize with unknown capabilities");
}

void version_error_mentions_supported(Probe& probe) {
  Session& session = probe.fresh();
  const Answer answer = initialize(session, "1999-01-01");
  if (!answer.is_error()) probe.info("the server offers another version");
  // The text only shows such an error; that there is one at all is judged by init-unknown-version-counteroffer.
  if (answer.code() != -32602 || !get(answer.result, "data", "supported").is_array())
    probe.warn("error -32602 with data.supported", to_json_text(answer.result).substr(0, 300));
}

}  // namespace

std::span<const Check> lifecycle_legacy_checks() {
  static constexpr Check checks[] = {
      {"init-result-shape", result_shape},
      {"init-echo-supported-version", echo_supported_version},
      {"init-unknown-version-counteroffer", unknown_version_counteroffer},
      {"init-counteroffer-is-latest", counteroffer_is_latest},
      {"init-counteroffer-honoured", counteroffer_honoured},
      {"init-malformed-params", malformed_params},
      {"init-capabilities-object", capabilities_object},
      {"init-capabilities-match-behaviour", capabilities_match_behaviour},
      {"init-instructions-string", lifecycle_instructions_string},
      {"init-accepts-initialized", accepts_initialized},
      {"init-first-requests-gated", first_requests_gated},
      {"init-ping-before-init", ping_before_init},
      {"init-server-quiet-before-initialized", quiet_before_initialized},
      {"init-only-negotiated-capabilities", only_negotiated_capabilities},
      {"init-repeat-initialize", repeat_initialize},
      {"init-unknown-client-capabilities", unknown_client_capabilities},
      {"init-version-error-mentions-supported", version_error_mentions_supported},
  };
  return checks;
}

}  // namespace toolwire::conformance
