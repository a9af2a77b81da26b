// notifications/cancelled (basic/utilities/cancellation; 2026-07-28 basic/patterns/cancellation).
#include <algorithm>
#include <utility>
#include <vector>

#include "checks/groups.hpp"
#include "checks/open_world.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

void cancel_with_reason(Session& session, const Json& id) {
  session.notify("notifications/cancelled", {{"requestId", id}, {"reason", "a check"}});
}

/// No response may have come since `before` but that of the request sent here, behind which what was to be silent is
/// done with. Notifications have causes of their own.
void expect_silence(Probe& probe, Session& session, std::size_t before, const std::string& after_what) {
  const Answer next = session.probe();
  if (!next.ok()) probe.broken("a server that goes on answering after " + after_what, next.text());
  for (std::size_t i = before; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    const bool is_response = message.kind == Message::Kind::response && message.id() != next.message.id();
    if (is_response || message.kind == Message::Kind::foreign)
      probe.fail("no response to " + after_what, message.text.substr(0, 300));
  }
}

Json start_call(Session& session, const JsonObject& params, const std::string& name) {
  if (name.empty()) return session.send_request("tools/call", params);
  Json id(name);
  session.send_request_with_id(id, "tools/call", params);
  return id;
}

/// A call of one second, cancelled while it runs; on a machine so busy that it may have ended before, another one. Its
/// id is a number of the session's, or begins with `name`.
Json cancelled_call(Session& session, const JsonObject& params, const std::string& name = "") {
  for (int attempt = 0;; ++attempt) {
    const auto begin = Clock::now();
    Json id = start_call(session, params, name.empty() ? "" : name + std::to_string(attempt));
    session.listen_for(100ms);
    cancel_with_reason(session, id);
    if (Clock::now() - begin < 500ms || attempt == 4) return id;
  }
}

void no_response(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 1);
  Session& session = probe.session();
  probe.compares_times();
  const Json ids[] = {cancelled_call(session, slow.params()), cancelled_call(session, slow.params(), "cancelled-")};
  auto time = 1500ms;  // of both, which run beside each other
  for (const Json& id : ids) {
    const Answer answer = session.await(id, std::exchange(time, 200ms));
    if (answer.kind == Answer::Kind::ended) probe.broken("a server that goes on", answer.text());
    probe.expect(answer.is_missing(), "no response to the cancelled request " + to_json_text(id), answer.text());
  }
}

/// Whether it is part of a call with the token "cancelled-progress"; a log message belongs to a request in the modern
/// era only.
bool is_of_the_call(const Probe& probe, const Message& message) {
  return get(message.json, "params", "progressToken") == Json("cancelled-progress") ||
         (probe.modern() && message.method() == "notifications/message");
}

/// The first notification of such a call among the messages `from` to `until`.
const Message* first_of_the_call(const Probe& probe, const Session& session, std::size_t from, std::size_t until) {
  for (std::size_t i = from; i < until; ++i) {
    if (is_of_the_call(probe, session.messages()[i])) return &session.messages()[i];
  }
  return nullptr;
}

JsonObject talkative_params(JsonObject params) {
  params["_meta"] = JsonObject{{"progressToken", "cancelled-progress"}, {"io.modelcontextprotocol/logLevel", "debug"}};
  return params;
}

/// What a call says within 50 ms of its cancellation, if it was silent until then.
const Message* first_word_after(const Probe& probe, Session& session, const JsonObject& params,
                                std::chrono::milliseconds delay) {
  const std::size_t begin = session.mark();
  const Json id = session.send_request("tools/call", params);
  session.listen_for(delay);
  const std::size_t cancelled = session.mark();
  cancel_with_reason(session, id);
  session.listen_for(50ms);
  if (first_of_the_call(probe, session, begin, cancelled) != nullptr) return nullptr;
  return first_of_the_call(probe, session, cancelled, session.mark());
}

/// What comes within 50 ms of the cancellation may have been on its way; but not each time, whenever it is cancelled.
void expect_no_last_word(Probe& probe, Session& session, const JsonObject& params) {
  const Message* last = nullptr;
  for (const auto delay : {100ms, 170ms}) {
    last = first_word_after(probe, session, params, delay);
    if (last == nullptr) return;
  }
  probe.fail("nothing more for a cancelled request, which said nothing before", last->text.substr(0, 300));
}

