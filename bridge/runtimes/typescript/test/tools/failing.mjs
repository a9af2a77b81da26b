import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeSync } from "node:fs";
import { ToolError } from "@toolwire/runtime";

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false };
const tool = (id, execute, more = {}) => ({ id, description: id, parameters: { type: "object" }, execute, ...more });

export const failing = tool("failing", ({ text }) => { throw new Error(text); }, { parameters: text });
export const refusing = tool("refusing", () => { throw new ToolError("not today"); });
export const typed = tool("typed", () => { throw new TypeError("a mistake"); });
export const denied = tool("denied", () => { throw Object.assign(new Error("no entry"), { code: "EACCES" }); });
export const late = tool("late", () => { setImmediate(() => { throw new Error("late"); }); return "in time"; });
export const cyclic = tool("cyclic", () => { const a = {}; a.a = a; return { output: "x", metadata: a }; });
const nested = (levels) => (levels === 0 ? 1 : [nested(levels - 1)]);
export const deep = tool("deep", ({ levels }) => ({ output: "x", metadata: { nested: nested(levels) } }));
export const long = tool("long", ({ size }) => "é".repeat(size));
export const loud = tool("loud", () => { throw new ToolError("x".repeat(90 << 20)); });
export const unspeakable = tool("unspeakable", () => { throw { get code() { throw new Error("never said"); } }; });
export const voiceless = tool("voiceless", () => { throw Object.create(null); });
export const printing = tool("printing", () => {
  console.log("from console");
  process.stdout.write("from stdout\n");
  spawnSync("sh", ["-c", "echo from a child; cat"], { stdio: "inherit" });
  execFileSync("sh", ["-c", "echo to nobody"]);
  return { output: String(process.stdin.read()) };
});
export const structured = tool("structured", ({ n }) => ({ n }), {
  outputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  annotations: { readOnlyHint: true },
  title: "A structure",
});
export const needy = tool("needy", () => "granted", { permissions: { read: ["data"], network: ["api.example.com:443"] } });
export const number = tool("number", () => 3);
export const numbered = tool("numbered", () => {
  writeSync(1, "from a number\n");
  spawnSync("sh", ["-c", "echo from a child by number >&1"], { stdio: ["ignore", 1, 2] });
  return "kept apart";
});
