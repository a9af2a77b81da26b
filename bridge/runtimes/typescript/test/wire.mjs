// A runtime as a child process, as the bridge sees it.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
export const tools = fileURLToPath(new URL("tools", import.meta.url));

export class Wire {
  #kept = [];
  #waiting = [];
  #next = 0;
  errors = "";

  /** `through` is what starts it, if not this: its program and first arguments. Node's own pipes are sockets. */
  constructor({ directory = tools, options = ["--grant-all"], through = [] } = {}) {
    const [program, ...words] = [...through, process.execPath, main, directory, ...options];
    this.child = spawn(program, words, { stdio: "pipe" });
    this.child.stderr.on("data", (data) => (this.errors += data));
    // Which of two pipes is read first is chance: at the end of the turn, what was said to standard error before is there too.
    createInterface({ input: this.child.stdout }).on("line", (line) => setImmediate(() => this.#take(JSON.parse(line))));
    this.ended = new Promise((done) => this.child.on("close", (status) => setImmediate(done, status)));
    this.ended.then(() => this.#waiting.splice(0).forEach(({ refuse }) => refuse(new Error("it has ended: " + this.errors))));
  }

  #take(message) {
    const index = this.#waiting.findIndex(({ fits }) => fits(message));
    if (index < 0) this.#kept.push(message);
    else this.#waiting.splice(index, 1)[0].done(message);
  }

  /** The first message that fits; others are kept for later. */
  message(fits) {
    const index = this.#kept.findIndex(fits);
    if (index >= 0) return Promise.resolve(this.#kept.splice(index, 1)[0]);
    return new Promise((done, refuse) => this.#waiting.push({ fits, done, refuse }));
  }
  answer(id) {
    return this.message((one) => !("method" in one) && one.id === id);
  }
  async progress(id) {
    return (await this.message((one) => one.method === "tool.progress" && one.params.id === id)).params;
  }

  write(text) {
    this.child.stdin.write(text);
  }
  send(message) {
    this.write(JSON.stringify({ jsonrpc: "2.0", protocol: "1.0.0", ...message }) + "\n");
  }
  request(method, params = {}, id = ++this.#next) {
    this.send({ id, method, params });
    return this.answer(id);
  }
  execute(id, tool, parameters = {}, context = {}) {
    this.send({ id, method: "tool.execute", params: { tool, parameters, context: { sessionId: "s", messageId: "m", ...context } } });
    return this.answer(id);
  }
  async call(tool, parameters, context) {
    return this.execute(++this.#next, tool, parameters, context);
  }
  async output(tool, parameters) {
    return (await this.call(tool, parameters)).result.output;
  }
  cancel(id, reason) {
    this.send({ method: "tool.cancel", params: { id, ...(reason && { reason }) } });
  }
  end() {
    this.child.stdin.end();
    return this.ended;
  }
}
