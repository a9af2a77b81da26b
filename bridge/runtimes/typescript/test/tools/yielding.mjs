import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

const tool = (id, execute, more = {}) => ({ id, description: "Yields", parameters: { type: "object" }, execute, ...more });

export const counting = tool("counting", function* ({ to }) {
  for (let i = 0; i < to; ++i) yield `${i};`;
});
export const countingLater = tool("countingLater", async function* ({ to }) {
  for (let i = 0; i < to; ++i) {
    await null;
    yield `${i};`;
  }
});
export const reading = tool("reading", ({ to }) => Readable.from(Array.from({ length: to }, (_, i) => Buffer.from(`${i};`))));
export const mixed = tool("mixed", function* () {
  yield 1;
  yield { output: " two ", metadata: { a: 1 }, diagnostics: ["x"] };
  yield Buffer.from("é").subarray(0, 1);
  yield Buffer.from("é").subarray(1);
});
export const rows = tool("rows", function* () {
  yield { n: 1 };
  yield { n: 2 };
}, { outputSchema: { type: "array" } });
export const failingMidway = tool("failingMidway", function* () {
  yield "a";
  throw new Error("no more");
});
export const concluding = tool("concluding", function* (_, ctx) {
  ctx.progress(10, 20);
  yield "on my way";
  return "the end";
});
export const endless = tool("endless", function* () {
  try {
    for (;;) yield "again ";
  } finally {
    console.log("cleaned up endless");
  }
});
export const endlessLater = tool("endlessLater", async function* () {
  try {
    for (;;) {
      await sleep(1);
      yield "again ";
    }
  } finally {
    console.log("cleaned up endlessLater");
  }
});
export const stuckStream = tool("stuckStream", () => new Readable({
  read() {
    if (!this.said) this.push("once");
    this.said = true;
  },
}));
