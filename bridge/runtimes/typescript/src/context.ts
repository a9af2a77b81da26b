// What a tool is told about its call, and how it hears that nobody waits for it any more.
import { isObject } from "./wire.js";

export type Report = (progress: number, total?: number, message?: string) => void;
/** Where a context keeps the last progress that was reported. */
export const lastProgress = Symbol("last progress");
export type AbortReason = "cancelled" | "timeout";

/** Metadata of the result: a Map, and a function that takes `{title, metadata}`, as tools of both kinds expect. */
export interface CallMetadata extends Map<string, unknown> {
  (said: { title?: string; metadata?: Record<string, unknown> }): void;
}

/** One call's circumstances. Both spellings of the ids are the same. */
export interface ToolContext {
  readonly sessionId: string;
  readonly sessionID: string;
  readonly messageId: string;
  readonly messageID: string;
  /** Fires once the call is cancelled or its time is over; its reason is an AbortError or a TimeoutError. */
  readonly abort: AbortSignal;
  /** Milliseconds; 0: none. */
  readonly timeout: number;
  readonly metadata: CallMetadata;
  /** Vendor members and trace context of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  /**
   * The trace that the call belongs to (W3C Trace Context), as header fields for what the tool calls in turn:
   * `traceparent`, `tracestate` and `baggage`, those that there are.
   */
  readonly trace: Readonly<Record<string, string>>;
  /** Reports the progress of the call; does nothing if no one asked for it. */
  progress: Report;
  /** Not for tools. */
  [lastProgress]: number;
}

function traceOf(meta: Record<string, unknown>): Record<string, string> {
  const trace: Record<string, string> = {};
  for (const name of ["traceparent", "tracestate", "baggage"]) {
    const value = meta[name];
    if (typeof value === "string") trace[name] = value;
  }
  return trace;
}

function callMetadata(): CallMetadata {
  const map = new Map<string, unknown>();
  const said = ({ title, metadata }: { title?: string; metadata?: Record<string, unknown> } = {}) => {
    if (title !== undefined) map.set("title", title);
    for (const [name, value] of Object.entries(metadata ?? {})) map.set(name, value);
  };
  return new Proxy(said, {
    get(target, name) {
      const own: unknown = Reflect.get(map, name, map);
      if (own === undefined) return Reflect.get(target, name);
      return typeof own === "function" ? own.bind(map) : own;
    },
    getPrototypeOf: () => Map.prototype,
  }) as unknown as CallMetadata;
}

export function toolContext(given: Record<string, unknown>, abort: AbortSignal, report?: Report): ToolContext {
  const text = (name: string) => (typeof given[name] === "string" ? (given[name] as string) : "");
  const sessionId = text("sessionId");
  const messageId = text("messageId");
  const meta = isObject(given["meta"]) ? given["meta"] : {};
  const context: ToolContext = {
    sessionId,
    sessionID: sessionId,
    messageId,
    messageID: messageId,
    abort,
    timeout: typeof given["timeout"] === "number" ? given["timeout"] : 0,
    metadata: callMetadata(),
    meta,
    trace: traceOf(meta),
    progress: (progress, total, message) => {
      if (abort.aborted) return;
      context[lastProgress] = progress;
      report?.(progress, total, message);
    },
    [lastProgress]: 0,
  };
  return context;
}
