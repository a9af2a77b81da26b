// Standard input and output belong to the wire: tools find an empty input, and what they print goes to standard error.
import childProcess from "node:child_process";
import { Console } from "node:console";
import { closeSync, openSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { PassThrough, type Readable, type Writable } from "node:stream";

import { LONGEST_LINE } from "./wire.js";

/** Splits the input into lines; `undefined` is one that is too long. */
export class Lines {
  private parts: Buffer[] = [];
  private size = 0;
  private isTooLong = false;

  constructor(
    private readonly take: (line: string | undefined) => void,
    private readonly longest = LONGEST_LINE,
  ) {}

  add(data: Buffer): void {
    for (let begin = 0; begin < data.length; ) {
      const end = data.indexOf(10, begin);
      this.keep(data.subarray(begin, end < 0 ? data.length : end));
      if (end < 0) return;
      this.finish();
      begin = end + 1;
    }
  }

  /** A last line without an end counts as well. */
  end(): void {
    if (this.size > 0 || this.isTooLong) this.finish();
  }

  private keep(part: Buffer): void {
    this.size += part.length;
    this.isTooLong ||= this.size > this.longest;
    if (this.isTooLong) this.parts = [];
    else this.parts.push(part);
  }

  private finish(): void {
    const whole = this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts);
    const line = this.isTooLong ? undefined : whole.toString("utf8");
    this.parts = [];
    this.size = 0;
    this.isTooLong = false;
    if (line === undefined || line.trim() !== "") this.take(line);
  }
}

/** Writes lines; those of one turn of the event loop go out together. */
export class Output {
  private lines: string[] = [];

  constructor(private readonly stream: Writable) {}

  add(line: string): void {
    if (this.lines.push(line) === 1) queueMicrotask(() => this.flush());
  }

  flush(): void {
    if (this.lines.length === 0) return;
    const text = this.lines.join("\n") + "\n";
    this.lines = [];
    this.stream.write(text);
  }

  /** Once everything has been handed over to the system. */
  async end(): Promise<void> {
    this.flush();
    await new Promise<void>((done) => this.stream.write("", () => done()));
  }
}

/** What a tool's child would inherit of ours: nothing to read, and standard error to write to. */
function withoutWire(stdio: unknown): unknown {
  const one = (stream: unknown, index: number) => {
    const ours = stream === "inherit" || stream === undefined ? index : stream;
    if (ours === 0 && stream !== undefined) return "ignore";
    return ours === 1 && stream !== undefined ? 2 : stream;
  };
  if (stdio === "inherit") return ["ignore", 2, 2];
  return Array.isArray(stdio) ? stdio.map(one) : stdio;
}

function keepChildrenOffTheWire(): void {
  for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"] as const) {
    const own = childProcess[name] as (...args: unknown[]) => unknown;
    (childProcess as Record<string, unknown>)[name] = (...args: unknown[]) => {
      const changed = args.map((argument) =>
        typeof argument === "object" && argument !== null && !Array.isArray(argument) && "stdio" in argument
          ? { ...argument, stdio: withoutWire(argument.stdio) }
          : argument,
      );
      return own(...changed);
    };
  }
  // Without more words a fork inherits all three.
  const fork = childProcess.fork as (...args: unknown[]) => unknown;
  (childProcess as Record<string, unknown>)["fork"] = (path: unknown, ...args: unknown[]) => {
    const list = Array.isArray(args[0]) ? (args.shift() as unknown[]) : [];
    const options = (args[0] ?? {}) as Record<string, unknown>;
    return fork(path, list, { stdio: ["ignore", 2, 2, "ipc"], ...options });
  };
  syncBuiltinESMExports();
}

/**
 * The wire under another number, so that whoever writes to 1 by its number writes to standard error. Where the system
 * does not open them once more (sockets), all stays where it is.
 */
function wireBesideStandardStreams(): Writable {
  let errors: number | undefined;
  try {
    errors = openSync("/proc/self/fd/2", "a");
    const wire = openSync("/proc/self/fd/1", "w");
    closeSync(1);
    openSync("/proc/self/fd/2", "a"); // the lowest number that is free: 1
    return new Socket({ fd: wire, readable: false, writable: true });
  } catch {
    return process.stdout;
  } finally {
    if (errors !== undefined) closeSync(errors);
  }
}

/** Takes the standard streams away from everybody else, once. */
export function takeStandardStreams(): { input: Readable; output: Writable } {
  const input = process.stdin;
  const output = wireBesideStandardStreams();
  const empty = new PassThrough();
  empty.end();
  Object.defineProperty(process, "stdin", { value: empty, configurable: true });
  Object.defineProperty(process, "stdout", { value: process.stderr, configurable: true });
  globalThis.console = new Console(process.stderr, process.stderr);
  keepChildrenOffTheWire();
  return { input, output };
}