void no_further_messages(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 1);
  Session& session = probe.session();
  const JsonObject params = talkative_params(slow.params());
  probe.compares_times();
  const Json id = cancelled_call(session, params);
  session.listen_for(50ms);
  const std::size_t after = session.mark();
  session.listen_for(1300ms);
  for (std::size_t i = after; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (message.kind == Message::Kind::response && message.id() == id)
      probe.warn("nothing more for a cancelled request", "a late response");
  }
  const Message* late = first_of_the_call(probe, session, after, session.mark());
  if (late != nullptr) probe.fail("nothing more for a cancelled request", late->text.substr(0, 300));
  expect_no_last_word(probe, session, params);
}

std::string observed(Probe& probe, Session& session, const Json& observer) {
  const Answer answer = session.request("tools/call", {{"name", get(observer, "name")}, {"arguments", JsonObject{}}});
  probe.expect_result(answer, "tools/call of the observing tool");
  return to_json_text(get(answer.result, "content"));
}

void stops_work(Probe& probe) {
  const Fixture fixture = probe.need("tool:slow-observable");
  const Callable slow = probe.need_tool("tool:slow-observable", "SECONDS", 3);
  Session& session = probe.opened();
  probe.compares_times();
  const Json id = session.send_request("tools/call", slow.params());
  session.listen_for(150ms);
  cancel_with_reason(session, id);
  session.listen_for(300ms);
  const std::string then = observed(probe, session, get(fixture.entry, "observer"));
  session.listen_for(400ms);
  probe.expect(observed(probe, session, get(fixture.entry, "observer")) == then,
               "work that has stopped after the cancellation", "work that goes on");
}

void unknown_id_ignored(Probe& probe) {
  Session& session = probe.opened();
  const std::size_t before = session.mark();
  cancel_with_reason(session, 999'999);
  cancel_with_reason(session, "nope");
  expect_silence(probe, session, before, "a cancellation of something unknown");
}

/// From 2026-07-28 on the id of a request that was answered may be that of another (basic, requests): the late
/// cancellation is not for it.
void completed_ignored(Probe& probe) {
  Session& session = probe.opened();
  const Json id = session.send_request(harmless(probe));
  probe.expect_result(session.await(id), std::string(harmless(probe)));
  const std::size_t before = session.mark();
  cancel_with_reason(session, id);
  expect_silence(probe, session, before, "a cancellation of something done");
  if (!probe.modern()) return;
  const std::size_t again = session.mark();
  session.send_request_with_id(id, harmless(probe));
  const auto is_response = [&](const Message& it) { return it.kind == Message::Kind::response && it.id() == id; };
  probe.expect(session.wait_for(again, is_response, probe.timeout()) != nullptr,
               "a response to the next request of that id, which nobody has cancelled", "none");
}

void malformed_ignored(Probe& probe) {
  Session& session = probe.opened();
  const std::size_t before = session.mark();
  session.send_line(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  for (std::string_view params :
       {"{}", R"({"requestId":null})", R"({"requestId":{}})", R"({"requestId":true})", "[]"}) {
    session.send_line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)" + std::string(params) + "}");
  }
  expect_silence(probe, session, before, "malformed cancellations");
}

/// 200 calls, each cancelled a little later than the one before.
void race_graceful(Probe& probe) {
  const bool has_tool = has_text_tool_for_many(probe);
  const JsonObject params = has_tool ? probe.need_tool("tool:text").params() : JsonObject{};
  Session& session = probe.opened();
  std::vector<Json> ids;
  for (int i = 0; i < 200; ++i) {
    ids.push_back(session.send_request(has_tool ? "tools/call" : harmless(probe), params));
    if (i % 4 != 0) session.listen_for(std::chrono::milliseconds(i % 4 - 1));
    cancel_with_reason(session, ids.back());
  }
  probe.expect_alive(session);
  for (const Json& id : ids) {
    const auto count = std::count_if(session.messages().begin(), session.messages().end(), [&](const Message& it) {
      return it.kind == Message::Kind::response && it.id() == id;
    });
    if (count > 1)
      probe.broken("at most one response to each request", std::to_string(count) + " to " + to_json_text(id));
  }
}

void id_type_exact(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 0.5);
  Session& session = probe.opened();
  session.send_request_with_id(7007, "tools/call", slow.params());
  session.listen_for(100ms);
  cancel_with_reason(session, "7007");
  const Answer answer = session.await(7007, probe.timeout(3s));
  probe.expect(answer.ok(), "a result: only \"7007\" was cancelled, not 7007", answer.text());
}

