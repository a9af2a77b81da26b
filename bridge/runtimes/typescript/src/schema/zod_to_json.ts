// Zod → JSON Schema 2020-12: by Zod's own converter for version 4, by ours for version 3.
import { z } from "zod";

import { isObject, type JsonObject } from "../wire.js";
import { handledToJson } from "./handlers.js";
import { definitionOf, kindOf, toJson } from "./json_values.js";
import { pointer } from "./keywords.js";
import { patternOfRegExp } from "./regexp.js";
import { zod3ToJson, type Zod3 } from "./zod3_to_json.js";

/** As much of a Zod schema as is the same in all versions. */
export interface AnyZod {
  safeParseAsync(value: unknown): Promise<
    | { success: true; data: unknown }
    | { success: false; error: { issues: { path: readonly PropertyKey[]; message: string }[] } }
  >;
}

export function isZod(value: unknown): value is AnyZod {
  return typeof value === "object" && value !== null && typeof (value as AnyZod).safeParseAsync === "function";
}

/** Where a Zod schema came from: it is given back as it was. */
export const sources = new WeakMap<object, JsonObject>();
/** The same in its definition, which all that is derived from it takes along (`describe`, `meta`, `min`, …). */
const source = Symbol("the JSON Schema it was made of");

/** Notes where a Zod schema came from. */
export function rememberSource(schema: object, json: JsonObject): void {
  sources.set(schema, json);
  definitionOf(schema)[source as unknown as string] = json;
}

type Side = "input" | "output";
let depth = 0; // of sets and maps in each other, whose items are translated as documents of their own
const deepest = 32;

/** `side`: of values that are given to the schema, or of those it makes. Throws an Error for what has no JSON Schema. */
export function zodToJsonSchema(schema: AnyZod, side: "input" | "output" = "input"): JsonObject {
  const known = sources.get(schema);
  if (known !== undefined) return structuredClone(known);
  if (!("_zod" in schema)) return zod3ToJson(schema as unknown as Zod3, side);
  const json = withBigInts(() =>
    z.toJSONSchema(schema as unknown as z.ZodType, {
      io: side,
      unrepresentable: "any",
      override({ zodSchema, jsonSchema, path }) {
        const made = jsonSchema as JsonObject;
        const own = sources.get(zodSchema) ?? handledToJson(zodSchema as unknown as z.ZodType);
        if (own !== undefined) return replace(made, within(own, path));
        const from = definitionOf(zodSchema)[source as unknown as string] as JsonObject | undefined;
        translate(zodSchema, made, path, side);
        if (from !== undefined) replace(made, merged(within(from, path), made));
      },
    }),
  ) as JsonObject;
  const plain = JSON.parse(JSON.stringify(json)) as JsonObject; // without what Zod hangs on it
  delete plain["$schema"];
  return withoutUnused(plain);
}

function replace(json: JsonObject, by: JsonObject): void {
  for (const name of Object.keys(json)) delete json[name];
  Object.assign(json, by);
}

/** What methods of Zod can take away; all else stays at least as strict as its source says. */
const removable = ["properties", "required", "additionalProperties"];
const leasts = ["minLength", "minItems", "minimum", "exclusiveMinimum"];
const mosts = ["maxLength", "maxItems", "maximum", "exclusiveMaximum"];

/** A schema derived from one that was translated: its source, with what Zod says of it now. */
function merged(from: JsonObject, made: JsonObject): JsonObject {
  const { pattern, allOf, items, type, ...rest } = made;
  const kept = Object.entries(from).filter(([name]) => !removable.includes(name) || name in made || type !== "object");
  const json: JsonObject = { ...Object.fromEntries(kept), ...rest };
  for (const [names, stricter] of [[leasts, Math.max], [mosts, Math.min]] as const) {
    for (const name of names) {
      const [before, now] = [from[name], made[name]];
      if (typeof before === "number" && typeof now === "number") json[name] = stricter(before, now);
    }
  }
  // Zod was told only a part of these.
  if ("patternProperties" in from && "additionalProperties" in from) json["additionalProperties"] = from["additionalProperties"]!;
  if (!("items" in from) && !("prefixItems" in from) && items !== undefined) json["items"] = items;
  if (!("type" in from) && type !== undefined) json["type"] = type;
  const patterns = [...(Array.isArray(allOf) ? allOf : []), ...(pattern === undefined ? [] : [{ pattern }])];
  const more = patterns.filter((one) => !isObject(one) || one["pattern"] !== from["pattern"]);
  if (more.length > 0) json["allOf"] = [...(Array.isArray(from["allOf"]) ? from["allOf"] : []), ...more];
  return json;
}

/** Zod writes defaults by JSON.stringify, which knows no bigint; `translate` writes them again, checked. */
function withBigInts<Result>(run: () => Result): Result {
  const prototype = BigInt.prototype as unknown as { toJSON?: () => unknown };
  const before = Object.getOwnPropertyDescriptor(prototype, "toJSON");
  prototype.toJSON = function (this: bigint) {
    return Number(this);
  };
  try {
    return run();
  } finally {
    if (before) Object.defineProperty(prototype, "toJSON", before);
    else delete prototype.toJSON;
  }
}

