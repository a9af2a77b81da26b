// What each message of the wire does: the place where the parts meet.
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";

import { Call, callParams } from "./calls.js";
import { readPermissions } from "./permissions.js";
import type { Registry } from "./registry.js";
import { Lines, Output } from "./streams.js";
import { answerLine, Code, errorLine, Failure, isObject, notificationLine, readMessage, resultLine, type Id } from "./wire.js";

const { version } = createRequire(import.meta.url)("../package.json") as { version: string };
const drainAfterEnd = 1000; // milliseconds
const longestMessage = 1 << 16; // of progress

type Params = Record<string, unknown>;
interface Abortable {
  abort(reason: "cancelled" | "timeout"): void;
}

/** Serves one pair of streams until the input ends. */
export class Runtime {
  private readonly output: Output;
  private readonly underWay = new Map<Id, Abortable>();
  private isConfigured = false;
  private isClosing = false;
  private whenEmpty: (() => void) | undefined;

  constructor(
    private readonly registry: Registry,
    output: Writable,
    private readonly exit: (status: number) => void = (status) => process.exit(status),
  ) {
    this.output = new Output(output);
  }

  run(input: Readable): void {
    const lines = new Lines((line) => this.take(line));
    input.on("data", (data: Buffer) => lines.add(data));
    input.on("error", () => void this.endOfInput());
    input.on("end", () => {
      lines.end();
      void this.endOfInput();
    });
  }

  private readonly methods: Record<string, (id: Id, params: Params) => void | Promise<void>> = {
    "tool.execute": (id, params) => this.execute(id, params),
    "tool.batch": (id, params) => this.batch(id, params),
    ping: (id) => this.answer(id, this.whoIAm()),
    configure: (id, params) => this.configure(id, params),
    "registry.list": async (id) => this.answer(id, await this.registry.listed()),
    shutdown: (id, params) => this.shutdown(id, params),
  };

  private take(line: string | undefined): void {
    try {
      if (line === undefined) throw new Failure(Code.parseError, "expected a line of at most 80 MiB");
      const { id, isRequest, method, params } = readMessage(line);
      if (isRequest) void this.request(id, method, params);
      else if (method === "tool.cancel")
        this.underWay.get(params["id"] as Id)?.abort(params["reason"] === "timeout" ? "timeout" : "cancelled");
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure(Code.internalError, String(error));
      this.output.add(errorLine(failure.id, failure.error()));
    }
  }

  private async request(id: Id, method: string, params: Params): Promise<void> {
    try {
      if (!Object.hasOwn(this.methods, method))
        throw new Failure(Code.notFound, `there is no method "${method}"; there are: ${Object.keys(this.methods).join(", ")}`);
      await this.methods[method]!(id, params);
    } catch (error) {
      if (!(error instanceof Failure)) console.error(error);
      const failure = error instanceof Failure ? error : new Failure(Code.internalError, String(error));
      const tool = typeof params["tool"] === "string" ? params["tool"] : undefined;
      this.output.add(errorLine(id, failure.error(tool)));
    }
  }

  private answer(id: Id, result: unknown): void {
    this.output.add(resultLine(id, result));
  }

  private async execute(id: Id, params: Params): Promise<void> {
    const wanted = this.accept(id, () => callParams(params));
    const report = (progress: number, total?: number, message?: string) => {
      const said = message !== undefined && { message: String(message).slice(0, longestMessage) };
      this.output.add(notificationLine("tool.progress", { id, progress, ...(total !== undefined && { total }), ...said }));
    };
    const call = new Call(wanted, wanted.context["progress"] === true ? report : undefined);
    this.underWay.set(id, call);
    this.end(id, await call.run(this.registry));
  }

  private async batch(id: Id, params: Params): Promise<void> {
    const calls = this.accept(id, () => {
      const { calls: wanted, context } = params;
      if (!Array.isArray(wanted) || !wanted.every(isObject))
        throw new Failure(Code.invalidRequest, "expected params {calls: [params of tool.execute…]}");
      return wanted.map((one) => callParams(one, context)).map((one) => new Call(one));
    });
    this.underWay.set(id, { abort: (reason) => calls.forEach((call) => call.abort(reason)) });
    const results = await Promise.all(calls.map((call) => call.run(this.registry)));
    this.end(id, `"result":{"results":[${results.map((one) => `{${one}}`).join(",")}]}`);
  }

  private accept<Wanted>(id: Id, read: () => Wanted): Wanted {
    if (this.isClosing) throw new Failure(Code.internalError, "the runtime is shutting down");
    if (this.underWay.has(id)) throw new Failure(Code.invalidRequest, "id: a call with this id is under way");
    return read();
  }

  private end(id: Id, member: string): void {
    this.underWay.delete(id);
    this.output.add(answerLine(id, member));
    if (this.underWay.size === 0) this.whenEmpty?.();
  }

  private whoIAm(): unknown {
    const { pid, version: node } = process;
    return { runtime: `@toolwire/runtime ${version}`, version: node.slice(1), language: "typescript", pid, calls: this.underWay.size };
  }

  private configure(id: Id, { permissions, workers }: Params): void {
    if (this.isConfigured) throw new Failure(Code.invalidRequest, "this runtime is configured already");
    if (workers !== undefined && !(Number.isInteger(workers) && (workers as number) >= 1 && (workers as number) <= 1024))
      throw new Failure(Code.invalidRequest, "workers: expected a number from 1 to 1024");
    if (permissions !== undefined) {
      try {
        if (!isObject(permissions)) throw new Error("permissions: expected an object");
        this.registry.grant(readPermissions(permissions));
      } catch (error) {
        throw new Failure(Code.invalidRequest, (error as Error).message);
      }
    }
    this.isConfigured = true;
    this.answer(id, {});
  }

  private async shutdown(id: Id, { timeout = 5000 }: Params): Promise<void> {
    if (this.isClosing) throw new Failure(Code.internalError, "the runtime is shutting down");
    if (typeof timeout !== "number" || timeout < 0) throw new Failure(Code.invalidRequest, "timeout: expected milliseconds");
    this.isClosing = true;
    if (!(await this.emptyWithin(timeout))) {
      this.abortAll();
      await this.emptyWithin(undefined);
    }
    this.answer(id, {});
    await this.output.end();
    this.exit(0);
  }

  private async endOfInput(): Promise<void> {
    this.isClosing = true;
    this.abortAll();
    await this.emptyWithin(drainAfterEnd);
    await this.output.end();
    this.exit(0);
  }

  private abortAll(): void {
    for (const call of this.underWay.values()) call.abort("cancelled");
  }

  /** Whether no call is left, in time. */
  private emptyWithin(milliseconds: number | undefined): Promise<boolean> {
    if (this.underWay.size === 0) return Promise.resolve(true);
    return new Promise((done) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(() => done(false), milliseconds);
      this.whenEmpty = () => {
        clearTimeout(timer);
        done(true);
      };
    });
  }
}
