// The process: signals, streams that are closed, its surroundings, what it leaves behind.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "checks/groups.hpp"
#include "checks/robustness.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

void expect_end(Probe& probe, Session& session, std::chrono::milliseconds limit, const std::string& after_what) {
  if (!session.process().wait_for_end(limit))
    probe.broken("an end within " + std::to_string(limit.count()) + " ms after " + after_what,
                 "the server is still running");
}

void no_children_left(Probe& probe) {
  const Callable tool = probe.need_tool("tool:spawns-child");
  Session& session = probe.opened();
  session.send_request("tools/call", tool.params());
  session.listen_for(100ms);
  session.process().close_input();
  expect_end(probe, session, 5s, "the end of its input");
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
  session.process().signal(SIGTERM);
  expect_end(probe, session, 5s, "SIGTERM during a call");
  expect_whole_output(probe, session);
}

void sigint(Probe& probe) {
  Session& session = probe.opened();
  session.process().signal(SIGINT);
  if (!session.process().wait_for_end(2s))
    probe.warn("an end within 2000 ms after SIGINT", "the server is still running");
  for (const Message& message : session.messages()) {
    if (message.kind == Message::Kind::foreign)
      probe.broken("nothing but messages on standard output", message.text.substr(0, 300));
  }
}

void sighup(Probe& probe) {
  Session& session = probe.opened();
  session.process().signal(SIGHUP);
  if (session.process().wait_for_end(300ms)) return;
  probe.expect_alive(session);
}

void stdout_closed(Probe& probe) {
  Session& session = probe.opened();
  session.process().close_output();
  for (int i = 0; i < 20; ++i) session.send_request(harmless(probe));
  if (session.process().wait_for_end(5s)) return;
  const auto before = session.process().cpu_time();
  session.process().wait_for_end(500ms);
  const auto spent = session.process().cpu_time() - before;
  if (spent > 250ms)
    probe.broken("no busy loop once nobody reads", std::to_string(spent.count()) + " ms of CPU in 500 ms");
  probe.fail("an end within 5000 ms once nobody reads its output", "the server is still running");
}

std::string shell_quoted(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    text += " '";
    for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += "'";
  }
  return text;
}

/// A host that dies hard takes its ends of the pipes with it; here a shell stands for it.
void host_killed(Probe& probe) {
  Launch launch = probe.target().launch;
  launch.command = {"/bin/sh", "-c", "cat |" + shell_quoted(launch.command)};
  Session& session = probe.fresh({}, launch);
  if (!session.open().ok()) probe.skip("the server does not start behind a pipe");
  session.process().signal(SIGKILL);
  session.process().close_input(true);
  const auto until = Clock::now() + 5s;
  while (!session.process().descendants().empty() && Clock::now() < until)
    session.process().pump(50ms, [] { return false; });
  const auto left = session.process().descendants();
  if (!left.empty()) probe.broken("a server that ends with its host", "it is still running");
}

std::vector<std::string> open_files(pid_t process) {
  std::vector<std::string> targets;
  std::error_code ignored;
  for (std::filesystem::directory_iterator it("/proc/" + std::to_string(process) + "/fd", ignored), end; it != end;
       it.increment(ignored))
    targets.push_back(std::filesystem::read_symlink(it->path(), ignored).string());
  return targets;
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
  probe.expect_result(session.request("tools/call", tool.params(), 15s), "a tool that writes 10 MiB to standard error");
}

void stderr_undrained(Probe& probe) {
  const Callable tool = probe.need_tool("tool:stderr-flood", "BYTES", 1 << 20);
  Launch launch = probe.target().launch;
  launch.errors_unread = true;
  Session& session = probe.opened({}, launch);
  const Answer answer = session.request("tools/call", tool.params(), 2s);
  if (!answer.ok()) probe.info("the server waits for a reader of its standard error");
}

