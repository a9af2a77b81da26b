// subscriptions/listen (2026-07-28 basic/patterns/subscriptions).
#include <algorithm>
#include <string>
#include <vector>

#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr int invalid_params = -32602;
constexpr int method_not_found = -32601;
constexpr std::string_view acknowledged = "notifications/subscriptions/acknowledged";

JsonObject filter_of(JsonObject filter) { return {{"notifications", std::move(filter)}}; }
const JsonObject everything{{"toolsListChanged", true}, {"promptsListChanged", true}, {"resourcesListChanged", true}};

const Json& subscription_of(const Message& message) {
  return get(message.json, "params", "_meta", "io.modelcontextprotocol/subscriptionId");
}

/// Skips if the server has nothing to subscribe to.
const Message& acknowledgement(Probe& probe, Session& session, const Json& id) {
  const Message* message = session.wait_for(
      0,
      [&](const Message& it) {
        return subscription_of(it) == id || (it.kind == Message::Kind::response && it.id() == id);
      },
      2s);
  if (message == nullptr) probe.fail("an acknowledgement of the subscription", "nothing");
  if (message->error_code() == method_not_found) probe.skip("the server has no subscriptions");
  return *message;
}

Json listen(Probe& probe, Session& session, JsonObject filter = everything) {
  const Json id = session.send_request("subscriptions/listen", filter_of(std::move(filter)));
  acknowledgement(probe, session, id);
  return id;
}

void mutate(Probe& probe, Session& session, std::string_view kind = "tool:mutates-tool-list") {
  const Callable tool = probe.need_tool(kind);
  probe.expect_result(session.request("tools/call", tool.params()), "tools/call of " + tool.name);
}

/// Notifications of the subscription `id` since `from`, without the acknowledgement.
std::vector<Message> tagged(Session& session, const Json& id, std::size_t from = 0) {
  std::vector<Message> all;
  for (std::size_t i = from; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (subscription_of(message) == id && message.method() != acknowledged) all.push_back(message);
  }
  return all;
}

void wait_for_tagged(Session& session, const Json& id, std::size_t from) {
  session.wait_for(
      from, [&](const Message& it) { return subscription_of(it) == id && it.method() != acknowledged; }, 2s);
}

void expect_ack_first(Probe& probe, Session& session, const Json& id) {
  for (const Message& message : session.messages()) {
    if (subscription_of(message) != id) continue;
    return probe.expect(message.method() == acknowledged, std::string(acknowledged) + " before anything else",
                        message.text.substr(0, 300));
  }
}

void ack_first(Probe& probe) {
  Session& session = probe.opened();
  const Json id = session.send_request("subscriptions/listen", filter_of(everything));
  if (probe.find("tool:mutates-tool-list"))
    session.send_request("tools/call", probe.need_tool("tool:mutates-tool-list").params());
  acknowledgement(probe, session, id);
  expect_ack_first(probe, session, id);
}

void ack_shape(Probe& probe) {
  Session& session = probe.opened();
  const Json id = session.send_request("subscriptions/listen", filter_of(everything));
  const Message& ack = acknowledgement(probe, session, id);
  probe.expect(ack.method() == acknowledged, std::string(acknowledged), ack.text.substr(0, 300));
  probe.expect(get(ack.json, "params", "notifications").is_object(), "params.notifications, an object",
               ack.text.substr(0, 300));
}

void id_equals_request_id(Probe& probe) {
  Session& session = probe.opened();
  for (const Json& id : {Json(7), Json("7"), Json("0b57e1ac-uuid")}) {
    session.send_request_with_id(id, "subscriptions/listen", filter_of(everything));
    const Message& ack = acknowledgement(probe, session, id);
    probe.expect(subscription_of(ack) == id && subscription_of(ack).kind() == id.kind(), "the id " + to_json_text(id),
                 ack.text.substr(0, 300));
  }
}

void ack_subset(Probe& probe) {
  Session& session = probe.opened();
  JsonObject all = everything;
  all["conformanceUnknown"] = true;
  const Json id = session.send_request("subscriptions/listen", filter_of(all));
  const Message& ack = acknowledgement(probe, session, id);
  const Json& honoured = get(ack.json, "params", "notifications");
  const std::pair<std::string_view, std::string_view> kinds[] = {
      {"toolsListChanged", "tools"}, {"promptsListChanged", "prompts"}, {"resourcesListChanged", "resources"}};
  for (const auto& [member, capability] : kinds) {
    if (get(honoured, member) == Json(true))
      probe.expect(probe.offer().has(capability), "only what the server has", ack.text.substr(0, 300));
  }
  probe.expect(get(honoured, "conformanceUnknown").is_null(), "only what there is", ack.text.substr(0, 300));
}

void only_requested(Probe& probe) {
  probe.need_tool("tool:mutates-prompt-list");
  Session& session = probe.opened();
  const Json id = listen(probe, session, {{"toolsListChanged", true}});
  mutate(probe, session, "tool:mutates-prompt-list");
  session.listen_for(200ms);
  const auto others = tagged(session, id);
  if (!others.empty()) probe.fail("only changes of the tools", others.front().text.substr(0, 300));
}

void none_without_listen(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  const std::size_t before = session.mark();
  mutate(probe, session);
  const Message* message = session.wait_for(
      before, [](const Message& it) { return it.method().ends_with("/list_changed"); }, 200ms);
  probe.expect(message == nullptr, "nothing without a subscription",
               message != nullptr ? message->text.substr(0, 300) : "");
}

