// The runtime of TypeScript, as the build folder has it: the tools of every language through a bridge, and what a pool
// promises of its processes.
#include "commands/served_runtimes.hpp"

#define BOOST_TEST_MODULE bridge_typescript
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "language_transcript.hpp"
#include "listening_socket.hpp"
#include "runtime_pool.hpp"
#include "system/kernel.hpp"

namespace {

using namespace std::chrono_literals;
using toolwire::JsonObject;
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
import { appendFileSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, symlinkSync, truncateSync, unlinkSync,
         writeFileSync } from "node:fs";
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

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

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
  workspace.link(outside.path() / "kept", "way_out");
  BOOST_TEST(attempted({{"confinement", confinement}}, workspace.text(), outside.text(), further_attempts) == "");
  BOOST_TEST(attempted({}, workspace.text(), outside.text(), further_attempts) ==
             "list append follow truncate link symlink mkdir rmdir rename move unlink datagrams listen local priority "
             "command thread");
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
  while (pool().state().failures == 0) std::this_thread::yield();
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
