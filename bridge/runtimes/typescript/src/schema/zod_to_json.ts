// Zod → JSON Schema 2020-12: by Zod's own converter for version 4, by ours for version 3.
import { z } from "zod";

import { isObject, type JsonObject } from "../wire.js";
import { handledToJson } from "./handlers.js";
import { pointer } from "./keywords.js";
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

/** `side`: of values that are given to the schema, or of those it makes. Throws an Error for what has no JSON Schema. */
export function zodToJsonSchema(schema: AnyZod, side: "input" | "output" = "input"): JsonObject {
  const source = sources.get(schema);
  if (source !== undefined) return structuredClone(source);
  if (!("_zod" in schema)) return zod3ToJson(schema as unknown as Zod3, side);
  const json = z.toJSONSchema(schema as unknown as z.ZodType, {
    io: side,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema, path }) {
      const own = sources.get(zodSchema) ?? handledToJson(zodSchema as unknown as z.ZodType);
      if (own === undefined) return;
      for (const name of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[name];
      Object.assign(jsonSchema, within(own, path));
    },
  }) as JsonObject;
  const plain = JSON.parse(JSON.stringify(json)) as JsonObject; // without what Zod hangs on it
  delete plain["$schema"];
  return withoutUnused(plain);
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
