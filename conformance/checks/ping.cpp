// ping (legacy revisions: basic/utilities/ping).
#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

void ping_is_empty(Probe& probe, const Answer& answer) {
  probe.expect_result(answer, "ping");
  JsonObject members = answer.result.is_object() ? answer.result.get_object() : JsonObject{{"", nullptr}};
  members.erase("_meta");
  probe.expect(members.empty(), "the empty result {}", to_json_text(answer.result));
}

void empty_result(Probe& probe) {
  ping_is_empty(probe, probe.session().request("ping"));
  ping_is_empty(probe, probe.session().request("ping", {{"_meta", JsonObject{{"example.com/key", "value"}}}}));
}

std::chrono::milliseconds time_of_ping(Probe& probe, Session& session) {
  const auto begin = Clock::now();
  ping_is_empty(probe, session.request("ping"));
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
}

/// A second more than with nothing else to do.
void prompt(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 3);
  Session& session = probe.session();
  probe.compares_times();
  const auto alone = time_of_ping(probe, session);
  const Json call = session.send_request("tools/call", slow.params());
  const auto beside = time_of_ping(probe, session);
  session.notify("notifications/cancelled", {{"requestId", call}});
  const auto limit = 1s + alone;
  probe.expect(beside < limit, "an answer within " + std::to_string(limit.count()) + " ms while a call is running",
               std::to_string(beside.count()) + " ms");
}

void string_id(Probe& probe) {
  Session& session = probe.session();
  const Json id = session.send_request_with_id("123", "ping");
  ping_is_empty(probe, session.await(id));
}

/// Servers need not ping; one that does gets no answer and must keep working.
void server_issued(Probe& probe) {
  Session& session = probe.opened(all_capabilities(probe.revision()));
  session.respond_with(nullptr);
  const Message* ping = session.wait_for(
      0, [](const Message& it) { return it.kind == Message::Kind::request && it.method() == "ping"; }, 300ms);
  if (ping == nullptr) probe.info("the server sends no ping of its own");
  const Json id = ping->id().value();
  probe.expect(id.is_string() || id.is_int64() || id.is_uint64(), "a ping with a string or integer id",
               to_json_text(id));
  probe.expect_alive(session);
}

}  // namespace

std::span<const Check> ping_checks() {
  static constexpr Check checks[] = {
      {"ping-empty-result", empty_result},
      {"ping-prompt", prompt},
      {"ping-string-id", string_id},
      {"ping-server-issued", server_issued},
  };
  return checks;
}

}  // namespace toolwire::conformance
