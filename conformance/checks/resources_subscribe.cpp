// resources/subscribe and unsubscribe of the legacy revisions, and changes of the list.
#include "checks/resources.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view updated = "notifications/resources/updated";

std::string need_subscribable(const Probe& probe) {
  probe.need_capability("resources");
  if (get(probe.offer().capabilities.at("resources"), "subscribe") != Json(true))
    probe.skip("the server does not declare resources.subscribe");
  return probe.need("resource:subscribable").name;
}

void resources_subscribe_is_empty(Probe& probe, const Answer& answer, const std::string& what) {
  probe.expect_result(answer, what);
  JsonObject rest = answer.result.is_object() ? answer.result.get_object() : JsonObject{{"", nullptr}};
  rest.erase("_meta");
  probe.expect(rest.empty(), "the empty result {}", to_json_text(answer.result).substr(0, 300));
}

/// Changes the resource; returns the update if one came within `time`.
const Message* update_after_touch(Probe& probe, Session& session, std::chrono::milliseconds time) {
  const Callable touch = probe.need_tool("tool:touches-resource");
  const std::size_t before = session.mark();
  probe.expect_result(session.request("tools/call", touch.params()), "tools/call of " + touch.name);
  return session.wait_for_notification(before, updated, time);
}

void subscribe_works(Probe& probe) {
  const std::string uri = need_subscribable(probe);
  resources_subscribe_is_empty(probe, probe.opened().request("resources/subscribe", {{"uri", uri}}),
                               "resources/subscribe");
}

void updated_sent(Probe& probe) {
  const std::string uri = need_subscribable(probe);
  probe.need_tool("tool:touches-resource");
  Session& session = probe.opened();
  resources_subscribe_is_empty(probe, session.request("resources/subscribe", {{"uri", uri}}), "resources/subscribe");
  const Message* message = update_after_touch(probe, session, probe.timeout());
  probe.expect(message != nullptr, std::string(updated), "nothing");
  probe.expect(text_of(get(message->json, "params", "uri")) == uri, "the URI " + uri, message->text.substr(0, 300));
}

/// Another resource than `watched`, which is no part of it; a server that refuses it has no subscription either.
void subscribe_to_another(Probe& probe, Session& session, std::string_view watched) {
  for (const Json& resource : probe.offer().resources) {
    const std::string_view uri = text_of(get(resource, "uri"));
    if (watched.starts_with(uri)) continue;
    probe.expect_answer(session.request("resources/subscribe", {{"uri", uri}}), "resources/subscribe");
    return;
  }
}

/// First without any subscription, then with one to another resource.
void updated_only_subscribed(Probe& probe) {
  probe.need_capability("resources");
  probe.need_tool("tool:touches-resource");
  Session& session = probe.opened();
  const Message* message = update_after_touch(probe, session, 300ms);
  probe.expect(message == nullptr, "no update without a subscription",
               message != nullptr ? message->text.substr(0, 300) : "");
  const auto watched = probe.find("resource:subscribable");
  if (!watched) return;
  subscribe_to_another(probe, session, watched->name);
  message = update_after_touch(probe, session, 300ms);
  probe.expect(message == nullptr || text_of(get(message->json, "params", "uri")) != watched->name,
               "no update of " + watched->name + " where another resource is subscribed to",
               message != nullptr ? message->text.substr(0, 300) : "");
}

void unsubscribe_works(Probe& probe) {
  const std::string uri = need_subscribable(probe);
  probe.need_tool("tool:touches-resource");
  Session& session = probe.opened();
  resources_subscribe_is_empty(probe, session.request("resources/subscribe", {{"uri", uri}}), "resources/subscribe");
  resources_subscribe_is_empty(probe, session.request("resources/unsubscribe", {{"uri", uri}}),
                               "resources/unsubscribe");
  const Message* message = update_after_touch(probe, session, 300ms);
  probe.expect(message == nullptr, "no update after unsubscribing",
               message != nullptr ? message->text.substr(0, 300) : "");
}

void resources_subscribe_undeclared(Probe& probe) {
  probe.need_capability("resources");
  if (get(probe.offer().capabilities.at("resources"), "subscribe") == Json(true))
    probe.skip("the server declares resources.subscribe");
  const Answer answer = probe.session().request("resources/subscribe", {{"uri", "conformance://nothing"}});
  probe.expect_error(answer, {-32601}, "resources/subscribe, which is not declared,");
}

void subscribe_unknown(Probe& probe) {
  need_subscribable(probe);
  Session& session = probe.opened();
  probe.expect_answer(session.request("resources/subscribe", {{"uri", "conformance://nothing"}}),
                      "resources/subscribe");
  probe.expect_answer(session.request("resources/unsubscribe", {{"uri", "conformance://never"}}),
                      "resources/unsubscribe");
  probe.expect_alive(session);
}

void resources_list_changed(Probe& probe) {
  const Callable mutate = probe.need_tool("tool:mutates-resource-list");
  probe.need_capability("resources");
  if (get(probe.offer().capabilities.at("resources"), "listChanged") != Json(true))
    probe.skip("the server does not declare resources.listChanged");
  Session& session = probe.opened();
  const std::size_t before = session.mark();
  probe.expect_result(session.request("tools/call", mutate.params()), "tools/call of " + mutate.name);
  probe.expect(
      session.wait_for_notification(before, "notifications/resources/list_changed", probe.timeout(2s)) != nullptr,
      "notifications/resources/list_changed", "nothing");
}

}  // namespace

std::span<const Check> resources_subscribe_checks() {
  static constexpr Check checks[] = {
      {"resources-subscribe-works", subscribe_works},
      {"resources-updated-sent", updated_sent},
      {"resources-updated-only-subscribed", updated_only_subscribed},
      {"resources-unsubscribe-works", unsubscribe_works},
      {"resources-subscribe-undeclared", resources_subscribe_undeclared},
      {"resources-subscribe-unknown", subscribe_unknown},
      {"resources-list-changed", resources_list_changed},
  };
  return checks;
}

}  // namespace toolwire::conformance
