// subscriptions/listen (2026-07-28 basic/patterns/subscriptions).
#include <algorithm>
#include <string>
#include <vector>

#include "checks/groups.hpp"
#include "checks/subscriptions.hpp"

namespace toolwire::conformance {
namespace {

using namespace subscribing;
using namespace std::chrono_literals;

void expect_ack_first(Probe& probe, Session& session, const Json& id) {
  for (const Message& message : session.messages()) {
    if (subscription_of(message) != id) continue;
    return probe.expect(message.method() == acknowledged, std::string(acknowledged) + " before anything else",
                        message.text.substr(0, 300));
  }
}

void ack_first(Probe& probe) {
  Session& session = probe.opened();
  const Json id = session.send_request("subscriptions/listen", filter_of(every_change));
  if (probe.find("tool:mutates-tool-list"))
    session.send_request("tools/call", probe.need_tool("tool:mutates-tool-list").params());
  acknowledgement(probe, session, id);
  expect_ack_first(probe, session, id);
}

/// To a filter with something in it, and to an empty one.
void ack_shape(Probe& probe) {
  Session& session = probe.opened();
  for (const JsonObject& filter : {every_change, JsonObject{}}) {
    const Json id = session.send_request("subscriptions/listen", filter_of(filter));
    const Message& ack = acknowledgement(probe, session, id);
    if (filter.empty() && ack.kind == Message::Kind::response) return;  // sub-empty-filter says so
    probe.expect(ack.method() == acknowledged, std::string(acknowledged), ack.text.substr(0, 300));
    probe.expect(get(ack.json, "params", "notifications").is_object(), "params.notifications, an object",
                 ack.text.substr(0, 300));
  }
}

/// A change after one subscription with a number as its id.
void expect_tags_of_requests(Probe& probe) {
  if (!probe.find("tool:mutates-tool-list")) return;
  Session& session = probe.opened();
  const Json id = listen(probe, session);
  const std::size_t before = session.mark();
  mutate(probe, session);
  const Message* change = session.wait_for_notification(before, "notifications/tools/list_changed", probe.timeout());
  if (change == nullptr || subscription_of(*change).is_null()) return;  // tools-list-changed-listen, sub-all-tagged
  probe.expect(subscription_of(*change) == id, "the id " + to_json_text(id) + " in what the subscription brings",
               change->text.substr(0, 300));
}

void id_equals_request_id(Probe& probe) {
  Session& session = probe.opened();
  for (const Json& id : {Json(7), Json("7"), Json("0b57e1ac-uuid")}) {
    session.send_request_with_id(id, "subscriptions/listen", filter_of(every_change));
    const Message& ack = acknowledgement(probe, session, id);
    probe.expect(subscription_of(ack) == id && subscription_of(ack).kind() == id.kind(), "the id " + to_json_text(id),
                 ack.text.substr(0, 300));
  }
  expect_tags_of_requests(probe);
}

void ack_subset(Probe& probe) {
  Session& session = probe.opened();
  JsonObject all = every_change;
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
  const Json few = session.send_request("subscriptions/listen", filter_of({{"toolsListChanged", true}}));
  const Message& second = acknowledgement(probe, session, few);
  const JsonObject* acknowledged_kinds = get(second.json, "params", "notifications").if_object();
  if (acknowledged_kinds == nullptr) return;  // a matter of its own check
  for (const auto& [member, value] : *acknowledged_kinds) {
    const bool is_nothing = value == Json(false) || value == Json(JsonArray{});
    probe.expect(member == "toolsListChanged" || is_nothing, "only what was asked for, toolsListChanged",
                 second.text.substr(0, 300));
  }
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
  wait_for_tagged(probe, session, id, before);
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
    wait_for_tagged(probe, session, id, before);
    probe.expect(!tagged(session, id, before).empty(), "a notification for each subscription",
                 "none for " + to_json_text(id));
  }
}

void per_id_order(Probe& probe) {
  probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  std::vector<Json> ids;
  for (int i = 0; i < 20; ++i) {
    ids.push_back(session.send_request("subscriptions/listen", filter_of(every_change)));
    if (i % 5 == 0) session.send_request("tools/call", probe.need_tool("tool:mutates-tool-list").params());
  }
  for (const Json& id : ids) {
    acknowledgement(probe, session, id);
    expect_ack_first(probe, session, id);
  }
}

}  // namespace

std::span<const Check> subscriptions_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks{
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
    };
    checks.insert(checks.end(), subscriptions_end_checks().begin(), subscriptions_end_checks().end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
