// How a server ends (basic/lifecycle, shutdown; 2026-07-28 basic/transports/stdio, shutdown).
#include <algorithm>

#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

void shutdown_expect_end(Probe& probe, Session& session, std::chrono::milliseconds limit,
                         const std::string& after_what) {
  if (session.process().wait_for_end(limit)) return;
  probe.fail("an end within " + std::to_string(limit.count()) + " ms after " + after_what,
             "the server is still running");
}

void on_eof(Probe& probe) {
  Session& session = probe.opened();
  probe.compares_times();
  const auto begin = Clock::now();
  session.process().close_input();
  shutdown_expect_end(probe, session, 5s, "the end of its input");
  if (Clock::now() - begin > 2s) probe.warn("an end within 2000 ms", "a later one");
}

void eof_before_opening(Probe& probe) {
  Session& session = probe.fresh();
  session.process().close_input();
  shutdown_expect_end(probe, session, probe.after_start(5s), "the end of its input, before any message");
  session.listen_for(100ms);  // what is still in the pipe
  for (const Message& message : session.messages())
    probe.expect(may_come_first(probe, message), "nothing on standard output", message.text.substr(0, 300));
}

void eof_in_flight(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 1);
  Session& session = probe.opened();
  for (int i = 0; i < 3; ++i) session.send_request("tools/call", slow.params());
  session.listen_for(50ms);
  session.process().close_input();
  shutdown_expect_end(probe, session, 6s, "the end of its input, with calls of one second in flight");
}

void eof_open_subscription(Probe& probe) {
  Session& session = probe.opened();
  session.send_request("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  session.wait_for_notification(0, "notifications/subscriptions/acknowledged", 1s);
  session.process().close_input();
  shutdown_expect_end(probe, session, 5s, "the end of its input, with a subscription open");
}

void eof_pending_server_request(Probe& probe) {
  const Callable tool = probe.find("tool:needs-elicitation") && probe.since("2025-06-18")
                            ? probe.need_tool("tool:needs-elicitation")
                            : probe.need_tool("tool:needs-sampling");
  Session& session = probe.opened(all_capabilities(probe.revision()));
  session.respond_with(nullptr);
  session.send_request("tools/call", tool.params());
  session.wait_for(
      0, [](const Message& it) { return it.kind == Message::Kind::request; }, 1s);
  session.process().close_input();
  shutdown_expect_end(probe, session, 5s, "the end of its input, while it asks the client");
}

void on_sigterm(Probe& probe) {
  Session& session = probe.opened();
  session.process().signal(Signal::terminate);
  shutdown_expect_end(probe, session, 2s, "SIGTERM");
}

void expect_whole_lines(Probe& probe, Session& session) {
  const std::string& output = session.process().output();
  probe.expect(output.empty() || output.back() == '\n', "a line feed as the last byte",
               output.substr(output.size() - std::min<std::size_t>(output.size(), 200)));
}

void server_initiated(Probe& probe) {
  Session& session = probe.opened();
  session.process().signal(Signal::interrupt);
  if (!session.process().wait_for_end(2s)) probe.info("the server does not end at SIGINT");
  expect_whole_lines(probe, session);
}

void stdout_complete(Probe& probe) {
  Session& session = probe.opened();
  for (int i = 0; i < 20; ++i) session.send_request(probe.offer().has("tools") ? "tools/list" : "server/discover");
  session.process().close_input();
  if (!session.process().wait_for_end(5s)) probe.skip("the server does not end");
  session.listen_for(100ms);
  expect_whole_lines(probe, session);
}

}  // namespace

std::span<const Check> shutdown_checks() {
  static constexpr Check checks[] = {
      {"exit-on-stdin-eof", on_eof},
      {"exit-on-stdin-eof-legacy", on_eof},
      {"exit-eof-before-opening", eof_before_opening},
      {"exit-eof-in-flight", eof_in_flight},
      {"exit-eof-open-subscription", eof_open_subscription},
      {"exit-eof-pending-server-request", eof_pending_server_request},
      {"exit-on-sigterm", on_sigterm},
      {"exit-server-initiated", server_initiated},
      {"exit-stdout-complete", stdout_complete},
  };
  return checks;
}

}  // namespace toolwire::conformance
