// Messages in the wrong order, and hostile values in known places.
#include <string>
#include <vector>

#include "checks/groups.hpp"
#include "checks/robustness.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

void expect_error_or_alive(Probe& probe, Session& session, std::string_view method, JsonObject params,
                           const std::string& what) {
  const Answer answer = session.request(method, std::move(params), probe.timeout(5s));
  if (answer.kind == Answer::Kind::ended || answer.kind == Answer::Kind::silence)
    probe.broken("an error to " + what, answer.text());
  const bool refused = answer.is_error() || get(answer.result, "isError") == Json(true);
  probe.expect(refused, "an error to " + what, to_json_text(answer.result).substr(0, 300));
}

void init_storm(Probe& probe) {
  Session& session = probe.fresh();
  session.notify("notifications/initialized");
  session.send_request("tools/list");
  session.notify("notifications/initialized");
  const Answer first = session.open();
  if (first.kind == Answer::Kind::ended || first.kind == Answer::Kind::silence)
    probe.broken("an answer to initialize after messages in the wrong order", first.text());
  session.open();
  probe.expect_alive(session);
}

void modern_on_legacy(Probe& probe) {
  auto modern = probe.target().offers.find("2026-07-28");
  if (modern != probe.target().offers.end() && modern->second.served)
    probe.skip("the server serves the modern revision, too");
  Session& session = probe.opened();
  const JsonObject meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                        {"io.modelcontextprotocol/clientCapabilities", JsonObject{}}};
  const std::string_view method = probe.offer().has("tools") ? "tools/list" : "ping";
  probe.expect_result(session.request(method, {{"_meta", meta}}), "a request with metadata of the modern revision");
}

void extra_params(Probe& probe) {
  Session& session = probe.session();
  probe.expect_result(session.request(harmless(probe), {{"x", 1}}), "a request with an unknown param");
  for (std::string_view method : {"tools/list", "resources/list", "prompts/list"}) {
    if (probe.offer().has(method.substr(0, method.find('/'))))
      probe.expect_result(session.request(method, {{"x", 1}}), std::string(method) + " with an unknown param");
  }
}

void future_capabilities(Probe& probe) {
  Session& session = probe.fresh({.capabilities = {{"sampling", true}, {"future", nullptr}}});
  const Answer answer = session.open();
  probe.expect_answer(answer, "capabilities of unknown shapes");
  probe.expect(answer.ok() || answer.code() == -32602, "a result, or error -32602", answer.text());
}

