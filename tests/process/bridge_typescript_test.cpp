// The runtime of TypeScript, as the build folder has it: the tools of every language through a bridge, and what a pool
// promises of its processes.
#include "commands/served_runtimes.hpp"

#define BOOST_TEST_MODULE bridge_typescript
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "delegated_module.hpp"
#include "language_transcript.hpp"
#include "listening_socket.hpp"
#include "runtime_pool.hpp"
#include "system/kernel.hpp"

namespace {

using namespace std::chrono_literals;
using toolwire::JsonObject;
using toolwire_test::OwnGroup;
using toolwire_test::PoolCall;
using toolwire_test::PoolFixture;
using toolwire_test::RuntimeAnswer;
using toolwire_test::RuntimePool;

const char* const language_tools = TOOLWIRE_TYPESCRIPT_DIR "/language_tools";

/// Both packages side by side, as a bridge looks for them.
struct Packages {
  toolwire_test::ScratchFolder folder;
  toolwire_test::ScratchFolder workspace;
  Packages() {
    folder.link(TOOLWIRE_SOURCE_DIR "/bridge/runtimes/python", "python");
    folder.link(TOOLWIRE_TYPESCRIPT_DIR, "typescript");
    ::setenv("TOOLWIRE_RUNTIMES", folder.text().c_str(), 1);
  }
  ~Packages() { ::unsetenv("TOOLWIRE_RUNTIMES"); }
  Packages(const Packages&) = delete;
  Packages& operator=(const Packages&) = delete;
};

boost::test_tools::assertion_result has_landlock(boost::unit_test::test_unit_id) {
  return toolwire::bridge::kernel_support().landlock > 0;
}

const char* const echo = "({ text }) => text";
const char* const process_id = "() => String(process.pid)";
/// What it was told, "heard" can be asked for in the same process.
const char* const wait_until_told = R"((_, ctx) => {
  ctx.progress(1);
  return new Promise((_, refuse) => ctx.abort.addEventListener("abort", () => {
    globalThis.heard = ctx.abort.reason.name;
    refuse(ctx.abort.reason);
  }));
})";
const char* const heard = "() => globalThis.heard ?? 'nothing'";
const char* const wait_for_file = R"(async ({ path }, ctx) => {
  ctx.progress(1);
  while (!existsSync(path)) await new Promise((done) => setTimeout(done, 1));
  return String(process.pid);
})";
const char* const never_return = "() => { for (;;); }";
const char* const never_end = R"((_, ctx) => {
  ctx.progress(1);
  return new Promise(() => setInterval(() => {}, 1000));
})";

/// What a hostile tool tries; the answer names what the system said to each.
const char* const attempts = R"(
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";

async function execute({ inside, outside, port, bridge }) {
  const said = [];
  const attempt = async (action) => {
    try {
      await action();
      said.push("done");
    } catch (error) {
      said.push(error.code ?? error.name);
    }
  };
  await attempt(() => writeFileSync(inside + "/file", "x"));
  await attempt(() => writeFileSync(outside + "/file", "x"));
  await attempt(() => new Promise((done, refuse) => connect(port, "127.0.0.1", done).on("error", refuse)));
  await attempt(() => readFileSync(`/proc/${bridge}/environ`));
  await attempt(() => { const { error } = spawnSync("true"); if (error) throw error; });
  await attempt(() => Buffer.alloc(2 ** 31));
  return said.join(" ");
}
export const tool = { id: "attempts", description: "", parameters: { type: "object" }, execute };
)";

/// What changes files outside, opens sockets or reaches other processes; the answer names what was not refused.
const char* const further_attempts = R"(
import { createSocket } from "node:dgram";
import { appendFileSync, chmodSync, chownSync, linkSync, lutimesSync, mkdirSync, readdirSync, readFileSync,
         renameSync, rmdirSync, symlinkSync, truncateSync, unlinkSync, utimesSync,
         writeFileSync } from "node:fs";
import { execFileSync, fork } from "node:child_process";
import { createServer } from "node:net";
import { setPriority } from "node:os";
import { Worker } from "node:worker_threads";

