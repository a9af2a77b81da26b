// What the checks of subscriptions/listen share.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <toolwire/error.hpp>

#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> subscriptions_end_checks();

namespace subscribing {

inline constexpr std::string_view acknowledged = "notifications/subscriptions/acknowledged";

inline JsonObject filter_of(JsonObject filter) { return {{"notifications", std::move(filter)}}; }
const JsonObject every_change{{"toolsListChanged", true}, {"promptsListChanged", true}, {"resourcesListChanged", true}};

inline const Json& subscription_of(const Message& message) {
  return get(message.json, "params", "_meta", "io.modelcontextprotocol/subscriptionId");
}

/// Whether it says in its capabilities that it tells of changes.
inline bool declares_changes(const Offer& offer) {
  return std::ranges::any_of(offer.capabilities, [](const auto& it) {
    return get(it.value(), "listChanged") == Json(true) || get(it.value(), "subscribe") == Json(true);
  });
}

/// Skips if the server has nothing to subscribe to, and says so, in whatever words where it has declared nothing.
inline const Message& acknowledgement(Probe& probe, Session& session, const Json& id) {
  const Message* message = session.wait_for(
      0,
      [&](const Message& it) {
        return subscription_of(it) == id || (it.kind == Message::Kind::response && it.id() == id);
      },
      probe.timeout());
  if (message == nullptr) probe.fail("an acknowledgement of the subscription", "nothing");
  if (message->error_code() == error_code::method_not_found ||
      (message->is_error() && !declares_changes(probe.offer())))
    probe.skip("the server has no subscriptions");
  return *message;
}

inline Json listen(Probe& probe, Session& session, JsonObject filter = every_change) {
  Json id = session.send_request("subscriptions/listen", filter_of(std::move(filter)));
  acknowledgement(probe, session, id);
  return id;
}

inline void mutate(Probe& probe, Session& session, std::string_view kind = "tool:mutates-tool-list") {
  const Callable tool = probe.need_tool(kind);
  probe.expect_result(session.request("tools/call", tool.params()), "tools/call of " + tool.name);
}

/// Notifications of the subscription `id` since `from`, without the acknowledgement.
inline std::vector<Message> tagged(Session& session, const Json& id, std::size_t from = 0) {
  std::vector<Message> all;
  for (std::size_t i = from; i < session.mark(); ++i) {
    const Message& message = session.messages()[i];
    if (subscription_of(message) == id && message.method() != acknowledged) all.push_back(message);
  }
  return all;
}

inline void wait_for_tagged(const Probe& probe, Session& session, const Json& id, std::size_t from) {
  session.wait_for(
      from, [&](const Message& it) { return subscription_of(it) == id && it.method() != acknowledged; },
      probe.timeout());
}

}  // namespace subscribing

}  // namespace toolwire::conformance
