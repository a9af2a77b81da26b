// How subscriptions end, and what they do not hold up.
#include <algorithm>
#include <string>
#include <vector>

#include <toolwire/error.hpp>

#include "checks/subscriptions.hpp"

namespace toolwire::conformance {
namespace {

using namespace subscribing;
using namespace std::chrono_literals;

void cancel_subscription(Session& session, const Json& id) {
  session.notify("notifications/cancelled", {{"requestId", id}});
}

void cancel_stops(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  const Json id = listen(probe, session);
  cancel_subscription(session, id);
  session.listen_for(100ms);
  const std::size_t after = session.mark();
  mutate(probe, session);
  session.listen_for(200ms);
  const auto late = tagged(session, id, after);
  if (!late.empty()) probe.fail("nothing after the cancellation", late.front().text.substr(0, 300));
  const Answer answer = session.await(id, 0ms);
  if (answer.ok() || answer.is_error()) probe.warn("no response to a cancelled subscription", answer.text());
}

void cancel_one_of_many(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  const Json first = listen(probe, session);
  const Json second = listen(probe, session);
  cancel_subscription(session, first);
  session.listen_for(100ms);
  const std::size_t before = session.mark();
  mutate(probe, session);
  wait_for_tagged(probe, session, second, before);
  probe.expect(!tagged(session, second, before).empty(), "a notification for the other subscription", "none");
}

void no_early_response(Probe& probe) {
  Session& session = probe.opened();
  const Json id = listen(probe, session);
  const Answer answer = session.await(id, 300ms);
  probe.expect(answer.kind == Answer::Kind::silence, "no response while the subscription is open", answer.text());
}

void does_not_block(Probe& probe) {
  Session& session = probe.opened();
  listen(probe, session);
  probe.expect_result(session.request("server/discover"), "a request beside an open subscription");
}

/// Either way of ending it is in the text: a result, or notifications/cancelled.
bool ended_properly(Session& session, const Json& id) {
  return std::any_of(session.messages().begin(), session.messages().end(), [&](const Message& it) {
    const bool cancelled = it.method() == "notifications/cancelled" && get(it.json, "params", "requestId") == id;
    return cancelled || (it.kind == Message::Kind::response && it.id() == id);
  });
}

/// At the end of its input the server need not say that a subscription ends; if it does, then properly.
void graceful_close(Probe& probe) {
  Session& session = probe.opened();
  const Json id = listen(probe, session);
  session.end(5s);
  session.listen_for(50ms);
  if (!ended_properly(session, id)) probe.info("the subscription ends with the output");
  const Answer answer = session.await(id, 0ms);
  if (answer.kind != Answer::Kind::result && answer.kind != Answer::Kind::error) return;  // cancelled
  probe.expect(answer.ok() && text_of(get(answer.result, "resultType")) == "complete" &&
                   get(answer.result, "_meta", "io.modelcontextprotocol/subscriptionId") == id,
               "a complete result with the id of the subscription in _meta", answer.message.text.substr(0, 300));
}

void teardown_cancelled(Probe& probe) {
  const Callable tool = probe.need_tool("tool:closes-subscription");
  Session& session = probe.opened();
  const Json id = listen(probe, session);
  probe.expect_result(session.request("tools/call", tool.params()), "tools/call of " + tool.name);
  session.wait_for(
      0, [&](const Message&) { return ended_properly(session, id); }, probe.timeout());
  probe.expect(ended_properly(session, id), "a result of the subscription, or its cancellation", "neither");
}

void missing_filter(Probe& probe) {
  Session& session = probe.opened();
  for (const JsonObject& params : {JsonObject{}, JsonObject{{"notifications", 5}}}) {
    const std::size_t before = session.mark();
    const Answer answer = session.request("subscriptions/listen", params);
    if (answer.code() == error_code::method_not_found) probe.skip("the server has no subscriptions");
    if (const Message* ack =
            session.wait_for_notification(before, acknowledged, 0ms))  // of nothing, for all that is known
      probe.warn("error -32602 to subscriptions/listen with " + to_json_text(params), ack->text.substr(0, 300));
    probe.expect_error(answer, {error_code::invalid_params}, "subscriptions/listen with " + to_json_text(params));
  }
}

void empty_filter(Probe& probe) {
  Session& session = probe.opened();
  const Json id = session.send_request("subscriptions/listen", filter_of({}));
  const Message& ack = acknowledgement(probe, session, id);
  probe.expect(ack.method() == acknowledged, "an acknowledgement of nothing", ack.text.substr(0, 300));
}

void resource_updated(Probe& probe) {
  const Fixture fixture = probe.need("resource:subscribable");
  probe.need_tool("tool:touches-resource");
  Session& session = probe.opened();
  const Json id = listen(probe, session, {{"resourceSubscriptions", JsonArray{fixture.name}}});
  const std::size_t before = session.mark();
  mutate(probe, session, "tool:touches-resource");
  wait_for_tagged(probe, session, id, before);
  const auto updates = tagged(session, id, before);
  probe.expect(!updates.empty() && text_of(get(updates.front().json, "params", "uri")) == fixture.name,
               "notifications/resources/updated with the URI " + fixture.name,
               updates.empty() ? "nothing" : updates.front().text.substr(0, 300));
}

void resource_not_watched(Probe& probe) {
  probe.need_tool("tool:touches-resource");
  Session& session = probe.opened();
  const Json id = listen(probe, session, {{"resourceSubscriptions", JsonArray{"conformance://another"}}});
  mutate(probe, session, "tool:touches-resource");
  session.listen_for(200ms);
  const auto updates = tagged(session, id);
  if (!updates.empty()) probe.fail("no update of a resource nobody watches", updates.front().text.substr(0, 300));
}

void unsupported_method(Probe& probe) {
  Session& session = probe.opened();
  const Json id = session.send_request("subscriptions/listen", filter_of(every_change));
  const Message* message = session.wait_for(
      0, [&](const Message& it) { return subscription_of(it) == id || it.id() == id; }, probe.timeout());
  probe.expect(message != nullptr, "an acknowledgement, or error -32601", "nothing");
}

void not_resumed(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& first = probe.opened();
  const Json id = listen(probe, first);
  first.end(2s);
  Session& second = probe.opened();
  mutate(probe, second);
  probe.expect_alive(second);
  const Message* late = second.wait_for(
      0, [](const Message& it) { return it.kind == Message::Kind::notification; }, 0ms);
  probe.expect(late == nullptr || (subscription_of(*late) != id && !late->method().ends_with("/list_changed")),
               "silence where no subscription was made", late == nullptr ? "" : late->text.substr(0, 300));
}

}  // namespace

std::span<const Check> subscriptions_end_checks() {
  static constexpr Check checks[] = {
      {"sub-cancel-stops", cancel_stops},
      {"sub-cancel-one-of-many", cancel_one_of_many},
      {"sub-no-early-response", no_early_response},
      {"sub-does-not-block", does_not_block},
      {"sub-graceful-close", graceful_close},
      {"sub-teardown-cancelled", teardown_cancelled},
      {"sub-missing-filter", missing_filter},
      {"sub-empty-filter", empty_filter},
      {"sub-resource-updated", resource_updated},
      {"sub-resource-not-watched", resource_not_watched},
      {"sub-unsupported-method", unsupported_method},
      {"sub-not-resumed", not_resumed},
  };
  return checks;
}

}  // namespace toolwire::conformance
