// What a generator yields: each piece is progress, and all of them together are the result.
import { setImmediate as nextTurn } from "node:timers/promises";

import { lastProgress, type ToolContext } from "./context.js";
import { Code, Failure, isObject, LONGEST_LINE } from "./wire.js";

export interface Stream {
  iterator: AsyncIterator<unknown> | Iterator<unknown>;
  /** Has it clean up. */
  stop(): unknown;
}

/** What one piece, or a whole result, says. */
export interface Said {
  output?: string;
  metadata?: Record<string, unknown>;
  diagnostics?: unknown[];
}

const longestTurn = 5; // milliseconds without a look at the input

/** The iterator of a value that hands out its parts one after the other; lists and the like do not. */
export function streamOf(value: unknown): Stream | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { next, [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = value as Record<string | symbol, unknown>;
  const begin = typeof later === "function" ? later : typeof now === "function" && typeof next === "function" ? now : undefined;
  if (begin === undefined) return undefined;
  const iterator = begin.call(value) as Stream["iterator"];
  const { destroy } = value as { destroy?: unknown };
  // Node's streams are not to be waited for: their iterators end with the next piece only.
  const stop = () => (typeof destroy === "function" ? destroy.call(value) : iterator.return?.(undefined));
  return { iterator, stop };
}

/**
 * Runs a generator to its end, or until the call is aborted; then it is closed, and cleans up. The result is what it
 * returned, if anything, else its pieces: joined, or, where an output schema describes them, as an array.
 */
export async function drained(
  { iterator, stop }: Stream,
  context: ToolContext,
  isStructured: boolean,
  read: (piece: unknown) => Said,
): Promise<unknown> {
  const { abort } = context;
  const whole = { values: [] as unknown[], texts: [] as string[], metadata: {}, diagnostics: [] as unknown[] };
  const decoder = new TextDecoder();
  let length = 0;
  let isOver = false;
  let turn = performance.now();
  // Progress grows, also where the tool reports some of its own.
  const report = (text: string) =>
    context.progress(Math.max(whole.texts.push(text), context[lastProgress] + 1), undefined, text);
  const aborted = new Promise<never>((_, refuse) => {
    const refused = () => refuse(abort.reason);
    if (abort.aborted) refused();
    else abort.addEventListener("abort", refused, { once: true });
  });
  aborted.catch(() => {});
  try {
    for (;;) {
      const step = iterator.next();
      const { done, value } = step instanceof Promise ? await Promise.race([step, aborted]) : step;
      if (done) {
        isOver = true;
        if (value !== undefined) return value;
        if (isStructured) return { structured: whole.values };
        const { texts, metadata, diagnostics } = whole;
        return { output: texts.join("") + decoder.decode(), metadata, diagnostics };
      }
      if (isStructured) {
        whole.values.push(value);
        report(read(value).output ?? "");
      } else {
        const said = read(value instanceof Uint8Array ? decoder.decode(value, { stream: true }) : value);
        length += (said.output ?? "").length;
        if (length > LONGEST_LINE)
          throw new Failure(Code.executionFailed, "what the tool yields is longer than an answer may be: 80 MiB");
        if (isObject(said.metadata)) Object.assign(whole.metadata, said.metadata);
        if (Array.isArray(said.diagnostics)) whole.diagnostics.push(...said.diagnostics);
        report(said.output ?? "");
      }
      if (performance.now() - turn > longestTurn) {
        await nextTurn(); // others have theirs, and a cancellation is read
        turn = performance.now();
      }
      abort.throwIfAborted();
    }
  } finally {
    if (!isOver) await stop();
  }
}