async function execute({ inside, outside, bridge }) {
  const opened = (made, open) => new Promise((done, refuse) => {
    made.on("error", refuse);
    open(() => made.close(done));
  });
  const datagrams = createSocket("udp4"), server = createServer();
  const actions = {
    list: () => readdirSync(outside),
    read: () => readFileSync(outside + "/kept"),
    mode: () => chmodSync(inside + "/way_out", 0o777),
    "own mode": () => chmodSync(inside + "/own", 0o777),
    owner: () => chownSync(inside + "/own", process.getuid(), process.getgid()),
    times: () => utimesSync(inside + "/own", 1, 1),
    "times of a link": () => lutimesSync(inside + "/way_out", 1, 1),
    signal: () => process.kill(bridge, 0),
    environment: () => readFileSync(`/proc/${bridge}/environ`),
    shell: () => execFileSync("/bin/sh", ["-c", "true"]),
    fork: () => new Promise((done, refuse) =>
      fork(process.argv[1], ["--version"], { stdio: "ignore" }).on("error", refuse).on("exit", done)),
    "own program": () => {
      writeFileSync(inside + "/true", readFileSync("/bin/true"), { mode: 0o755 });
      execFileSync(inside + "/true");
    },
    append: () => appendFileSync(outside + "/kept", "x"),
    follow: () => writeFileSync(inside + "/way_out", "x"),
    truncate: () => truncateSync(outside + "/kept"),
    link: () => linkSync(outside + "/kept", inside + "/here"),
    symlink: () => symlinkSync("a", outside + "/link"),
    mkdir: () => mkdirSync(outside + "/made"),
    rmdir: () => rmdirSync(outside + "/folder"),
    rename: () => renameSync(outside + "/kept", outside + "/other"),
    move: () => renameSync(outside + "/fourth", inside + "/fourth"),
    unlink: () => unlinkSync(outside + "/third"),
    datagrams: () => opened(datagrams, (done) => datagrams.bind(0, "127.0.0.1", done)),
    listen: () => opened(server, (done) => server.listen(0, "127.0.0.1", done)),
    local: () => opened(server, (done) => server.listen(inside + "/socket", done)),
    priority: () => setPriority(bridge, 1),
    command: () => readFileSync(`/proc/${bridge}/cmdline`),
    thread: () => new Promise((done, refuse) => {
      const code = "try { require('fs').readdirSync(" + JSON.stringify(outside) + ") } catch (e) { require('worker_threads').parentPort.postMessage(e.code) }";
      const worker = new Worker(code, { eval: true });
      worker.on("message", (code) => refuse(Object.assign(new Error(), { code })));
      worker.on("exit", done);
    }),
  };
  const passed = [];
  for (const [name, action] of Object.entries(actions)) {
    try {
      await action();
      passed.push(name);
    } catch (error) {
      const code = error.info?.code ?? error.code ?? error.name;
      if (!["EACCES", "EPERM", "EXDEV"].includes(code)) passed.push(`${name} (${code})`);
    }
  }
  return passed.join(" ");
}
export const tool = { id: "attempts", description: "", parameters: { type: "object" }, execute };
)";

/// How many threads have a filter of system calls in force, and can gain no rights.
const char* const threads_of_the_process = R"(
import { readdirSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

async function execute() {
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
  await new Promise((done) => worker.on("online", done));
  const states = readdirSync("/proc/self/task").map((id) => readFileSync(`/proc/self/task/${id}/status`, "utf8"));
  const filtered = states.filter((state) => /^Seccomp:\s2$/m.test(state) && /^NoNewPrivs:\s1$/m.test(state)).length;
  await worker.terminate();
  return `${filtered === 0 ? "none" : filtered === states.length ? "all" : filtered} of ${states.length}`;
}
export const tool = { id: "attempts", description: "", parameters: { type: "object" }, execute };
)";

/// A file and descriptors beyond the limits, a listed program, one that is not, and a listed one under another name.
const char* const limit_attempts = R"(
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";