Session& behind_shell(Probe& probe, const std::string& redirection) {
  Launch launch = probe.target().launch;
  launch.command = {"/bin/sh", "-c", "exec" + shell_quoted(launch.command) + " " + redirection};
  return probe.fresh({}, launch);
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
    expect_end(probe, session, 5s, std::string("a start with ") + redirection);
  }
}

/// Input from a file, output into a pipe of a shell.
void stdio_kinds(Probe& probe) {
  std::string path = (std::filesystem::temp_directory_path() / "toolwire-conformance-XXXXXX").string();
  const int file = ::mkstemp(path.data());
  if (file < 0) probe.skip("no temporary file can be made");
  Session& writer = probe.fresh();  // only to write a request down
  std::string lines;
  if (!probe.modern())
    lines = writer.request_text("opening", "initialize",
                                {{"protocolVersion", probe.revision().name},
                                 {"capabilities", JsonObject{}},
                                 {"clientInfo", {{"name", "check"}, {"version", "1"}}}}) +
            "\n";
  lines += writer.request_text("from-file", harmless(probe)) + "\n";
  const bool written = ::write(file, lines.data(), lines.size()) == static_cast<ssize_t>(lines.size());
  ::close(file);
  Session& session = behind_shell(probe, "0<'" + path + "'");
  const Answer answer = session.await("from-file", 5s);
  std::filesystem::remove(path);
  if (!written) probe.skip("the temporary file cannot be written");
  probe.expect(answer.ok(), "an answer to input from a file", answer.text());
}

/// Every server here runs in a session of its own, without a terminal.
void no_terminal(Probe& probe) { probe.expect_alive(probe.session()); }

void opens_with(Probe& probe, const Launch& launch, const std::string& what) {
  Session& session = probe.fresh({}, launch);
  const Answer answer = session.open();
  if (!answer.ok())
    probe.fail("a server that works " + what, answer.text() + "; " + session.process().errors().substr(0, 300));
}

void locale_c(Probe& probe) {
  for (const char* locale : {"C", "POSIX", "tr_TR.UTF-8", "de_DE.UTF-8"}) {
    Launch launch = probe.target().launch;
    launch.environment["LC_ALL"] = locale;
    Session& session = probe.opened({}, launch);
    const std::string text = "h\u00e9llo \u65e5\u672c I\u0307i";
    const Callable echo = probe.need_tool("tool:echo", "TEXT", Json(text));
    const Answer answer = session.request("tools/call", echo.params());
    probe.expect_result(answer, "tools/call in the locale " + std::string(locale));
    probe.expect(to_json_text(answer.result).find(text) != std::string::npos,
                 "the same text in the locale " + std::string(locale), to_json_text(answer.result).substr(0, 300));
  }
}

void minimal_environment(Probe& probe) {
  Launch launch = probe.target().launch;
  launch.inherit_environment = false;
  for (const char* name : {"PATH", "HOME"}) {
    if (const char* value = std::getenv(name)) launch.environment[name] = value;
  }
  Session& session = probe.fresh({}, launch);
  const Answer answer = session.open();
  if (answer.ok()) return;
  probe.expect(!session.process().errors().empty(), "a server that works with PATH and HOME, or says what it lacks",
               answer.text());
}

/// A relative command would not be found from there.
void foreign_directory(Probe& probe) {
  Launch launch = probe.target().launch;
  const std::string& program = launch.command.front();
  if (program.find('/') != std::string::npos && !program.starts_with("/"))
    launch.command.front() = std::filesystem::absolute(program).string();
  for (std::size_t i = 1; i < launch.command.size(); ++i) {
    if (!launch.command[i].starts_with("/") && std::filesystem::exists(launch.command[i]))
      launch.command[i] = std::filesystem::absolute(launch.command[i]).string();
  }
  launch.directory = "/";
  opens_with(probe, launch, "in the directory /");
}

