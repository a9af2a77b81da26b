// The tools of a directory: loaded when they are first asked for, what fails left out and reported.
import { readdir } from "node:fs/promises";
import * as nodeModule from "node:module";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import type { Permissions } from "./permissions.js";
import { LoadedTool, looksLikeTool, type Tool } from "./tool.js";
import { Code, Failure, sendable } from "./wire.js";

export interface Problem {
  file: string;
  message: string;
}

const endings = [".js", ".mjs", ".cjs", ".ts", ".mts"];
/** Node itself, without the hook of `typescript_files`. */
const runsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript);

/** Each file is run once. */
export class Registry {
  readonly tools = new Map<string, LoadedTool>();
  readonly problems: Problem[] = [];
  readonly directory: string;
  private files: Promise<Map<string, string>> | undefined; // by what they are called without ending
  private readonly loads = new Map<string, Promise<void>>();

  /** `granted` undefined grants everything. */
  constructor(
    directory = "",
    private granted: Permissions | undefined = undefined,
  ) {
    this.directory = directory === "" ? "" : resolve(directory);
  }

  /** A tool that is in no file. Throws an Error if it is none, or if its id is taken. */
  async add(info: Tool.Info): Promise<LoadedTool> {
    const definition = "init" in info && typeof info.init === "function" ? await info.init() : (info as Tool.Definition);
    const tool = new LoadedTool(info.id, definition, this.directory);
    sendable(tool.listed(), `tool "${tool.id}": what it says of itself`); // else nothing could be listed
    if (this.tools.has(tool.id)) throw new Error(`there is another tool "${tool.id}"`);
    tool.grant(this.granted);
    this.tools.set(tool.id, tool);
    return tool;
  }

  grant(granted: Permissions | undefined): void {
    this.granted = granted;
    for (const tool of this.tools.values()) tool.grant(granted);
  }

  /** Loads the file that is called like the tool, else all. Throws a Failure if there is none. */
  async find(id: string): Promise<LoadedTool> {
    let tool = this.tools.get(id);
    if (tool) return tool;
    await this.load(id);
    if (!this.tools.has(id)) await this.loadAll();
    tool = this.tools.get(id);
    if (tool) return tool;
    const known = [...this.tools.keys()].sort().join(", ") || "none";
    const why = this.problems.filter(({ file }) => file.slice(0, file.length - extname(file).length) === id);
    throw new Failure(Code.notFound, `there is no tool "${id}"; there are: ${known}`, why.length > 0 ? { problems: why } : {});
  }

  /** As the answer to `registry.list`. */
  async listed(): Promise<{ tools: unknown[]; problems: Problem[] }> {
    await this.loadAll();
    const tools = [...this.tools.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
    return { tools: tools.map((tool) => tool.listed()), problems: this.problems };
  }

  /** One after the other, so that the second of two tools of one id is always the same. */
  private async loadAll(): Promise<void> {
    for (const name of [...(await this.list()).keys()].sort()) await this.load(name);
  }

  private list(): Promise<Map<string, string>> {
    return (this.files ??= this.readDirectory());
  }

  private async readDirectory(): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    if (this.directory === "") return files;
    try {
      for (const file of (await readdir(this.directory)).sort()) {
        const ending = extname(file);
        const name = file.slice(0, file.length - ending.length);
        if (/^[_.]/.test(file) || !endings.includes(ending) || name.endsWith(".d")) continue;
        if (files.has(name)) this.problems.push({ file, message: `there is ${files.get(name)} beside it; it is left out` });
        else files.set(name, file);
      }
    } catch (error) {
      this.problems.push({ file: this.directory, message: (error as Error).message });
    }
    return files;
  }

  private load(name: string): Promise<void> {
    const known = this.loads.get(name);
    if (known) return known;
    const loading = this.list().then(async (files) => {
      const file = files.get(name);
      if (file === undefined) return void this.loads.delete(name);
      try {
        await this.take(file);
      } catch (error) {
        console.error(error);
        this.problems.push({ file, message: error instanceof Error ? error.message : String(error) });
      }
    });
    this.loads.set(name, loading);
    return loading;
  }

  private async take(file: string): Promise<void> {
    if (/\.m?ts$/.test(file) && !runsTypeScript && !("register" in nodeModule))
      throw new Error("this Node runs no TypeScript; compile it to JavaScript, or take Node 18.19 or later");
    const module = (await import(pathToFileURL(join(this.directory, file)).href)) as Record<string, unknown>;
    const exported = new Set(Object.values(module).flatMap((one) => (looksLikeTool(one) ? [one] : [])));
    for (const info of exported) await this.add(info as Tool.Info); // without any: a module that tools share
  }
}