void client_info_variants(Probe& probe) {
  for (const std::string& name : {std::string(), std::string(10'000, 'n'), std::string("na\u00efve \U0001F600")}) {
    Session& session = probe.fresh({.client_name = name});
    probe.expect_result(session.open(), "a client whose name is \"" + name.substr(0, 20) + "\"");
  }
}

void tool_name_attacks(Probe& probe) {
  probe.need_capability("tools");
  Session& session = probe.opened();
  for (const std::string& name : {std::string(), std::string("../x"), std::string(10'000, 't'), std::string("a\0b", 3),
                                  std::string("\U0001F600"), std::string("constructor")})
    expect_error_or_alive(probe, session, "tools/call", {{"name", name}, {"arguments", JsonObject{}}},
                          "tools/call of " + to_json_text(Json(name.substr(0, 30))));
}

void uri_attacks(Probe& probe) {
  probe.need_capability("resources");
  Session& session = probe.opened();
  for (const std::string& uri :
       {"file:///" + std::string(65'536, 'u'), std::string("test://%zz"), std::string("http://[::1"),
        std::string("data:text/plain,x"), std::string("javascript:alert(1)"), std::string("file://host/share/x"),
        std::string("\\\\host\\share")})
    expect_error_or_alive(probe, session, "resources/read", {{"uri", uri}}, "resources/read of " + uri.substr(0, 40));
}

/// For each template a URI that nearly matches it: 100 kB instead of its first variable.
void template_redos(Probe& probe) {
  constexpr std::size_t most = 8;
  const JsonArray& templates = probe.offer().templates;
  if (templates.empty()) probe.skip("the server lists no template");
  Session& session = probe.opened();
  for (std::size_t i = 0; i < std::min(templates.size(), most); ++i) {
    const std::string_view text = text_of(get(templates[i], "uriTemplate"));
    const std::string uri = std::string(text.substr(0, text.find('{'))) + std::string(100'000, 'a') + "!";
    const Effort effort(session);
    probe.expect_answer(session.request("resources/read", {{"uri", uri}}), "a URI of 100 kB");
    effort.expect_small(probe);
  }
}

/// A listed tool with a pattern, and a long string for it.
void regex_redos(Probe& probe) {
  for (const Json& tool : probe.offer().tools) {
    const JsonObject* properties = get(tool, "inputSchema", "properties").if_object();
    if (properties == nullptr || !probe.target().may_call(text_of(get(tool, "name")))) continue;
    for (const auto& [name, property] : *properties) {
      if (!get(property, "pattern").is_string()) continue;
      const Effort effort(probe.session());
      const JsonObject arguments{{name, std::string(100'000, 'a') + "!"}};
      const Answer answer =
          probe.session().request("tools/call", {{"name", get(tool, "name")}, {"arguments", arguments}});
      probe.expect_answer(answer, "a text of 100 kB for a pattern");
      return effort.expect_small(probe);
    }
  }
  probe.skip("no tool that may be called has a pattern");
}

void completion_burst(Probe& probe) {
  const Fixture fixture = probe.need("completion:prompt");
  Session& session = probe.opened();
  std::vector<Json> ids;
  for (int i = 0; i < 200; ++i) {
    const JsonObject argument{{"name", get(fixture.entry, "argument")},
                              {"value", std::string(static_cast<std::size_t>(i % 10), 'a')}};
    ids.push_back(
        session.send_request("completion/complete", {{"ref", get(fixture.entry, "ref")}, {"argument", argument}}));
  }
  for (const Json& id : ids) probe.expect_result(session.await(id), "one of 200 completions");
}

void listen_many(Probe& probe) {
  Session& session = probe.opened();
  const JsonObject filter{{"notifications", {{"toolsListChanged", true}}}};
  const std::size_t before = session.mark();
  const auto ids = session.send_requests(1'000, "subscriptions/listen", filter);
  std::size_t told = 0;
  const auto all_told = [&](const Message& it) {
    const bool is_one = it.method() == "notifications/subscriptions/acknowledged" || it.is_error();
    return (told += is_one ? 1 : 0) >= ids.size();
  };
  const bool came = session.wait_for(before, all_told, probe.timeout()) != nullptr;
  probe.expect_alive(session);
  probe.expect(came, "an acknowledgement of each of 1000 subscriptions, or an error",
               std::to_string(told) + " of them");
  for (const Json& id : ids) session.notify("notifications/cancelled", {{"requestId", id}});
  probe.expect_alive(session);
}

void listen_duplicate_id(Probe& probe) {
  Session& session = probe.opened();
  const std::string line =
      session.request_text("one-id", "subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  session.send_line(line);
  session.send_line(line);
  probe.expect_alive(session);
}

void version_type_confusion(Probe& probe) {
  Session& session = probe.opened();
  for (const Json& version :
       {Json(JsonArray{"2026-07-28"}), Json(JsonObject{}), Json(""), Json(std::string(100'000, 'v'))}) {
    const Answer answer =
        session.request(harmless(probe), {{"_meta", {{"io.modelcontextprotocol/protocolVersion", version}}}});
    probe.expect_error(answer, {-32602, -32022}, "the version " + to_json_text(version).substr(0, 40));
  }
}

void state_attacks(Probe& probe) {
  const Callable tool = probe.need_tool("tool:mrtr-state");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  for (const std::string& state : {std::string(10 << 20, 'A'), std::string("not base64 !!"), std::string(10'000, '['),
                                   std::string("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.")}) {
    JsonObject params = tool.params();
    params["requestState"] = state;
    params["inputResponses"] = JsonObject{};
    const Effort effort(session);
    const Answer answer = session.request("tools/call", params);
    probe.expect_answer(answer, "a made-up state");
    probe.expect(text_of(get(answer.result, "resultType")) != "complete" || get(answer.result, "isError") == Json(true),
                 "an error, or the question once more", to_json_text(answer.result).substr(0, 300));
    effort.expect_small(probe);
  }
}

void answer_attacks(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-elicitation");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  session.respond_with([](const std::string& method, const Json& params) -> std::optional<Json> {
    if (method != "elicitation/create") return default_response(method, params);
    return JsonObject{{"action", "accept"},
                      {"content", {{"__proto__", {{"polluted", true}}}, {"long", std::string(1 << 20, 'x')}}},
                      {"unknown", JsonArray{1, 2}}};
  });
  probe.expect_answer(session.request_with_inputs("tools/call", tool.params()), "a hostile answer");
  probe.expect_alive(session);
}

}  // namespace

std::span<const Check> robustness_protocol_checks() {
  static constexpr Check checks[] = {
      {"rb-legacy-init-storm", init_storm},
      {"rb-modern-on-legacy", modern_on_legacy},
      {"rb-extra-params-all-methods", extra_params},
      {"rb-future-capabilities", future_capabilities},
      {"rb-clientinfo-variants", client_info_variants},
      {"rb-tool-name-attacks", tool_name_attacks},
      {"rb-uri-attacks", uri_attacks},
      {"rb-template-redos", template_redos},
      {"rb-regex-redos", regex_redos},
      {"rb-completion-burst", completion_burst},
      {"rb-listen-many", listen_many},
      {"rb-listen-duplicate-id", listen_duplicate_id},
      {"rb-version-type-confusion", version_type_confusion},
      {"rb-mrtr-state-attacks", state_attacks},
      {"rb-elicitation-answer-attacks", answer_attacks},
  };
  return checks;
}

}  // namespace toolwire::conformance