void path_with_spaces(Probe& probe) {
  Launch launch = probe.target().launch;
  const std::filesystem::path program = launch.command.front();
  if (!program.has_parent_path()) probe.skip("the server is started by a name alone");
  std::string folder = (std::filesystem::temp_directory_path() / "toolwire conformance \u00e9 XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) probe.skip("no temporary folder can be made");
  const std::filesystem::path link = std::filesystem::path(folder) / program.filename();
  std::filesystem::create_symlink(std::filesystem::absolute(program), link);
  launch.command.front() = link.string();
  Session& session = probe.fresh({}, launch);
  const Answer answer = session.open();
  std::filesystem::remove_all(folder);
  if (!answer.ok()) probe.fail("a server that works from a folder with a space", answer.text());
}

void memory_limit(Probe& probe) {
  Launch launch = probe.target().launch;
  launch.command = {"/bin/sh", "-c", "ulimit -v 4194304; exec" + shell_quoted(launch.command)};
  Session& session = probe.fresh({}, launch);
  if (!session.open().ok()) probe.skip("the server does not start with 4 GiB of address space");
  std::string array = "[0";
  for (int i = 0; i < 1'000'000; ++i) array += ",1";
  session.send_line(request_with(session, "million", harmless(probe), {{"x", "PLACE"}}, "PLACE", array + "]"));
  const Answer answer = session.await("million", 15s);
  if (session.process().ending().signal != 0)
    probe.broken("a server that survives an array of a million", session.process().ending().text());
  probe.expect(answer.kind != Answer::Kind::silence, "an answer, or a clean end", answer.text());
}

void descriptor_leak(Probe& probe) {
  Session& session = probe.opened();
  const bool has_tool = probe.offer().has("tools") && probe.find("tool:text").has_value();
  auto many = [&](int count) {
    for (int i = 0; i < count; ++i)
      probe.expect_answer(has_tool ? session.request("tools/call", probe.need_tool("tool:text").params())
                                   : session.request(harmless(probe)),
                          "one of 500 calls");
  };
  many(50);
  const std::size_t before = open_files(session.process().id()).size();
  many(500);
  const std::size_t after = open_files(session.process().id()).size();
  probe.expect(after <= before + 5, "as many descriptors as before",
               std::to_string(before) + ", then " + std::to_string(after));
}

void exit_code(Probe& probe) {
  Session& session = probe.opened();
  session.process().close_input();
  expect_end(probe, session, 5s, "the end of its input");
  const Ending& ending = session.process().ending();
  if (ending.signal != 0) probe.broken("an orderly end", ending.text());
  probe.expect(ending.code == 0, "the exit status 0", ending.text());
}

void no_crash_on_the_way_out(Probe& probe) {
  for (int i = 0; i < 12; ++i) {
    Session session(probe.target().launch, probe.revision(), {.timeout = probe.target().start_timeout});
    session.send_request(probe.modern() ? "server/discover" : "initialize",
                         probe.modern() ? JsonObject{}
                                        : JsonObject{{"protocolVersion", probe.revision().name},
                                                     {"capabilities", JsonObject{}},
                                                     {"clientInfo", {{"name", "check"}, {"version", "1"}}}});
    session.listen_for(std::chrono::milliseconds(i * 2));
    session.process().close_input();
    session.process().wait_for_end(5s);
    const int signal = session.process().ending().signal;
    if (signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGILL)
      probe.broken("an end without a crash at any moment", session.process().ending().text());
  }
}

}  // namespace

std::span<const Check> robustness_process_checks() {
  static constexpr Check checks[] = {
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
      {"rb-locale-c", locale_c},
      {"rb-minimal-env", minimal_environment},
      {"rb-foreign-cwd", foreign_directory},
      {"rb-path-with-spaces", path_with_spaces},
      {"rb-memory-limit", memory_limit},
      {"rb-fd-leak", descriptor_leak},
      {"rb-exit-code-clean", exit_code},
      {"rb-no-core-on-shutdown", no_crash_on_the_way_out},
  };
  return checks;
}

}  // namespace toolwire::conformance
