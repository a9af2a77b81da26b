// The list of tools changes while clients are connected.
#include "checks/tools.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view changed = "notifications/tools/list_changed";

void list_changed_sent(Probe& probe) {
  const Callable mutate = probe.need_tool("tool:mutates-tool-list");
  if (get(probe.offer().capabilities.at("tools"), "listChanged") != Json(true))
    probe.skip("the server does not declare tools.listChanged");
  Session& session = probe.opened();
  const std::size_t before = session.mark();
  probe.expect_result(session.request("tools/call", mutate.params()), "tools/call of " + mutate.name);
  probe.expect(session.wait_for_notification(before, changed, probe.timeout(2s)) != nullptr, std::string(changed),
               "nothing");
}

void tools_list_changed_listen(Probe& probe) {
  const Callable mutate = probe.need_tool("tool:mutates-tool-list");
  Session& session = probe.opened();
  const Json listen = session.send_request("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  if (session.wait_for_notification(0, "notifications/subscriptions/acknowledged", probe.timeout(2s)) == nullptr)
    probe.skip("the subscription was not acknowledged");
  const std::size_t before = session.mark();
  probe.expect_result(session.request("tools/call", mutate.params()), "tools/call of " + mutate.name);
  const Message* message = session.wait_for_notification(before, changed, probe.timeout(2s));
  probe.expect(message != nullptr, std::string(changed), "nothing");
  const Json& id = get(message->json, "params", "_meta", "io.modelcontextprotocol/subscriptionId");
  probe.expect(id == listen, "the id of the subscription, " + to_json_text(listen), message->text.substr(0, 300));
}

}  // namespace

std::span<const Check> tools_changes_checks() {
  static constexpr Check checks[] = {
      {"tools-list-changed-sent", list_changed_sent},
      {"tools-list-changed-listen", tools_list_changed_listen},
  };
  return checks;
}

}  // namespace toolwire::conformance
