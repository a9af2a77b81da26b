// notifications/message (server/utilities/logging): legacy logging/setLevel, modern level per request.
#include <algorithm>
#include <array>

#include <toolwire/error.hpp>

#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::array levels{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

/// How severe a level is; the number of levels for none of them.
std::size_t severity(std::string_view level) {
  return static_cast<std::size_t>(std::find(levels.begin(), levels.end(), level) - levels.begin());
}

/// One that logs although that is not declared is the finding log-capability-declared, and no other.
Callable logging_tool(const Probe& probe) {
  probe.need_capability("logging");
  return probe.find("tool:logging-all-levels") ? probe.need_tool("tool:logging-all-levels")
                                               : probe.need_tool("tool:logging");
}

std::vector<Message> logs_since(Session& session, std::size_t from) {
  std::vector<Message> logs;
  for (std::size_t i = from; i < session.mark(); ++i) {
    if (session.messages()[i].method() == "notifications/message") logs.push_back(session.messages()[i]);
  }
  return logs;
}

/// What one call logs; in the modern era at `level`, if it is not empty.
std::vector<Message> logs_of_call(Probe& probe, Session& session, std::string_view level = {}) {
  const Callable tool = logging_tool(probe);
  JsonObject params = tool.params();
  if (probe.modern() && !level.empty()) params["_meta"] = JsonObject{{"io.modelcontextprotocol/logLevel", level}};
  const std::size_t before = session.mark();
  probe.expect_result(session.request("tools/call", params), "tools/call of " + tool.name);
  return logs_since(session, before);
}

void set_level(Probe& probe, Session& session, std::string_view level) {
  probe.expect_result(session.request("logging/setLevel", {{"level", level}}),
                      "logging/setLevel " + std::string(level));
}

void expect_at_least(Probe& probe, const std::vector<Message>& logs, std::string_view level) {
  for (const Message& log : logs)
    probe.expect(severity(text_of(get(log.json, "params", "level"))) >= severity(level),
                 "no message below " + std::string(level), log.text.substr(0, 300));
}

void logging_message_shape(Probe& probe) {
  logging_tool(probe);
  Session& session = probe.opened();
  if (!probe.modern()) set_level(probe, session, "debug");
  const auto logs = logs_of_call(probe, session, "debug");
  if (logs.empty()) probe.skip("the tool logs nothing");
  for (const Message& log : logs) {
    const JsonObject& params = log.member("params").as_object();
    const Json* logger = params.if_contains("logger");
    probe.expect(severity(text_of(get(log.json, "params", "level"))) < levels.size(), "one of the eight levels",
                 log.text.substr(0, 300));
    probe.expect(params.contains("data"), "a member \"data\"", log.text.substr(0, 300));
    probe.expect(logger == nullptr || logger->is_string(), "logger, a string or none", log.text.substr(0, 300));
  }
}

void setlevel_empty_result(Probe& probe) {
  probe.need_capability("logging");
  Session& session = probe.opened();
  for (const char* level : levels) {
    const Answer answer = session.request("logging/setLevel", {{"level", level}});
    probe.expect_result(answer, std::string("logging/setLevel ") + level);
    JsonObject rest = answer.result.is_object() ? answer.result.get_object() : JsonObject{{"", nullptr}};
    rest.erase("_meta");
    probe.expect(rest.empty(), "the empty result {}", to_json_text(answer.result).substr(0, 300));
  }
}

void setlevel_invalid(Probe& probe) {
  probe.need_capability("logging");
  Session& session = probe.opened();
  for (const JsonObject& params :
       {JsonObject{{"level", "verbose"}}, JsonObject{{"level", "INFO"}}, JsonObject{{"level", 3}}, JsonObject{}})
    probe.expect_error(session.request("logging/setLevel", params), {error_code::invalid_params},
                       "logging/setLevel with " + to_json_text(params));
}

void threshold_respected(Probe& probe) {
  logging_tool(probe);
  Session& session = probe.opened();
  set_level(probe, session, "error");
  expect_at_least(probe, logs_of_call(probe, session), "error");
}

void level_can_be_lowered(Probe& probe) {
  logging_tool(probe);
  Session& session = probe.opened();
  set_level(probe, session, "emergency");
  const auto few = logs_of_call(probe, session).size();
  set_level(probe, session, "debug");
  probe.expect(logs_of_call(probe, session).size() > few, "more messages at debug than at emergency", "not more");
}

/// A tool that logs is called besides: if it does, that is the finding log-capability-declared.
void undeclared_setlevel(Probe& probe) {
  if (probe.offer().has("logging")) probe.skip("the server declares logging");
  const auto answer = probe.session().request("logging/setLevel", {{"level", "info"}});
  if (probe.find("tool:logging")) probe.session().request("tools/call", probe.need_tool("tool:logging").params());
  probe.expect_error(answer, {error_code::method_not_found}, "logging/setLevel, which is not declared,");
}

