// notifications/progress (basic/utilities/progress; 2026-07-28 basic/patterns/progress).
#include <algorithm>
#include <cmath>
#include <vector>

#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view progress_method = "notifications/progress";

JsonObject with_token(JsonObject params, const Json& token) {
  params["_meta"] = JsonObject{{"progressToken", token}};
  return params;
}

/// All reports since `from`.
std::vector<Message> reports_since(Session& session, std::size_t from) {
  std::vector<Message> reports;
  for (std::size_t i = from; i < session.mark(); ++i) {
    if (session.messages()[i].method() == progress_method) reports.push_back(session.messages()[i]);
  }
  return reports;
}

const Json& token_of(const Message& report) { return get(report.json, "params", "progressToken"); }
const Json& progress_of(const Message& report) { return get(report.json, "params", "progress"); }

/// Calls the fixture with a token and returns its reports; skips if it makes none.
std::vector<Message> reports_of_call(Probe& probe, const Json& token) {
  const Callable tool = probe.need_tool("tool:progress");
  Session& session = probe.session();
  const std::size_t before = session.mark();
  probe.expect_result(session.request("tools/call", with_token(tool.params(), token)), "tools/call of " + tool.name);
  auto reports = reports_since(session, before);
  if (reports.empty()) probe.fail("notifications/progress with the token " + to_json_text(token), "none");
  return reports;
}

void token_echo(Probe& probe) {
  for (const Json& token : {Json("abc"), Json(17), Json("17"), Json(0), Json("")}) {
    for (const Message& report : reports_of_call(probe, token))
      probe.expect(token_of(report) == token && token_of(report).kind() == token.kind(),
                   "the token " + to_json_text(token), report.text.substr(0, 300));
  }
}

/// Behind a call that has one: its token is not that of the next.
void only_with_token(Probe& probe) {
  const Callable tool = probe.need_tool("tool:progress");
  Session& session = probe.session();
  probe.expect_result(session.request("tools/call", with_token(tool.params(), "of the call before")),
                      "tools/call of " + tool.name);
  session.listen_for(300ms);  // what comes late belongs to it
  const std::size_t before = session.mark();
  probe.expect_result(session.request("tools/call", tool.params()), "tools/call of " + tool.name);
  const auto reports = reports_since(session, before);
  if (!reports.empty()) probe.fail("no progress without a token", reports.front().text.substr(0, 300));
}

void expect_increasing(Probe& probe, const std::vector<Message>& reports) {
  double last = -HUGE_VAL;
  for (const Message& report : reports) {
    const double now = progress_of(report).is_number() ? progress_of(report).to_number<double>() : last;
    probe.expect(now > last, "progress that rises with each notification", report.text.substr(0, 300));
    last = now;
  }
}

void increases(Probe& probe) { expect_increasing(probe, reports_of_call(probe, "rising")); }

void stops_after_response(Probe& probe) {
  reports_of_call(probe, "until-response");
  Session& session = probe.session();
  const std::size_t after = session.mark();
  session.listen_for(300ms);
  for (const Message& report : reports_since(session, after)) {
    probe.expect(token_of(report) != Json("until-response"), "no progress after the response",
                 report.text.substr(0, 300));
  }
}

void progress_shape(Probe& probe) {
  for (const Message& report : reports_of_call(probe, "shape")) {
    const JsonObject& params = report.member("params").as_object();
    const Json* total = params.if_contains("total");
    const Json* message = params.if_contains("message");
    probe.expect(progress_of(report).is_number(), "progress, a number", report.text.substr(0, 300));
    probe.expect(total == nullptr || total->is_number(), "total, a number or none", report.text.substr(0, 300));
    probe.expect(message == nullptr || (message->is_string() && probe.since("2025-03-26")),
                 probe.since("2025-03-26") ? "message, a string or none" : "no message, which came with 2025-03-26",
                 report.text.substr(0, 300));
  }
}

void message_human(Probe& probe) {
  for (const Message& report : reports_of_call(probe, "message")) {
    const Json* message = report.member("params").as_object().if_contains("message");
    probe.expect(message == nullptr || !text_of(*message).empty(), "a message that says something, or none",
                 report.text.substr(0, 300));
  }
}

void concurrent_tokens(Probe& probe) {
  const Callable tool = probe.need_tool("tool:progress");
  Session& session = probe.session();
  const std::size_t before = session.mark();
  std::vector<Json> calls;
  calls.reserve(3);
  for (int i = 0; i < 3; ++i) calls.push_back(session.send_request("tools/call", with_token(tool.params(), 8100 + i)));
  for (const Json& call : calls) probe.expect_result(session.await(call), "concurrent calls with progress");
  std::size_t reported = 0;
  for (int i = 0; i < 3; ++i) {
    std::vector<Message> own;
    for (const Message& report : reports_since(session, before)) {
      if (token_of(report) == Json(8100 + i)) own.push_back(report);
    }
    reported += own.empty() ? 0U : 1U;
    expect_increasing(probe, own);
  }
  // How often it tells is up to the server, which has to limit it.
  if (reported < 2) probe.skip("fewer than two of three calls at once tell of their progress");
}

void invalid_token(Probe& probe) {
  const Callable tool = probe.any_tool();
  Session& session = probe.opened();
  const auto begin = Clock::now();
  probe.expect_answer(session.request("tools/call", tool.params()), "tools/call of " + tool.name);
  // As long as a call takes, and more: one with such a token may take longer.
  const auto grace = 1s + 3 * std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  for (const Json& token : {Json(nullptr), Json(JsonObject{}), Json(true)}) {
    const Json id = session.send_request("tools/call", with_token(tool.params(), token));
    const Answer answer = probe.expect_reply(session, id, "a call with the token " + to_json_text(token), grace);
    probe.expect(answer.ok() || answer.code() == -32602, "a result, or error -32602", answer.text());
  }
}

void progress_rate(Probe& probe) {
  probe.compares_times();
  const auto reports = reports_of_call(probe, "rate");
  const auto span = std::chrono::duration<double>(reports.back().at - reports.front().at).count();
  const double per_second = static_cast<double>(reports.size()) / std::max(span, 0.1);
  probe.expect(per_second <= 110, "at most about 100 notifications a second",
               std::to_string(static_cast<int>(per_second)) + " a second");
}

void not_on_failure(Probe& probe) {
  Session& session = probe.session();
  const std::size_t before = session.mark();
  session.request("tools/call",
                  with_token({{"name", "conformance-no-such-tool"}, {"arguments", JsonObject{}}}, "failing"));
  session.listen_for(50ms);
  const auto reports = reports_since(session, before);
  if (!reports.empty()) probe.fail("an error and no progress", reports.front().text.substr(0, 300));
}

}  // namespace

std::span<const Check> progress_checks() {
  static constexpr Check checks[] = {
      {"progress-token-echo", token_echo},
      {"progress-only-with-token", only_with_token},
      {"progress-increases", increases},
      {"progress-stops-after-response", stops_after_response},
      {"progress-shape", progress_shape},
      {"progress-message-human", message_human},
      {"progress-concurrent-tokens", concurrent_tokens},
      {"progress-invalid-token", invalid_token},
      {"progress-rate", progress_rate},
      {"progress-not-on-unknown-method-error", not_on_failure},
  };
  return checks;
}

}  // namespace toolwire::conformance