async function execute({ inside }) {
  const said = [], opened = [];
  const attempt = (action) => {
    try {
      action();
      said.push("done");
    } catch (error) {
      said.push(error.code ?? error.status ?? error.name);
    }
  };
  attempt(() => writeFileSync(inside + "/large", Buffer.alloc(200_000)));
  attempt(() => { for (let i = 0; i < 300; ++i) opened.push(openSync("/dev/null")); });
  opened.forEach(closeSync);
  attempt(() => execFileSync("/bin/true"));
  attempt(() => execFileSync("/bin/false"));
  writeFileSync(inside + "/true", readFileSync("/bin/true"), { mode: 0o755 });
  attempt(() => execFileSync(inside + "/true"));
  return said.join(" ");
}
export const tool = { id: "attempts", description: "", parameters: { type: "object" }, execute };
)";

/// What a tool says under an entry of "runtimes" that has `settings` beside the directory.
std::string attempted(JsonObject settings, const std::string& inside, const std::string& outside,
                      const char* tool = attempts) {
  const toolwire_test::ScratchFolder tools;
  tools.file("attempts.mjs", tool);
  settings["tools"] = tools.text();
  toolwire_test::Language language(std::move(settings));
  const toolwire_test::ListeningSocket socket;
  toolwire::testing::Client client(language.server());
  return client
      .call("attempts",
            JsonObject{{"inside", inside}, {"outside", outside}, {"port", socket.port()}, {"bridge", ::getpid()}})
      .text();
}

/// A directory of tools in JavaScript, and a pool over it.
struct Fixture : PoolFixture {
  Fixture() {
    options.name = "typescript";
    options.start.command = {"node", TOOLWIRE_TYPESCRIPT_DIR "/dist/main.js", folder.text(), "--grant-all"};
    options.start.environment = {{"PATH", std::getenv("PATH")}};
  }
  void tool(const std::string& name, const std::string& execute) {
    folder.file(name + ".mjs", "import { existsSync } from 'node:fs';\nexport const tool = {id: '" + name +
                                   "', description: '', parameters: {type: 'object'}, execute: " + execute + "};\n");
  }
  void write_file() { std::ofstream(folder / "go") << "now"; }
  JsonObject file() { return {{"path", (folder / "go").string()}}; }
};

/// Whether `attempt` comes to it by a deadline: one that is too short for a busy machine is tried again, twice as far.
template <typename Attempt>
bool in_time(Attempt attempt) {
  for (auto time = 100ms; time < 20s; time *= 2) {
    if (attempt(RuntimePool::Clock::now() + time)) return true;
  }
  return false;
}

bool is_process_id(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Says how many programs it could start, of forty.
const char* const spawn_many = R"(async () => {
  const { spawn } = await import("node:child_process");
  let count = 0;
  while (count < 40) {
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    child.on("error", () => {});
    if (child.pid === undefined) break;
    ++count;
  }
  return String(count);
})";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(OwnGroup);

BOOST_FIXTURE_TEST_CASE(tools_in_typescript_answer_as_those_in_cpp_do, Packages) {
  toolwire_test::compare_with_cpp({{"tools", language_tools}});
}

BOOST_FIXTURE_TEST_CASE(confined_they_answer_alike, Packages, *boost::unit_test::precondition(has_landlock)) {
  toolwire_test::compare_with_cpp(
      {{"tools", language_tools},
       {"confinement",
        {{"files", "workspace"}, {"workspace", toolwire::JsonArray{workspace.text()}}, {"network", "none"}}}});
}

BOOST_FIXTURE_TEST_CASE(a_confined_tool_does_no_more_than_it_is_let, Packages,
                        *boost::unit_test::precondition(has_landlock)) {
  const toolwire_test::ScratchFolder outside;
  BOOST_TEST(attempted({}, workspace.text(), outside.text()) == "done done done done done done");
  std::filesystem::remove(outside / "file");
  const JsonObject confinement{{"files", "workspace"},
                               {"workspace", toolwire::JsonArray{workspace.text()}},
                               {"network", "none"},
                               {"programs", "none"},
                               {"limits", {{"memory", 1 << 30}}}};
  BOOST_TEST(attempted({{"confinement", confinement}}, workspace.text(), outside.text()) ==
             "done EACCES EACCES EACCES EPERM RangeError");
  BOOST_TEST(!std::filesystem::exists(outside / "file"));

  for (const char* const file : {"kept", "third", "fourth"}) outside.file(file, "content");
  outside.folder("folder");
  workspace.file("own");
  workspace.link(outside.path() / "kept", "way_out");
  const bool has_scopes = toolwire::bridge::kernel_support().landlock >= 6;
  BOOST_TEST(attempted({{"confinement", confinement}}, workspace.text(), outside.text(), further_attempts) ==
             (has_scopes ? "" : "signal"));
  BOOST_TEST(attempted({}, workspace.text(), outside.text(), further_attempts) ==
             "list read mode own mode owner times times of a link signal environment shell fork own program append "
             "follow truncate link symlink mkdir rmdir rename move unlink datagrams listen local priority command "
             "thread");
}

