// The environment of a process: environment, folder, limits, and how it ends.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "checks/open_world.hpp"
#include "checks/robustness_process.hpp"
#include "driver/temporary.hpp"

namespace toolwire::conformance {
namespace {

using namespace whole_process;
using namespace std::chrono_literals;

std::vector<std::string> open_files(int process) {
  std::vector<std::string> targets;
  std::error_code ignored;
  for (std::filesystem::directory_iterator it("/proc/" + std::to_string(process) + "/fd", ignored), end; it != end;
       it.increment(ignored))
    targets.push_back(std::filesystem::read_symlink(it->path(), ignored).string());
  return targets;
}

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
    const std::string text = "h\u00e9llo \u65e5\u672c I\u0307i";
    const Callable echo = probe.need_tool("tool:echo", "TEXT", Json(text));
    Session& session = probe.opened({}, launch);
    const Answer answer = session.request("tools/call", echo.params());
    probe.expect_result(answer, "tools/call in the locale " + std::string(locale));
    if (to_json_text(answer.result).find(text) != std::string::npos) continue;
    // What the tool makes of it whatever the locale is its own business.
    const Answer own = probe.session().request("tools/call", echo.params());
    probe.expect(get(own.result, "content") == get(answer.result, "content"),
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
  const auto folder = temporary_folder("toolwire conformance \u00e9 ");
  if (!folder) probe.skip("no temporary folder can be made");
  const std::filesystem::path link = std::filesystem::path(*folder) / program.filename();
  std::filesystem::create_symlink(std::filesystem::absolute(program), link);
  launch.command.front() = link.string();
  Session& session = probe.fresh({}, launch);
  const Answer answer = session.open();
  std::filesystem::remove_all(*folder);
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
  const Answer answer = session.await("million", probe.timeout(15s));
  if (answer.kind == Answer::Kind::ended) session.process().wait_for_end(5s);  // its output ends before it has
  if (session.process().ending().signal != 0)
    probe.broken("a server that survives an array of a million", session.process().ending().text());
  probe.expect(answer.kind != Answer::Kind::silence, "an answer, or a clean end", answer.text());
}

void descriptor_leak(Probe& probe) {
  Session& session = probe.opened();
  const bool has_tool = has_text_tool_for_many(probe);
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

void expect_exit_code_0(Probe& probe, Session& session, std::chrono::milliseconds limit, const std::string& when) {
  session.process().close_input();
  expect_end(probe, session, limit, "the end of its input, " + when);
  const Ending& ending = session.process().ending();
  if (ending.signal != 0) probe.broken("an orderly end", ending.text());
  probe.expect(ending.code == 0, "the exit status 0 at the end of its input, " + when, ending.text());
}

/// In a session, and as hosts end a server they have only looked for: before any message.
void exit_code(Probe& probe) {
  expect_exit_code_0(probe, probe.opened(), 5s, "in a session");
  expect_exit_code_0(probe, probe.fresh(), probe.after_start(5s), "before any message");
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
    if (session.process().ending().crashed())
      probe.broken("an end without a crash at any moment", session.process().ending().text());
  }
}

}  // namespace

std::span<const Check> robustness_surroundings_checks() {
  static constexpr Check checks[] = {
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
