import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { tools, Wire } from "./wire.mjs";

const codeOf = ({ error }) => error.code;

describe("a runtime", () => {
  let wire;
  before(() => (wire = new Wire()));
  after(() => wire.end());

  it("says who it is", async () => {
    const { protocol, result } = await wire.request("ping");
    assert.equal(protocol, "1.0.0");
    assert.equal(result.language, "typescript");
    assert.equal(result.pid, wire.child.pid);
    assert.equal(result.calls, 0);
  });

  it("runs TypeScript, with types, enums and files that are named as they will be", async () => {
    assert.equal(await wire.output("inTypeScript", { text: "hi", manner: "loud" }), "HI HI");
    assert.equal((await wire.call("inTypeScript", { text: "fail" })).error.data.details, "line 17");
    assert.match(wire.errors, /inTypeScript\.ts:17:/);
  });

  it("lists what it has loaded, and what it could not", async () => {
    const { tools, problems } = (await wire.request("registry.list")).result;
    const ids = tools.map(({ id }) => id);
    assert.deepEqual(ids, [...ids].sort());
    const echo = tools.find(({ id }) => id === "echo");
    assert.deepEqual(echo, {
      id: "echo",
      description: "Says it again",
      language: "typescript",
      schema: {
        type: "object",
        properties: {
          text: { type: "string", description: "what to say" },
          times: { default: 1, type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        },
        required: ["text"],
      },
    });
    const structured = tools.find(({ id }) => id === "structured");
    assert.equal(structured.title, "A structure");
    assert.deepEqual(structured.annotations, { readOnlyHint: true });
    assert.deepEqual(structured.outputSchema.required, ["n"]);
    assert.deepEqual(tools.find(({ id }) => id === "needy").permissions, { read: ["data"], network: ["api.example.com:443"] });
    assert.deepEqual(problems, [
      { file: "broken.mjs", message: "does not load" },
      { file: "second.mjs", message: 'there is another tool "echo"' },
      {
        file: "unspeakable.mjs",
        message: 'tool "unspeakable": what it says of itself is no JSON: Do not know how to serialize a BigInt',
      },
    ]);
  });

  it("runs Tool.Info objects as they are", async () => {
    const { result } = await wire.call("echo", { text: "ab", times: 2 });
    assert.deepEqual(result, { output: "abab", metadata: { title: "said", length: 2 }, diagnostics: [] });
    assert.equal(await wire.output("echo", { text: "default" }), "default");
    assert.equal(await wire.output("number"), "3");
  });

  it("tells tools their circumstances in both spellings", async () => {
    const { result } = await wire.call("circumstances", {}, { timeout: 60000, meta: { a: 1, traceparent: "00-a-b-01", tracestate: 7 } });
    assert.deepEqual(JSON.parse(result.output), {
      sessionId: "s", sessionID: "s", messageId: "m", messageID: "m", timeout: 60000,
      meta: { a: 1, traceparent: "00-a-b-01", tracestate: 7 }, trace: { traceparent: "00-a-b-01" }, keys: ["title", "one", "two"],
    });
    assert.deepEqual(result.metadata, { title: "told", one: 1, two: 2 });
  });

  it("refuses parameters that do not fit, naming all", async () => {
    const { error } = await wire.call("echo", { text: 1, times: 0 });
    assert.equal(error.code, -32602);
    assert.equal(error.message, "Invalid parameters");
    assert.deepEqual(error.data.violations.map(({ path }) => path), ["/text", "/times"]);
    const json = (await wire.call("failing", { text: 1, other: 2 })).error;
    assert.deepEqual(json.data.violations, [
      { path: "/other", message: "is not expected" },
      { path: "/text", message: "expected a string" },
    ]);
    assert.equal(json.data.details, "/other: is not expected; /text: expected a string");
  });

  it("holds results against what was promised", async () => {
    const { result } = await wire.call("structured", { n: 3 });
    assert.deepEqual(result.structured, { n: 3 });
    assert.equal(result.output, '{"n":3}');
    const { error } = await wire.call("structured", { n: "x" });
    assert.equal(error.code, -32000);
    assert.match(error.data.details, /not what it promised: \/n: expected an integer/);
    assert.match((await wire.call("cyclic")).error.data.details, /no JSON/);
  });

  it("says in words what a tool threw, and keeps its stack from the wire", async () => {
    const details = async (tool, parameters) => (await wire.call(tool, parameters)).error.data.details;
    assert.equal(await details("failing", { text: "no" }), "no");
    assert.equal(await details("refusing"), "not today");
    assert.equal(await details("typed"), "TypeError: a mistake");
    assert.equal(codeOf(await wire.call("denied")), -32002);
  });

  it("answers in place of what the wire cannot carry", async () => {
    assert.equal(await wire.output("deep", { levels: 90 }), "x");
    assert.match((await wire.call("deep", { levels: 130 })).error.data.details, /nests more than 100/);
    assert.match((await wire.call("long", { size: 41 << 20 })).error.data.details, /longer than a line may be: 80 MiB/);
    assert.equal((await wire.call("loud")).error.data.details.length, 1 << 20);
    const calls = [{ tool: "deep", parameters: { levels: 130 } }, { tool: "cyclic" }, { tool: "number" }];
    const { results } = (await wire.request("tool.batch", { calls })).result;
    assert.deepEqual(results.map((one) => one.result?.output ?? one.error.code), [-32000, -32000, "3"]);
  });

  it("ends calls whose tools throw what cannot be put into words", async () => {
    for (const tool of ["unspeakable", "voiceless"]) assert.equal(codeOf(await wire.call(tool)), -32000);
    assert.equal((await wire.request("ping")).result.calls, 0);
  });

  it("outlives what a tool throws too late", async () => {
    assert.equal(await wire.output("late"), "in time");
    assert.equal(await wire.output("echo", { text: "here" }), "here");
  });

  it("keeps what tools print, and their children, off the wire", async () => {
    assert.equal(await wire.output("printing"), "null");
    await wire.request("ping");
    for (const text of ["from console", "from stdout", "from a child"]) assert.ok(wire.errors.includes(text), text);
  });

  it("keeps what is written to descriptor 1 off the wire, where both are pipes", async () => {
    const piped = new Wire({ through: ["sh", "-c", '{ "$@" 2>&1 1>&3 | cat >&2; } 3>&1 | cat', "sh"] });
    assert.equal(await piped.output("numbered"), "kept apart");
    await piped.end();
    for (const text of ["from a number", "from a child by number"]) assert.ok(piped.errors.includes(text), text);
  });

  it("knows what it does not know", async () => {
    const { error } = await wire.call("none");
    assert.equal(error.code, -32601);
    assert.match(error.data.details, /there is no tool "none"; there are: circumstances, /);
    assert.deepEqual((await wire.call("broken")).error.data.problems, [{ file: "broken.mjs", message: "does not load" }]);
    assert.equal(codeOf(await wire.request("tool.unknown")), -32601);
  });

  it("gives threads of tools less room for code within a limit of memory, where they do not choose", async () => {
    const bounded = new Wire({ through: ["sh", "-c", 'ulimit -d 1048576 && exec "$@"', "sh"] });
    const limits = [undefined, { stackSizeMb: 2 }, { codeRangeSizeMb: 32 }];
    assert.equal(await bounded.output("threads", { limits }), "[64,64,32]");
    await bounded.end();
    assert.notEqual(await wire.output("threads", { limits: [undefined] }), "[64]");
  });

  it("refuses messages that are none, by their id where they have one", async () => {
    wire.write("{nonsense\n");
    assert.equal(codeOf(await wire.answer(null)), -32700);
    wire.send({ id: "p", protocol: "2.0.0", method: "ping" });
    const { error } = await wire.answer("p");
    assert.equal(error.code, -32600);
    assert.equal(error.data.supported, "1.0.0");
    for (const wrong of [{ method: 5 }, { method: "ping", params: [] }, { jsonrpc: "1.0", method: "ping" }, { protocol: undefined, method: "ping" }]) {
      wire.send({ id: "w", ...wrong });
      assert.equal(codeOf(await wire.answer("w")), -32600);
    }
    wire.send({ id: "minor", protocol: "1.9.2", method: "ping", unknown: true });
    assert.ok((await wire.answer("minor")).result);
    for (const context of [[], { timeout: -1 }, { timeout: "x" }]) {
      const answer = await wire.request("tool.execute", { tool: "echo", parameters: { text: "" }, context });
      assert.equal(codeOf(answer), -32600);
    }
    const foreign = await wire.request("tool.execute", { tool: "echo", language: "python", parameters: { text: "" }, context: {} });
    assert.equal(codeOf(foreign), -32600);
    assert.match(foreign.error.data.details, /language: expected "typescript", found "python"/);
  });

  it("aborts a call that is cancelled or whose time is over", async () => {
    const first = wire.execute("c", "wait", {}, { progress: true });
    assert.deepEqual(await wire.progress("c"), { id: "c", progress: 1, total: 2, message: "waiting" });
    const second = wire.execute("c", "wait"); // of the same id: refused, which is the answer that comes first
    assert.equal(codeOf(await first), -32600);
    wire.cancel("c");
    assert.equal((await second).error.data.cancelled, true);
    assert.equal(codeOf(await wire.call("wait", {}, { timeout: 5 })), -32001);
    const late = wire.execute("t", "wait", {}, { progress: true });
    await wire.progress("t");
    wire.cancel("t", "timeout");
    assert.equal(codeOf(await late), -32001);
    for (const unknown of ["none", null, {}, 7]) wire.cancel(unknown);
  });

  it("answers with the result of a tool that finishes all the same, and sends no progress after its cancellation", async () => {
    assert.equal((await wire.call("stubborn", {}, { timeout: 5, progress: true })).result.output, "finished after TimeoutError");
    await wire.request("ping");
    const said = [];
    const more = wire.message((one) => one.method === "tool.progress" && one.params.progress === 2).then((one) => said.push(one), () => {});
    await wire.request("ping");
    assert.equal(said.length, 0);
    void more;
  });

  it("runs calls at the same time", async () => {
    const waiting = wire.execute("first", "wait", {}, { progress: true });
    await wire.progress("first");
    assert.equal(await wire.output("echo", { text: "meanwhile" }), "meanwhile");
    assert.equal((await wire.request("ping")).result.calls, 1);
    wire.cancel("first");
    await waiting;
  });

  it("answers a batch in order, each call for itself", async () => {
    const calls = [
      { tool: "echo", parameters: { text: "a" } },
      { tool: "failing", parameters: { text: "b" } },
      { tool: "wait", context: { timeout: 5 } },
      { tool: "none" },
    ];
    const { results } = (await wire.request("tool.batch", { calls, context: { sessionId: "s" } })).result;
    assert.deepEqual(results.map((one) => one.result?.output ?? one.error.code), ["a", -32000, -32001, -32601]);
    assert.deepEqual((await wire.request("tool.batch", { calls: [] })).result, { results: [] });
    const together = wire.request("tool.batch", { calls: [{ tool: "wait" }, { tool: "wait" }] }, "b");
    await wire.request("ping");
    wire.cancel("b");
    assert.deepEqual((await together).result.results.map(({ error }) => error.data.cancelled), [true, true]);
    assert.equal(codeOf(await wire.request("tool.batch", { calls: [{ tool: 5 }] })), -32600);
  });
});

describe("a generator", () => {
  let wire;
  before(() => (wire = new Wire()));
  after(() => wire.end());

  it("yields progress, and all of it is the result", async () => {
    for (const tool of ["counting", "countingLater", "reading"]) {
      const answer = wire.execute(tool, tool, { to: 3 }, { progress: true });
      for (let i = 0; i < 3; ++i)
        assert.deepEqual(await wire.progress(tool), { id: tool, progress: i + 1, message: `${i};` });
      assert.equal((await answer).result.output, "0;1;2;");
      assert.equal(await wire.output(tool, { to: 0 }), "");
    }
    const { result } = await wire.call("mixed");
    assert.deepEqual(result, { output: "1 two é", metadata: { title: "mixed", a: 1 }, diagnostics: ["x"] });
    assert.deepEqual((await wire.call("rows")).result.structured, [{ n: 1 }, { n: 2 }]);
    assert.equal((await wire.call("failingMidway")).error.data.details, "no more");
  });

  it("may return the result, and its progress grows", async () => {
    const answer = wire.execute("c", "concluding", {}, { progress: true });
    assert.equal((await wire.progress("c")).progress, 10);
    assert.equal((await wire.progress("c")).progress, 11);
    assert.equal((await answer).result.output, "the end");
  });

  it("is closed when its call is cancelled or late", async () => {
    for (const tool of ["endless", "endlessLater"]) {
      const answer = wire.execute(tool, tool, {}, { progress: true });
      await wire.progress(tool);
      wire.cancel(tool);
      assert.equal((await answer).error.data.cancelled, true);
      assert.equal(codeOf(await wire.call(tool, {}, { timeout: 30 })), -32001);
      assert.equal(wire.errors.split(`cleaned up ${tool}\n`).length, 3);
    }
    const stuck = wire.execute("s", "stuckStream", {}, { progress: true });
    await wire.progress("s");
    wire.cancel("s");
    assert.equal((await stuck).error.data.cancelled, true);
  });
});

describe("permissions", () => {
  it("are needed where nothing was granted", async () => {
    const wire = new Wire({ options: [] });
    const { error } = await wire.call("needy");
    assert.equal(error.code, -32002);
    assert.deepEqual(error.data.permissions, { read: ["data"], network: ["api.example.com:443"] });
    assert.equal(await wire.output("number"), "3");
    assert.equal(await wire.end(), 0);
  });

  it("come with the configuration, once", async () => {
    const wire = new Wire({ options: [] });
    for (const params of [{ workers: 0 }, { workers: true }, { permissions: { reed: [] } }, { permissions: [] }])
      assert.equal(codeOf(await wire.request("configure", params)), -32600);
    const granted = { write: [tools], network: ["*.example.com"] };
    assert.deepEqual((await wire.request("configure", { permissions: granted, workers: 4 })).result, {});
    assert.equal(await wire.output("needy"), "granted");
    assert.equal(codeOf(await wire.request("configure")), -32600);
    await wire.end();
  });
});

describe("the end", () => {
  it("of the input cancels what runs", async () => {
    const wire = new Wire();
    const call = wire.execute(1, "wait", {}, { progress: true });
    await wire.progress(1);
    const status = wire.end();
    assert.equal((await call).error.data.cancelled, true);
    assert.equal(await status, 0);
  });

  it("of the input ends it even if a tool does not care", async () => {
    const wire = new Wire();
    wire.execute(1, "hang", {}, { progress: true }).catch(() => {});
    await wire.progress(1);
    assert.equal(await wire.end(), 0);
  });

  it("comes with that of its host, also while a tool runs", async () => {
    const host = spawn(process.execPath, [fileURLToPath(new URL("abandoned.mjs", import.meta.url))], { stdio: ["ignore", "pipe", "inherit"] });
    const pid = Number(await new Promise((done) => host.stdout.once("data", done)));
    const isThere = () => {
      try {
        // A process that has ended and that nobody waits for is there too.
        return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    try {
      for (let i = 0; i < 1000 && isThere(); ++i) await new Promise((done) => setTimeout(done, 20));
      assert.equal(isThere(), false);
    } finally {
      if (isThere()) process.kill(pid, "SIGKILL");
    }
  });

  it("comes at once, with status 2, where there is no directory", () => {
    const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
    for (const [path, said] of [
      ["/nowhere/at/all", /: expected a directory\n$/],
      [fileURLToPath(new URL("./wire.mjs", import.meta.url)), /toolwire-bridge serve --runtime NAME='.*test'/],
    ]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, path], { input: "", encoding: "utf8" });
      assert.equal(status, 2);
      assert.match(stderr, said);
      assert.equal(stdout, "");
    }
  });

  it("by shutdown lets calls finish and takes no more", async () => {
    const wire = new Wire();
    const call = wire.execute(1, "stubborn", {}, { progress: true });
    await wire.progress(1);
    const shutdown = wire.request("shutdown", {}, 2);
    assert.equal(codeOf(await wire.execute(3, "echo", { text: "x" })), -32603);
    wire.cancel(1);
    assert.equal((await call).result.output, "finished after AbortError");
    assert.deepEqual((await shutdown).result, {});
    assert.equal(await wire.ended, 0);
  });

  it("by shutdown cancels what takes longer", async () => {
    const wire = new Wire();
    const call = wire.execute(1, "wait", {}, { progress: true });
    await wire.progress(1);
    wire.send({ id: 2, method: "shutdown", params: { timeout: 5 } });
    assert.equal((await call).error.data.cancelled, true);
    assert.equal(await wire.ended, 0);
  });
});
