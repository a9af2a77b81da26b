// The server's own requests in the legacy revisions: answers of every kind.
#include <algorithm>
#include <vector>

#include "checks/legacy_server_requests.hpp"

namespace toolwire::conformance {
namespace {

using namespace server_requests;
using namespace std::chrono_literals;

/// An empty list, an error and two folders are all answers.
void legacy_roots_flow(Probe& probe) {
  ask(probe, "tool:needs-roots", everything(probe));
  ask(probe, "tool:needs-roots", everything(probe), [](const std::string&, const Json&) -> std::optional<Json> {
    return JsonObject{{"roots", JsonArray{}}};
  });
  refuse(probe, "tool:needs-roots", -32601, "There are no roots");
}

void roots_list_changed(Probe& probe) {
  Session& session = probe.opened(everything(probe));
  const std::size_t before = session.mark();
  session.notify("notifications/roots/list_changed");
  const Answer next = probe.expect_alive(session);
  for (std::size_t i = before; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    probe.expect(message.kind != Message::Kind::response || message.id() == next.message.id(),
                 "no response to notifications/roots/list_changed", message.text.substr(0, 300));
  }
}

void late_or_no_answer(Probe& probe) {
  const Callable tool = probe.find("tool:needs-elicitation") && probe.since("2025-06-18")
                            ? probe.need_tool("tool:needs-elicitation")
                            : probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(everything(probe));
  session.respond_with(nullptr);
  const Json call = session.send_request("tools/call", tool.params());
  if (session.wait_for(0, is_request, probe.timeout()) == nullptr) probe.skip("the tool asks nothing");
  probe.expect_alive(session);
  session.notify("notifications/cancelled", {{"requestId", call}});
  probe.expect_alive(session);
}

Json reply_of_model(const std::string& text) {
  return JsonObject{{"role", "assistant"},
                    {"content", {{"type", "text"}, {"text", text}}},
                    {"model", "m"},
                    {"stopReason", "endTurn"}};
}

std::vector<Json> wait_for_requests(Probe& probe, Session& session, std::size_t from, std::size_t count) {
  session.wait_for(
      from,
      [&](const Message&) {
        return static_cast<std::size_t>(
                   std::count_if(session.messages().begin(), session.messages().end(), is_request)) >= count;
      },
      probe.timeout());
  std::vector<Json> ids;
  for (const Message& message : session.messages()) {
    if (is_request(message)) ids.push_back(*message.id());
  }
  if (ids.size() < count) probe.skip("the tool asks nothing");
  return ids;
}

void answers_in_reverse(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(everything(probe));
  session.respond_with(nullptr);
  std::vector<Json> calls;
  std::vector<Json> asked;
  for (std::size_t i = 0; i < 3; ++i) {
    calls.push_back(session.send_request("tools/call", tool.params()));
    asked = wait_for_requests(probe, session, 0, i + 1);
  }
  for (std::size_t i = 3; i-- > 0;) session.answer_request(asked[i], reply_of_model("content-" + std::to_string(i)));
  for (std::size_t i = 0; i < 3; ++i) {
    const Answer answer = session.await(calls[i]);
    probe.expect_result(answer, "one of three calls whose questions were answered in reverse");
    probe.expect(to_json_text(answer.result).find("content-" + std::to_string(i)) != std::string::npos,
                 "the answer to its own question, content-" + std::to_string(i), shown(answer.result));
  }
}

/// An id of a question that no request of ours has had.
std::optional<Json> foreign_id(const Session& session, const std::vector<Json>& asked) {
  for (const Json& id : asked) {
    if (!session.sent_ids().contains(to_json_text(id))) return id;
  }
  return std::nullopt;
}

Json name_of_call(std::size_t number) { return Json("call-" + std::to_string(number)); }

/// Each side counts its own: a request with the id of an open question is no answer to it.
void ids_of_both_sides(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(everything(probe));
  session.respond_with(nullptr);
  for (std::size_t i = 0; i < 3; ++i) {
    session.send_request_with_id(name_of_call(i), "tools/call", tool.params());
    wait_for_requests(probe, session, 0, i + 1);
  }
  const auto asked = wait_for_requests(probe, session, 0, 3);
  if (const auto id = foreign_id(session, asked)) {
    session.send_request_with_id(*id, "ping");
    const Answer ping = session.await(*id);
    probe.expect(ping.ok(),
                 "a result of a ping whose id, " + to_json_text(*id) + ", a question of the server has as well",
                 ping.text());
  }
  for (std::size_t i = 0; i < 3; ++i) session.answer_request(asked[i], reply_of_model("content-" + std::to_string(i)));
  for (std::size_t i = 0; i < 3; ++i)
    probe.expect_result(session.await(name_of_call(i)), "a call whose question was answered");
}

void response_matching(Probe& probe) {
  answers_in_reverse(probe);
  ids_of_both_sides(probe);
}

void id_type_echo(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(everything(probe));
  session.respond_with(nullptr);
  const Json call = session.send_request("tools/call", tool.params());
  const Json asked = wait_for_requests(probe, session, 0, 1).front();
  const Json wrong = asked.is_string() ? Json(12345) : Json(to_json_text(asked));
  session.answer_request(wrong, reply_of_model("of the wrong id"));
  probe.expect_alive(session);
  session.answer_request(asked, reply_of_model("of the right id"));
  const Answer answer = session.await(call);
  probe.expect_result(answer, "a call whose question was answered");
  if (to_json_text(answer.result).find("of the wrong id") != std::string::npos)
    probe.info("the server takes the id " + to_json_text(wrong) + " for " + to_json_text(asked));
}

void malformed_answer(Probe& probe) {
  for (const Json& result : {Json(JsonObject{}), Json(5)}) {
    const Callable tool = probe.need_tool("tool:needs-sampling");
    Session& session = probe.opened(everything(probe));
    session.respond_with([&](const std::string&, const Json&) -> std::optional<Json> { return result; });
    const std::size_t before = session.mark();
    const Json call = session.send_request("tools/call", tool.params());
    if (session.wait_for(before, is_request, probe.timeout()) == nullptr) probe.skip("the tool asks nothing");
    const std::string what = "a call whose question got the answer " + to_json_text(result);
    const Answer answer = probe.expect_reply(session, call, what, probe.timeout());
    probe.expect(answer.is_error() || get(answer.result, "isError") == Json(true), "an error of " + what,
                 shown(answer.result));
  }
}

}  // namespace

std::span<const Check> legacy_server_requests_flow_checks() {
  static constexpr Check checks[] = {
      {"lsr-roots-flow", legacy_roots_flow},        {"lsr-roots-list-changed", roots_list_changed},
      {"lsr-late-or-no-answer", late_or_no_answer}, {"lsr-response-matching", response_matching},
      {"lsr-id-type-echo", id_type_echo},           {"lsr-malformed-answer", malformed_answer},
  };
  return checks;
}

}  // namespace toolwire::conformance