void all_tagged(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  const Json id = listen(probe, session);
  const std::size_t before = session.mark();
  mutate(probe, session);
  wait_for_tagged(session, id, before);
  for (const Message& message : session.messages()) {
    if (message.method().ends_with("/list_changed"))
      probe.expect(!subscription_of(message).is_null(), "the id of a subscription", message.text.substr(0, 300));
  }
}

void no_tag_on_request_scoped(Probe& probe) {
  const Callable tool = probe.need_tool("tool:progress");
  Session& session = probe.opened();
  listen(probe, session);
  JsonObject params = tool.params();
  params["_meta"] = JsonObject{{"progressToken", "scoped"}};
  probe.expect_result(session.request("tools/call", params), "tools/call of " + tool.name);
  for (const Message& message : session.messages()) {
    if (message.method() == "notifications/progress")
      probe.expect(subscription_of(message).is_null(), "no id of a subscription", message.text.substr(0, 300));
  }
}

void multiple(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  const Json first = listen(probe, session, {{"toolsListChanged", true}});
  const Json second = listen(probe, session);
  const std::size_t before = session.mark();
  mutate(probe, session);
  for (const Json& id : {first, second}) {
    wait_for_tagged(session, id, before);
    probe.expect(!tagged(session, id, before).empty(), "a notification for each subscription",
                 "none for " + to_json_text(id));
  }
}

void per_id_order(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  std::vector<Json> ids;
  for (int i = 0; i < 20; ++i) {
    ids.push_back(session.send_request("subscriptions/listen", filter_of(everything)));
    if (i % 5 == 0) session.send_request("tools/call", probe.need_tool("tool:mutates-tool-list").params());
  }
  for (const Json& id : ids) {
    acknowledgement(probe, session, id);
    expect_ack_first(probe, session, id);
  }
}

void cancel(Session& session, const Json& id) { session.notify("notifications/cancelled", {{"requestId", id}}); }

void cancel_stops(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  const Json id = listen(probe, session);
  cancel(session, id);
  session.listen_for(100ms);
  const std::size_t after = session.mark();
  mutate(probe, session);
  session.listen_for(200ms);
  const auto late = tagged(session, id, after);
  if (!late.empty()) probe.fail("nothing after the cancellation", late.front().text.substr(0, 300));
}

void cancel_one_of_many(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  const Json first = listen(probe, session);
  const Json second = listen(probe, session);
  cancel(session, first);
  session.listen_for(100ms);
  const std::size_t before = session.mark();
  mutate(probe, session);
  wait_for_tagged(session, second, before);
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
  probe.expect_result(session.request("server/discover", {}, 2s), "a request beside an open subscription");
}

/// Either way of ending it is in the text: a result, or notifications/cancelled.
bool ended_properly(Session& session, const Json& id) {
  return std::any_of(session.messages().begin(), session.messages().end(), [&](const Message& it) {
    const bool cancelled = it.method() == "notifications/cancelled" && get(it.json, "params", "requestId") == id;
    return cancelled || (it.kind == Message::Kind::response && it.id() == id);
  });
}

void graceful_close(Probe& probe) {
  Session& session = probe.opened();
  const Json id = listen(probe, session);
  session.end(5s);
  session.listen_for(50ms);
  if (!ended_properly(session, id))
    probe.warn("a result of the subscription, or its cancellation, before the end", "neither");
}

void teardown_cancelled(Probe& probe) {
  const Callable tool = probe.need_tool("tool:closes-subscription");
  Session& session = probe.opened();
  const Json id = listen(probe, session);
  probe.expect_result(session.request("tools/call", tool.params()), "tools/call of " + tool.name);
  session.listen_for(200ms);
  probe.expect(ended_properly(session, id), "a result of the subscription, or its cancellation", "neither");
}

void missing_filter(Probe& probe) {
  Session& session = probe.opened();
  for (const JsonObject& params : {JsonObject{}, JsonObject{{"notifications", 5}}}) {
    const Answer answer = session.request("subscriptions/listen", params, 2s);
    if (answer.code() == method_not_found) probe.skip("the server has no subscriptions");
    probe.expect_error(answer, {invalid_params}, "subscriptions/listen with " + to_json_text(params));
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
  wait_for_tagged(session, id, before);
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
  const Json id = session.send_request("subscriptions/listen", filter_of(everything));
  const Message* message = session.wait_for(
      0, [&](const Message& it) { return subscription_of(it) == id || it.id() == id; }, 2s);
  probe.expect(message != nullptr, "an acknowledgement, or error -32601", "nothing");
}

}  // namespace

std::span<const Check> subscriptions_checks() {
  static constexpr Check checks[] = {
      {"sub-ack-first", ack_first},
      {"sub-ack-shape", ack_shape},
      {"sub-id-equals-request-id", id_equals_request_id},
      {"sub-ack-subset", ack_subset},
      {"sub-only-requested", only_requested},
      {"sub-none-without-listen", none_without_listen},
      {"sub-all-tagged", all_tagged},
      {"sub-no-tag-on-request-scoped", no_tag_on_request_scoped},
      {"sub-multiple", multiple},
      {"sub-per-id-order", per_id_order},
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
  };
  return checks;
}

}  // namespace toolwire::conformance