void modern_opt_in(Probe& probe) {
  logging_tool(probe);
  Session& session = probe.opened();
  const auto logs = logs_of_call(probe, session);
  if (!logs.empty()) probe.fail("no message for a request without a level", logs.front().text.substr(0, 300));
}

void modern_threshold(Probe& probe) {
  logging_tool(probe);
  Session& session = probe.opened();
  expect_at_least(probe, logs_of_call(probe, session, "warning"), "warning");
}

void modern_before_response(Probe& probe) {
  logging_tool(probe);
  Session& session = probe.opened();
  const std::size_t before = session.mark();
  logs_of_call(probe, session, "debug");
  session.listen_for(300ms);
  // A message may come with the response, in one piece.
  const auto& messages = session.messages();
  const auto response = std::find_if(messages.begin() + static_cast<std::ptrdiff_t>(before), messages.end(),
                                     [](const Message& it) { return it.kind == Message::Kind::response; });
  const auto late = logs_since(session, static_cast<std::size_t>(response - messages.begin()));
  if (!late.empty()) probe.fail("no message after the response", late.front().text.substr(0, 300));
}

void modern_not_sticky(Probe& probe) {
  logging_tool(probe);
  Session& session = probe.opened();
  logs_of_call(probe, session, "debug");
  session.listen_for(300ms);  // what comes late belongs to the first request
  const auto logs = logs_of_call(probe, session);
  if (!logs.empty())
    probe.fail("no message for the next request, which has no level", logs.front().text.substr(0, 300));
}

void modern_no_subscription_id(Probe& probe) {
  logging_tool(probe);
  Session& session = probe.opened();
  session.send_request("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  session.wait_for_notification(0, "notifications/subscriptions/acknowledged", probe.timeout(2s));
  for (const Message& log : logs_of_call(probe, session, "debug"))
    probe.expect(get(log.json, "params", "_meta", "io.modelcontextprotocol/subscriptionId").is_null(),
                 "no id of a subscription", log.text.substr(0, 300));
}

void modern_invalid_level(Probe& probe) {
  probe.need_capability("logging");
  Session& session = probe.opened();
  for (const Json& level : {Json("verbose"), Json(3)}) {
    const Answer answer =
        session.request("server/discover", {{"_meta", {{"io.modelcontextprotocol/logLevel", level}}}});
    probe.expect_error(answer, {error_code::invalid_params}, "a request with the level " + to_json_text(level));
  }
}

/// A secret is planted in the environment and looked for in all the server says.
void no_secrets(Probe& probe) {
  const std::string canary = "CANARY-7f3a91c2";
  Launch launch = probe.target().launch;
  for (const char* name : {"API_KEY", "SECRET_TOKEN", "DATABASE_PASSWORD"}) launch.environment[name] = canary;
  Session& session = probe.opened(all_capabilities(probe.revision()), launch);
  session.request("tools/call", {{"name", "conformance-no-such-tool"}});
  session.request("conformance/does-not-exist");
  if (probe.find("tool:throws")) session.request("tools/call", probe.need_tool("tool:throws").params());
  if (probe.offer().has("logging") && !probe.modern()) session.request("logging/setLevel", {{"level", "debug"}});
  probe.expect_alive(session);
  if (session.process().output().find(canary) != std::string::npos)
    probe.fail("no secret of the environment on standard output", "it is there");
  if (session.process().errors().find(canary) != std::string::npos)
    probe.warn("no secret of the environment on standard error", "it is there");
}

/// A tool that logs although that is not declared is called besides, as in undeclared_setlevel.
void logging_rate(Probe& probe) {
  if (probe.modern() && !probe.offer().has("logging") && probe.find("tool:logging")) {
    JsonObject params = probe.need_tool("tool:logging").params();
    params["_meta"] = JsonObject{{"io.modelcontextprotocol/logLevel", "debug"}};
    probe.opened().request("tools/call", params);
  }
  logging_tool(probe);
  Session& session = probe.opened();
  if (!probe.modern()) set_level(probe, session, "debug");
  const auto logs = logs_of_call(probe, session, "debug");
  probe.info(std::to_string(logs.size()) + " messages in one call");
}

}  // namespace

std::span<const Check> logging_checks() {
  static constexpr Check checks[] = {
      {"log-message-shape", logging_message_shape},
      {"log-setlevel-empty-result", setlevel_empty_result},
      {"log-setlevel-invalid", setlevel_invalid},
      {"log-threshold-respected", threshold_respected},
      {"log-level-can-be-lowered", level_can_be_lowered},
      {"log-undeclared-setlevel", undeclared_setlevel},
      {"log-modern-opt-in", modern_opt_in},
      {"log-modern-threshold", modern_threshold},
      {"log-modern-before-response", modern_before_response},
      {"log-modern-not-sticky", modern_not_sticky},
      {"log-modern-no-subscription-id", modern_no_subscription_id},
      {"log-modern-invalid-level", modern_invalid_level},
      {"log-no-secrets", no_secrets},
      {"log-rate", logging_rate},
  };
  return checks;
}

}  // namespace toolwire::conformance