void only_target(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 0.5);
  Session& session = probe.opened();
  const Json first = session.send_request("tools/call", slow.params());
  const Json second = session.send_request("tools/call", slow.params());
  const Json third = session.send_request("tools/call", slow.params());
  session.listen_for(100ms);
  cancel_with_reason(session, second);
  for (const Json& id : {first, third}) {
    const Answer answer = session.await(id, probe.timeout(4s));
    probe.expect(answer.ok(), "results of the calls beside the cancelled one", answer.text());
  }
}

/// Clients must not do it; a server that takes it for a cancellation must still be of use to the next attempt.
void initialize_ignored(Probe& probe) {
  Session& session = probe.fresh();
  const Json id = session.start_opening();
  cancel_with_reason(session, id);
  const Json ping = session.send_request("ping");
  session.wait_for(
      0, [&](const Message& it) { return it.id() == id || it.id() == ping; }, session.options().timeout);
  Answer answer = session.await(id, 1s);
  const bool dropped = answer.is_missing();
  if (dropped) answer = session.open();
  probe.expect(answer.ok(), "a session, be it at the next initialize", answer.text());
  if (!dropped) session.finish_opening(answer);
  probe.expect_alive(session);
  if (dropped) probe.info("initialize is dropped when it is cancelled; the next one is answered");
}

void id_reuse_after(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 0.5);
  Session& session = probe.opened();
  session.send_request_with_id("reused", "tools/call", slow.params());
  session.listen_for(100ms);
  cancel_with_reason(session, "reused");
  session.listen_for(600ms);
  if (!session.await("reused", 0ms).is_missing()) probe.skip("the cancelled call was answered");
  session.send_request_with_id("reused", harmless(probe));
  probe.expect(session.await("reused").ok(), "a result of a request with the id of a cancelled one", "none");
}

/// The parent of the open question is cancelled; the answer that comes then is too late.
void parent_cancels_child(Probe& probe) {
  const Callable tool = probe.find("tool:needs-elicitation") ? probe.need_tool("tool:needs-elicitation")
                                                             : probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  session.respond_with(nullptr);
  const std::size_t before = session.mark();
  const Json id = session.send_request("tools/call", tool.params());
  const Message* question = session.wait_for(
      before, [](const Message& it) { return it.kind == Message::Kind::request; }, probe.timeout());
  if (question == nullptr) probe.skip("the tool asks nothing");
  const Json asked = question->id().value();
  cancel_with_reason(session, id);
  session.listen_for(100ms);
  const std::size_t after = session.mark();
  session.answer_request(asked, JsonObject{{"action", "cancel"}});
  probe.expect_alive(session);
  for (std::size_t i = after; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    probe.expect(message.kind != Message::Kind::request || message.method() == "ping",
                 "no further question of a call that was cancelled", message.text.substr(0, 300));
  }
}

void legacy_own_requests(Probe& probe) {
  const Callable tool = probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  session.respond_with(nullptr);
  const std::size_t before = session.mark();
  const Json id = session.send_request("tools/call", tool.params());
  if (session.wait_for(
          before, [](const Message& it) { return it.kind == Message::Kind::request; }, probe.timeout()) == nullptr)
    probe.skip("the tool asks nothing");
  cancel_with_reason(session, id);
  session.listen_for(200ms);
  std::vector<Json> own;
  for (std::size_t i = before; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (message.kind == Message::Kind::request) own.push_back(*message.id());
    if (message.method() != "notifications/cancelled") continue;
    probe.expect(std::find(own.begin(), own.end(), get(message.json, "params", "requestId")) != own.end(),
                 "cancellations of the server's own requests only", message.text.substr(0, 300));
  }
}

}  // namespace

std::span<const Check> cancellation_checks() {
  static constexpr Check checks[] = {
      {"cancel-no-response", no_response},
      {"cancel-stdio-no-further-messages", no_further_messages},
      {"cancel-stops-work", stops_work},
      {"cancel-unknown-id-ignored", unknown_id_ignored},
      {"cancel-completed-ignored", completed_ignored},
      {"cancel-malformed-ignored", malformed_ignored},
      {"cancel-race-graceful", race_graceful},
      {"cancel-id-type-exact", id_type_exact},
      {"cancel-only-target", only_target},
      {"cancel-initialize-ignored", initialize_ignored},
      {"cancel-id-reuse-after", id_reuse_after},
      {"cancel-parent-cancels-child", parent_cancels_child},
      {"cancel-server-legacy-own-requests", legacy_own_requests},
  };
  return checks;
}

}  // namespace toolwire::conformance