/** The bounds that checks of whole numbers and of sizes state, the strictest of each. */
function boundsOf(checks: Record<string, any>[]): JsonObject {
  const json: JsonObject = {};
  const add = (name: string, value: unknown, stricter: (...values: number[]) => number) => {
    const bound = Number(value);
    if (Number.isSafeInteger(bound)) json[name] = name in json ? stricter(json[name] as number, bound) : bound;
  };
  for (const { check, value, inclusive, minimum, maximum, size } of checks) {
    if (check === "greater_than") add(inclusive ? "minimum" : "exclusiveMinimum", value, Math.max);
    if (check === "less_than") add(inclusive ? "maximum" : "exclusiveMaximum", value, Math.min);
    if (check === "multiple_of") add("multipleOf", value, (_, last) => last);
    if (check === "min_size" || check === "size_equals") add("minItems", minimum ?? size, Math.max);
    if (check === "max_size" || check === "size_equals") add("maxItems", maximum ?? size, Math.min);
  }
  return json;
}

const uncarried = new Set(["symbol", "nan", "function"]);

/** What Zod's converter leaves open, or says too strictly. */
function translate(schema: object, json: JsonObject, path: readonly (string | number)[], side: Side): void {
  const definition = definitionOf(schema);
  const checks = ((definition["checks"] ?? []) as unknown[]).map(definitionOf);
  const place = "#" + path.map((one) => pointer(String(one))).join("");
  const part = (one: AnyZod, ...steps: (string | number)[]) => within(document(one, side, place), [...path, ...steps]);
  const kind = kindOf(schema);
  if (uncarried.has(kind)) throw new Error(`${place}: no JSON can carry a value of the kind ${kind}`);
  if (kind === "date") Object.assign(json, { type: "string", format: "date-time" });
  if (kind === "undefined" || kind === "void") json["not"] = {};
  if (kind === "bigint") Object.assign(json, { type: "integer" }, boundsOf(checks));
  if (kind === "set") Object.assign(json, { type: "array", uniqueItems: true, items: part(definition["valueType"], "items") });
  if (kind === "map")
    Object.assign(json, {
      type: "array",
      items: {
        type: "array",
        prefixItems: [
          part(definition["keyType"], "items", "prefixItems", 0),
          part(definition["valueType"], "items", "prefixItems", 1),
        ],
        minItems: 2,
        items: false,
      },
    });
  if (kind === "set" || kind === "map") Object.assign(json, boundsOf(checks));
  if (kind === "string")
    translatePatterns(json, [definition, ...checks].map(({ pattern }) => pattern).filter((one) => one instanceof RegExp));
  if (kind === "literal")
    for (const value of definition["values"] as unknown[]) if (value !== undefined) toJson(value, place);
  if (kind === "default" && "default" in json) json["default"] = toJson(definition["defaultValue"], `${place}/default`) as JsonObject;
}

/** Flags are no part of a JSON Schema: a pattern without them would refuse what fits. */
function translatePatterns(json: JsonObject, expressions: RegExp[]): void {
  const written = expressions.map(patternOfRegExp);
  if (expressions.every((one, index) => one.source === written[index])) return;
  delete json["pattern"];
  delete json["allOf"];
  const patterns = written.filter((one) => one !== undefined);
  if (patterns.length === 1) json["pattern"] = patterns[0]!;
  if (patterns.length > 1) json["allOf"] = patterns.map((pattern) => ({ pattern }));
  const left = expressions.filter((_, index) => written[index] === undefined);
  if (left.length > 0) json["$comment"] = `the tool itself also checks ${left.join(" and ")}`;
}

function document(schema: AnyZod, side: Side, place: string): JsonObject {
  if (depth >= deepest) throw new Error(`${place}: sets or maps that lead into themselves have no JSON Schema`);
  ++depth;
  try {
    return zodToJsonSchema(schema, side);
  } finally {
    --depth;
  }
}

/** A whole document as part of another: what it refers to in itself now lies further down. */
function within(document: JsonObject, path: readonly (string | number)[]): JsonObject {
  const place = path.map((step) => pointer(String(step))).join("");
  return JSON.parse(JSON.stringify(document), (name, value: unknown) =>
    name === "$ref" && typeof value === "string" && /^#(\/|$)/.test(value) ? `#${place}${value.slice(1)}` : value,
  ) as JsonObject;
}

/** Zod's converter names each circle it meets, also in parts that were replaced afterwards. */
function withoutUnused(json: JsonObject): JsonObject {
  const definitions = json["$defs"];
  if (!isObject(definitions)) return json;
  for (const name of Object.keys(definitions).filter((one) => one.startsWith("__schema"))) {
    const { [name]: _, ...others } = definitions;
    if (!JSON.stringify({ ...json, $defs: others }).includes(`"#/$defs/${name}"`)) delete definitions[name];
  }
  if (Object.keys(definitions).length === 0) delete json["$defs"];
  return json;
}
