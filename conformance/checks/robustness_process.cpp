// The process: signals, closed streams, its environment, and what it leaves behind.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "checks/groups.hpp"
#include "checks/robustness_process.hpp"
#include "driver/temporary.hpp"

namespace toolwire::conformance {
namespace {

using namespace whole_process;
using namespace std::chrono_literals;

void no_children_left(Probe& probe) {
  const Callable tool = probe.need_tool("tool:spawns-child");
  Session& session = probe.opened();
  session.send_request("tools/call", tool.params());
  session.listen_for(100ms);
  session.process().close_input();
  expect_end(probe, session, 5s, "the end of its input");
  probe.compares_times();
  session.listen_for(100ms);
  const auto left = session.process().descendants();
  probe.expect(left.empty(), "no process left behind", std::to_string(left.size()) + " of them");
}

void expect_whole_output(Probe& probe, Session& session) {
  const std::string& output = session.process().output();
  if (!output.empty() && output.back() != '\n')
    probe.broken("output that ends with a whole line",
                 output.substr(output.size() - std::min<std::size_t>(output.size(), 200)));
}

void sigterm_in_flight(Probe& probe) {
  const Callable slow = probe.need_tool("tool:slow", "SECONDS", 3);
  Session& session = probe.opened();
  session.send_request("tools/call", slow.params());
  session.listen_for(50ms);
  session.process().signal(Signal::terminate);
  expect_end(probe, session, 5s, "SIGTERM during a call");
  expect_whole_output(probe, session);
}

void sigint(Probe& probe) {
  Session& session = probe.opened();
  session.process().signal(Signal::interrupt);
  if (!session.process().wait_for_end(2s))
    probe.warn("an end within 2000 ms after SIGINT", "the server is still running");
  for (const Message& message : session.messages()) {
    // Half a line at the end is what exit-server-initiated judges.
    if (message.kind == Message::Kind::foreign && message.ended)
      probe.broken("nothing but messages on standard output", message.text.substr(0, 300));
  }
}

void sighup(Probe& probe) {
  Session& session = probe.opened();
  session.process().signal(Signal::hangup);
  if (session.process().wait_for_end(300ms)) return;
  probe.expect_alive(session);
}

void stdout_closed(Probe& probe) {
  Session& session = probe.opened();
  session.process().close_output();
  // More than once: another server that is just being started may hold the pipe open for a moment.
  for (int i = 0; i < 50; ++i) {
    session.send_request(harmless(probe));
    if (session.process().wait_for_end(100ms)) return;
  }
  if (stays_busy(session, 500ms, 250ms)) probe.broken("no busy loop once nobody reads", "one of two seconds");
  probe.fail("an end within 5000 ms once nobody reads its output", "the server is still running");
}

/// A host that is killed closes its ends of the pipes; a shell plays the host.
void host_killed(Probe& probe) {
  Launch launch = probe.target().launch;
  launch.command = {"/bin/sh", "-c", "cat |" + shell_quoted(launch.command)};
  Session& session = probe.fresh({}, launch);
  if (!session.open().ok()) probe.skip("the server does not start behind a pipe");
  session.process().signal(Signal::kill);
  session.process().close_input(true);
  probe.compares_times();
  const auto until = Clock::now() + 5s;
  while (!session.process().descendants().empty() && Clock::now() < until) session.process().listen(50ms);
  const auto left = session.process().descendants();
  if (!left.empty()) probe.broken("a server that ends with its host", "it is still running");
}

/// It may have several descriptors of its standard input, but none to write into it.
void no_own_writer(Probe& probe) {
  Session& session = probe.opened();
  probe.expect_alive(session);
  session.process().close_input();
  if (!session.process().wait_for_end(5s))
    probe.warn("an end once all writers are gone", "the server is still running");
}

void stderr_flood(Probe& probe) {
  const Callable tool = probe.need_tool("tool:stderr-flood", "BYTES", 10 << 20);
  Session& session = probe.opened();
  probe.expect_result(session.request("tools/call", tool.params(), probe.timeout(15s)),
                      "a tool that writes 10 MiB to standard error");
}

void stderr_undrained(Probe& probe) {
  const Callable tool = probe.need_tool("tool:stderr-flood", "BYTES", 1 << 20);
  Launch launch = probe.target().launch;
  launch.errors_unread = true;
  Session& session = probe.opened({}, launch);
  const Answer answer = session.request("tools/call", tool.params(), 1s);
  if (!answer.ok()) probe.info("the server waits for a reader of its standard error");
}

Session& behind_shell(Probe& probe, const std::string& redirection) {
  Launch launch = probe.target().launch;
  launch.command = {"/bin/sh", "-c", "exec" + shell_quoted(launch.command) + " " + redirection};
  Session& session = probe.fresh({}, launch);
  probe.do_not_judge(session);  // its input may come from elsewhere
  return session;
}

void stderr_closed(Probe& probe) {
  for (const char* redirection : {"2>&-", "2>/dev/null"}) {
    Session& session = behind_shell(probe, redirection);
    const Answer answer = session.open();
    if (!answer.ok()) probe.broken(std::string("a server that works with ") + redirection, answer.text());
  }
}

void stdin_closed_at_start(Probe& probe) {
  for (const char* redirection : {"0<&-", "0</dev/null"}) {
    Session& session = behind_shell(probe, redirection);
    expect_end(probe, session, probe.after_start(5s), std::string("a start with ") + redirection);
  }
}

std::string opening_lines(Probe& probe) {
  const Session& writer = probe.fresh();  // only to write a request down
  std::string lines;
  if (!probe.modern())
    lines = writer.request_text("opening", "initialize",
                                {{"protocolVersion", probe.revision().name},
                                 {"capabilities", JsonObject{}},
                                 {"clientInfo", {{"name", "check"}, {"version", "1"}}}}) +
            "\n";
  return lines + writer.request_text("from-file", harmless(probe)) + "\n";
}

/// The end of a file is the end of the input: a server may end there without answering what was in flight.
void serves_a_file(Probe& probe) {
  const auto path = temporary_file(opening_lines(probe));
  if (!path) probe.skip("no temporary file can be made");
  Session& session = behind_shell(probe, "0<'" + *path + "'");
  const Answer answer = session.await("from-file", probe.after_start(5s));
  std::filesystem::remove(*path);
  if (answer.ok()) return;
  session.process().wait_for_end(1s);
  const Ending& ending = session.process().ending();
  probe.expect(ending.exited && ending.signal == 0 && ending.code == 0,
               "an answer to input from a file, or an orderly end at the end of it", answer.text());
}

void serves_sockets(Probe& probe) {
  Launch launch = probe.target().launch;
  launch.sockets = true;
  Session& session = probe.fresh({}, launch);
  const Answer answer = session.open();
  probe.expect(answer.ok(), "a session over socket pairs", answer.text());
}

/// Pipes are what all other checks use.
void stdio_kinds(Probe& probe) {
  serves_sockets(probe);
  serves_a_file(probe);
}

/// Every server here runs in a session of its own, without a terminal.
void no_terminal(Probe& probe) { probe.expect_alive(probe.session()); }

}  // namespace

std::span<const Check> robustness_process_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks{
        {"rb-eof-in-flight-child-procs", no_children_left},
        {"rb-sigterm-in-flight", sigterm_in_flight},
        {"rb-sigint", sigint},
        {"rb-sighup", sighup},
        {"rb-epipe-stdout-closed", stdout_closed},
        {"rb-host-killed", host_killed},
        {"rb-stdin-half-open-dup", no_own_writer},
        {"rb-stderr-flood", stderr_flood},
        {"rb-stderr-undrained", stderr_undrained},
        {"rb-stderr-closed", stderr_closed},
        {"rb-stdin-closed-at-start", stdin_closed_at_start},
        {"rb-stdio-kinds", stdio_kinds},
        {"rb-no-tty", no_terminal},
    };
    checks.insert(checks.end(), robustness_surroundings_checks().begin(), robustness_surroundings_checks().end());
    return checks;
  }();
  return all;
}

}  // namespace toolwire::conformance