// Every thread of the process: what a tool could do with calls that JavaScript does not have is refused to all alike.
BOOST_FIXTURE_TEST_CASE(all_threads_of_a_confined_runtime_are_filtered, Packages,
                        *boost::unit_test::precondition(has_landlock)) {
  const JsonObject confinement{
      {"files", "workspace"}, {"workspace", toolwire::JsonArray{workspace.text()}}, {"network", "none"}};
  const std::string filtered =
      attempted({{"confinement", confinement}}, workspace.text(), workspace.text(), threads_of_the_process);
  BOOST_TEST(filtered.starts_with("all of "), filtered);
  const std::string free = attempted({}, workspace.text(), workspace.text(), threads_of_the_process);
  BOOST_TEST(free.starts_with("none of "), free);
}

BOOST_FIXTURE_TEST_CASE(a_confined_tool_keeps_to_its_limits_and_to_the_programs_that_are_listed, Packages,
                        *boost::unit_test::precondition(has_landlock)) {
  const JsonObject confinement{{"files", "workspace"},
                               {"workspace", toolwire::JsonArray{workspace.text()}},
                               {"network", "none"},
                               {"programs", toolwire::JsonArray{"true"}},
                               {"limits", {{"file_size", 100'000}, {"open_files", 300}}}};
  const std::string confined =
      attempted({{"confinement", confinement}}, workspace.text(), workspace.text(), limit_attempts);
  BOOST_TEST(confined == "EFBIG EMFILE done EACCES EACCES", confined);
  const std::string unconfined = attempted({}, workspace.text(), workspace.text(), limit_attempts);
  BOOST_TEST(unconfined == "done done done 1 done", unconfined);
}

BOOST_FIXTURE_TEST_SUITE(a_pool, Fixture)

BOOST_AUTO_TEST_CASE(answers_a_thousand_calls_at_once_over_four_processes_each_with_its_own) {
  tool("echo", echo);
  options.size = 4;
  std::vector<std::unique_ptr<PoolCall>> calls;
  calls.reserve(1000);
  for (int i = 0; i < 1000; ++i)
    calls.push_back(std::make_unique<PoolCall>(pool(), "echo", JsonObject{{"text", std::to_string(i)}}));
  for (int i = 0; i < 1000; ++i) BOOST_TEST(calls[static_cast<std::size_t>(i)]->text() == std::to_string(i));
}

BOOST_AUTO_TEST_CASE(tells_a_tool_that_its_call_is_cancelled) {
  tool("wait", wait_until_told);
  tool("heard", heard);
  options.size = 1;
  PoolCall waiting(pool(), "wait");
  waiting.wait_until_it_runs();
  BOOST_TEST(call("heard") == "nothing");
  waiting.stop();
  BOOST_TEST(waiting.text() == "cancelled: cancelled");
  BOOST_TEST(call("heard") == "AbortError");
}

BOOST_AUTO_TEST_CASE(tells_a_tool_that_its_time_is_over) {
  tool("wait", wait_until_told);
  tool("heard", heard);
  options.size = 1;
  BOOST_TEST(in_time([this](auto deadline) {
    BOOST_TEST(contains(PoolCall(pool(), "wait", JsonObject{}, deadline).text(), "timeout: "));
    return call("heard") == "TimeoutError";
  }));
}

BOOST_AUTO_TEST_CASE(kills_a_tool_that_never_returns_at_its_deadline_and_replaces_its_process) {
  tool("spin", never_return);
  tool("who", process_id);
  options.size = 1;
  options.grace = 20ms;
  const std::string first = call("who");
  BOOST_TEST(in_time([&](auto deadline) {
    BOOST_TEST(contains(PoolCall(pool(), "spin", JsonObject{}, deadline).text(), "timeout: "));
    const std::string next = call("who");
    BOOST_TEST(is_process_id(next));
    return next != first;
  }));
  BOOST_TEST(contains(said->text(), "\"spin\" did not end within 20 ms after it was told to"));
}

BOOST_AUTO_TEST_CASE(ends_a_confined_tool_that_prints_without_end_at_its_deadline,
                     *boost::unit_test::precondition(has_landlock)) {
  const toolwire_test::ScratchFolder own;
  options.start.confinement = {.files = toolwire::bridge::FileAccess::workspace,
                               .workspace = {own.text()},
                               .readable = {folder.text(), TOOLWIRE_TYPESCRIPT_DIR},
                               .network = toolwire::bridge::NetworkAccess::none,
                               .programs = toolwire::bridge::ProgramAccess::none};
  options.grace = 20ms;
  tool("print", "() => { for (;;) console.log('x'.repeat(1000)); }");
  tool("echo", echo);
  BOOST_TEST(call("echo", JsonObject{{"text", "there"}}) == "there");
  PoolCall printing(pool(), "print", JsonObject{}, RuntimePool::Clock::now() + 1000ms);
  BOOST_TEST(contains(printing.text(), "timeout: "));
  BOOST_TEST(call("echo", JsonObject{{"text", "again"}}) == "again");
}

BOOST_AUTO_TEST_CASE(has_no_more_processes_than_its_limit, *boost::unit_test::precondition(toolwire_test::has_group)) {
  tool("spawn_many", spawn_many);
  options.start.kernel = toolwire_test::delegated();
  options.start.confinement = {.limits = {.processes = 30}};
  const int programs = std::stoi(call("spawn_many"));
  BOOST_TEST(programs > 0);
  BOOST_TEST(programs < 30);
  pool().close();
  BOOST_TEST(toolwire_test::groups_of_runs() == 0U);
}

BOOST_AUTO_TEST_CASE(has_as_many_as_it_likes_without_a_limit,
                     *boost::unit_test::precondition(toolwire_test::has_group)) {
  tool("spawn_many", spawn_many);
  options.start.kernel = toolwire_test::delegated();
  BOOST_TEST(call("spawn_many") == "40");
}

BOOST_AUTO_TEST_CASE(lets_calls_in_other_processes_survive_one_that_is_killed) {
  tool("spin", never_end);
  tool("wait", wait_for_file);
  options.size = 2;
  options.calls_at_once = 1;
  options.grace = 0ms;
  PoolCall spinning(pool(), "spin");
  PoolCall waiting(pool(), "wait", file());
  spinning.wait_until_it_runs();
  waiting.wait_until_it_runs();
  spinning.stop();
  BOOST_TEST(spinning.text() == "cancelled: cancelled");
  while (pool().state().failures == 0) std::this_thread::sleep_for(1ms);
  write_file();
  BOOST_TEST(is_process_id(waiting.text()));
}

BOOST_AUTO_TEST_CASE(says_which_calls_a_process_that_dies_has_lost) {
  tool("die", "() => process.kill(process.pid, 'SIGKILL')");
  tool("wait", wait_for_file);
  options.size = 2;
  options.calls_at_once = 1;
  PoolCall waiting(pool(), "wait", file());
  waiting.wait_until_it_runs();
  const RuntimeAnswer answer = PoolCall(pool(), "die").answer();
  BOOST_REQUIRE(answer.trouble.has_value());
  BOOST_TEST(answer.trouble->code == "unavailable");
  BOOST_TEST(contains(answer.trouble->text, "The runtime \"typescript\" ended while it ran \"die\": it was killed"));
  write_file();
  BOOST_TEST(is_process_id(waiting.text()));
  BOOST_TEST(pool().state().failures == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
