// A `Tool.Info` object as a tool of the wire. Knows nothing of files and of how calls are run.
import type { z } from "zod";

import type { ToolContext } from "./context.js";
import { denial, missing, readPermissions, type Permissions } from "./permissions.js";
import { drained, streamOf } from "./pieces.js";
import { compileSchema, type CompiledSchema, type SchemaLike } from "./schema/compiled.js";
import { Code, Failure, isObject, type JsonObject } from "./wire.js";

/** What `execute` may return; a string is short for `{output: text}`. */
export interface ToolResult {
  output?: string;
  title?: string;
  metadata?: Record<string, unknown>;
  diagnostics?: unknown[];
  /** The value of a tool with an `outputSchema`; without it, what was returned is the value. */
  structured?: unknown;
}

export namespace Tool {
  /** What a tool does. `parameters` is a Zod schema (of version 3 or 4), or a JSON Schema. */
  export interface Definition<Parameters extends SchemaLike = SchemaLike> {
    description: string;
    parameters: Parameters;
    execute(
      args: Parameters extends z.ZodType ? z.output<Parameters> : JsonObject,
      ctx: ToolContext,
    ): Promise<unknown> | unknown;
    title?: string;
    outputSchema?: SchemaLike;
    permissions?: Permissions;
    annotations?: Record<string, unknown>;
  }

  /** A tool; what takes long to make may come from `init`, which is called once, when the tool is first needed. */
  export type Info<Parameters extends SchemaLike = SchemaLike> =
    | ({ id: string } & Definition<Parameters>)
    | { id: string; init(): Promise<Definition<Parameters>> | Definition<Parameters> };

  /** Nothing but types: the arguments of `execute` follow from `parameters`. */
  export function define<Parameters extends SchemaLike>(
    id: string,
    definition: Definition<Parameters> | (() => Promise<Definition<Parameters>> | Definition<Parameters>),
  ): Info<Parameters> {
    return typeof definition === "function" ? { id, init: async () => definition() } : { id, ...definition };
  }
}

/** Whether an export is meant to be a tool. */
export function looksLikeTool(value: unknown): value is { id: string } {
  if (!isObject(value) || typeof value["id"] !== "string" || value["id"] === "") return false;
  return typeof value["execute"] === "function" || typeof value["init"] === "function";
}

/** One tool, made ready. What the user grants may change. */
export class LoadedTool {
  readonly title: string;
  readonly parameters: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly permissions: Permissions;
  private refusal: Failure | undefined;

  /** Throws an Error if it is not a tool. */
  constructor(
    readonly id: string,
    private readonly definition: Tool.Definition,
    private readonly directory: string,
  ) {
    if (!isObject(definition) || typeof definition.execute !== "function")
      throw new Error(`tool "${id}": expected a function execute`);
    const schema = (name: "parameters" | "outputSchema") => {
      try {
        return compileSchema(definition[name]!, name === "parameters" ? "input" : "output");
      } catch (error) {
        throw new Error(`tool "${id}": ${name}: ${(error as Error).message}`);
      }
    };
    this.title = typeof definition.title === "string" ? definition.title : "";
    this.parameters = definition.parameters === undefined ? compileSchema({ type: "object" }, "input") : schema("parameters");
    this.output = definition.outputSchema === undefined ? undefined : schema("outputSchema");
    this.permissions = readPermissions(definition.permissions);
  }

  /** `undefined` grants everything. */
  grant(granted: Permissions | undefined): void {
    this.refusal = granted && denial(this.id, missing(this.permissions, granted, this.directory));
  }

  /** As `registry.list` shows it. */
  listed(): Record<string, unknown> {
    const { description, annotations } = this.definition;
    return {
      id: this.id,
      description: typeof description === "string" ? description : "",
      language: "typescript",
      schema: this.parameters.json,
      ...(this.title && { title: this.title }),
      ...(this.output && { outputSchema: this.output.json }),
      ...(Object.keys(this.permissions).length > 0 && { permissions: this.permissions }),
      ...(isObject(annotations) && { annotations }),
    };
  }

  /** Checks, runs, and gives the result of the wire. Throws a Failure, or whatever the tool throws. */
  async run(parameters: Record<string, unknown>, context: ToolContext): Promise<Record<string, unknown>> {
    if (this.refusal) throw this.refusal;
    const checked = await this.parameters.check(parameters);
    if (!checked.fits) {
      const violations = checked.violations;
      const texts = violations.map(({ path, message }) => (path ? `${path}: ${message}` : message));
      throw new Failure(Code.invalidParameters, texts.join("; "), { violations });
    }
    const args = checked.value as JsonObject;
    const value = await this.definition.execute(args, context);
    const stream = streamOf(value);
    if (stream === undefined) return this.result(value, context);
    const pieceOf = this.output ? (piece: unknown) => ({ output: textOf(piece) }) : plainResult;
    return this.result(await drained(stream, context, this.output !== undefined, pieceOf), context);
  }

  private async result(value: unknown, context: ToolContext): Promise<Record<string, unknown>> {
    const said: ToolResult = this.output ? structuredResult(value) : plainResult(value);
    const result: Record<string, unknown> = {
      output: said.output ?? "",
      metadata: {
        title: this.title || this.id,
        ...Object.fromEntries(context.metadata),
        ...(said.title !== undefined && { title: said.title }),
        ...(isObject(said.metadata) && said.metadata),
      },
      diagnostics: Array.isArray(said.diagnostics) ? said.diagnostics : [],
    };
    if (this.output) await this.checkStructured(said.structured);
    if (said.structured !== undefined) {
      const structured = this.output ? this.asJson(said.structured) : said.structured;
      result["structured"] = structured;
      if (said.output === undefined) result["output"] = textOf(structured);
    }
    return result;
  }

  private asJson(value: unknown): unknown {
    try {
      return this.output!.toJson(value);
    } catch (error) {
      throw new Failure(Code.executionFailed, `the tool's result is no JSON: ${(error as Error).message}`);
    }
  }

  private async checkStructured(value: unknown): Promise<void> {
    const checked = await this.output!.check(value);
    if (checked.fits) return;
    const texts = checked.violations.map(({ path, message }) => `${path || "the result"}: ${message}`);
    throw new Failure(Code.executionFailed, `the tool's result is not what it promised: ${texts.join("; ")}`);
  }
}

function structuredResult(value: unknown): ToolResult {
  return isObject(value) && "structured" in value ? value : { structured: value };
}

function plainResult(value: unknown): ToolResult {
  if (!isObject(value) || !("output" in value)) return { output: textOf(value) };
  return typeof value["output"] === "string" ? value : { ...value, output: textOf(value["output"]) };
}

/** A value as text for a model: JSON where there is any. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return JSON.stringify(value) ?? String(value);
}
