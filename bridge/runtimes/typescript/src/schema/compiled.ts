// A schema of a tool, of either language: its JSON Schema, and what it says of a value. Compiled once, kept.
import type { z } from "zod";

import type { JsonObject } from "../wire.js";
import { isObject } from "../wire.js";
import { fromJson as valueFromJson, needsTranslation, toJson } from "./json_values.js";
import { JsonSchemaValidator, pointer, type Violation } from "./validator.js";
import { isZod, zodToJsonSchema, type AnyZod } from "./zod_to_json.js";

export type { Violation };
export type JsonSchema = JsonObject;
/** What tools may state: a Zod schema of version 4 or 3, or a JSON Schema. */
export type SchemaLike = z.ZodType | AnyZod | JsonSchema;

export type Checked = { fits: true; value: unknown } | { fits: false; violations: Violation[] };

export interface CompiledSchema {
  readonly json: JsonSchema;
  /** With defaults and transformations, where the schema has some. */
  check(value: unknown): Promise<Checked>;
  /** A value of the schema as JSON. Throws an Error with the place for what no JSON can carry. */
  toJson(value: unknown): unknown;
}

const compiled = new WeakMap<object, Partial<Record<"input" | "output", CompiledSchema>>>();

/** Throws an Error if it is not a schema. `side`: whether values are given to the schema or made by it. */
export function compileSchema(schema: unknown, side: "input" | "output"): CompiledSchema {
  if (!isObject(schema) && typeof schema !== "function") throw new Error("expected a Zod schema or a JSON Schema");
  const known = compiled.get(schema) ?? {};
  compiled.set(schema, known);
  return (known[side] ??= isZod(schema) ? fromZod(schema, side) : fromJson(schema as JsonSchema));
}

function fromZod(schema: AnyZod, side: "input" | "output"): CompiledSchema {
  const json = zodToJsonSchema(schema, side);
  const isTranslated = needsTranslation(schema);
  return {
    json,
    toJson: isTranslated ? (value) => toJson(value) : (value) => value,
    async check(given) {
      const value = isTranslated && side === "input" ? await valueFromJson(schema, given) : given;
      const parsed = await schema.safeParseAsync(value);
      if (parsed.success) return { fits: true, value: parsed.data };
      const violations = parsed.error.issues.map(({ path, message }) => ({
        path: path.map((step) => pointer(String(step))).join(""),
        message,
      }));
      return { fits: false, violations: sorted(violations) };
    },
  };
}

function fromJson(json: JsonSchema): CompiledSchema {
  const validator = new JsonSchemaValidator(json);
  return {
    json,
    toJson: (value) => value,
    async check(value) {
      const violations = validator.violations(value);
      return violations.length === 0 ? { fits: true, value } : { fits: false, violations: sorted(violations) };
    },
  };
}

function sorted(violations: Violation[]): Violation[] {
  return violations.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
}
