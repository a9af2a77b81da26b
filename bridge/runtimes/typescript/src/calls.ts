// Calls under way, each answered once, when its tool has ended.
import { toolContext, type AbortReason, type Report } from "./context.js";
import type { Registry } from "./registry.js";
import { Code, errorMember, Failure, isObject, resultMember } from "./wire.js";

/** What a tool throws to say no: the text goes to the model as it is, and nothing to standard error. */
export class ToolError extends Error {
  override name = "ToolError";
}

export interface CallParams {
  tool: string;
  parameters: Record<string, unknown>;
  context: Record<string, unknown>;
}

const longestTimer = 2 ** 31 - 1;

/** Throws a Failure for params that are none. */
export function callParams(params: Record<string, unknown>, shared: unknown = {}): CallParams {
  const { tool, parameters = {}, context = shared, language = "typescript" } = params;
  if (typeof tool !== "string" || !isObject(parameters))
    throw new Failure(Code.invalidRequest, "expected params {tool: text, parameters: object, context: object}");
  if (language !== "typescript")
    throw new Failure(Code.invalidRequest, `language: expected "typescript", found ${JSON.stringify(language)?.slice(0, 60)}`);
  if (!isObject(context)) throw new Failure(Code.invalidRequest, "context: expected an object");
  const timeout = context["timeout"] ?? 0;
  if (typeof timeout !== "number" || timeout < 0)
    throw new Failure(Code.invalidRequest, "context.timeout: expected milliseconds");
  return { tool, parameters, context };
}

/** One execution of a tool. */
export class Call {
  private readonly controller = new AbortController();
  private reason: AbortReason | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly params: CallParams,
    private readonly report?: Report,
  ) {
    const timeout = Number(params.context["timeout"] ?? 0);
    if (timeout > 0) this.timer = setTimeout(() => this.abort("timeout"), Math.min(timeout, longestTimer));
  }

  /** Fires the signal; what has not begun by then never does. */
  abort(reason: AbortReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    const [name, text] = reason === "timeout" ? ["TimeoutError", "the call's time is over"] : ["AbortError", "the call was cancelled"];
    this.controller.abort(new DOMException(text, name));
  }

  /** The member that answers the call, as JSON. Never throws. Ends when the tool has. */
  async run(registry: Registry): Promise<string> {
    const { tool: id, parameters, context } = this.params;
    try {
      const tool = registry.tools.get(id) ?? (await this.orAborted(registry.find(id)));
      if (this.reason !== undefined) throw this.ended();
      return resultMember(await tool.run(parameters, toolContext(context, this.controller.signal, this.report)));
    } catch (error) {
      return errorMember(this.failure(error).error(id));
    } finally {
      clearTimeout(this.timer);
    }
  }

  /** Loading continues for others. */
  private orAborted<Value>(loading: Promise<Value>): Promise<Value> {
    const { signal } = this.controller;
    const aborted = new Promise<never>((_, refuse) => {
      signal.addEventListener("abort", () => refuse(this.ended()), { once: true });
      if (signal.aborted) refuse(this.ended());
    });
    loading.catch(() => {});
    return Promise.race([loading, aborted]);
  }

  private failure(error: unknown): Failure {
    if (error instanceof Failure) return error;
    if (this.reason !== undefined) return this.ended();
    try {
      if (!(error instanceof ToolError)) console.error(error);
      const { code } = isObject(error) ? (error as { code?: unknown }) : {};
      return new Failure(code === "EACCES" || code === "EPERM" ? Code.permissionDenied : Code.executionFailed, wordsOf(error));
    } catch {
      return new Failure(Code.executionFailed, silent); // it throws when it is looked at
    }
  }

  private ended(): Failure {
    if (this.reason === "timeout")
      return new Failure(Code.timeout, `timed out after ${Number(this.params.context["timeout"] ?? 0)} ms`);
    return new Failure(Code.executionFailed, "cancelled", { cancelled: true });
  }
}

const silent = "the tool failed without saying why";

function wordsOf(error: unknown): string {
  const said = String(error instanceof Error ? error.message : error);
  if (!(error instanceof Error) || error instanceof ToolError || error.name === "Error") return said || silent;
  return said ? `${error.name}: ${said}` : error.name;
}
