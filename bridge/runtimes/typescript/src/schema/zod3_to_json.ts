// Zod 3 → JSON Schema 2020-12, constraints kept. Reads what Zod 3 keeps of a schema (`_def`), and needs no Zod 3 itself.
import type { Json, JsonObject } from "../wire.js";
import { toJson } from "./json_values.js";
import { patternOfRegExp } from "./regexp.js";

interface Definition {
  typeName: string;
  description?: string;
  [member: string]: any;
}
export interface Zod3 {
  _def: Definition;
  isOptional(): boolean;
}
type Side = "input" | "output";
type Convert = (schema: Zod3) => JsonObject;

const formats: Record<string, JsonObject> = {
  email: { format: "email" },
  url: { format: "uri" },
  uuid: { format: "uuid" },
  datetime: { format: "date-time" },
  date: { format: "date" },
  time: { format: "time" },
  duration: { format: "duration" },
  base64: { contentEncoding: "base64" },
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Flags are no part of a JSON Schema: what cannot be said without them is left to the tool. */
function left(expression: RegExp, patterns: string[], json: JsonObject): void {
  const pattern = patternOfRegExp(expression);
  if (pattern !== undefined) patterns.push(pattern);
  else json["$comment"] = `the tool itself also checks ${expression}`;
}

function stringChecks(checks: any[]): JsonObject {
  const json: JsonObject = { type: "string" };
  const patterns: string[] = [];
  for (const check of checks) {
    if (check.kind === "min") json["minLength"] = Math.max(Number(json["minLength"] ?? 0), check.value);
    else if (check.kind === "max") json["maxLength"] = Math.min(Number(json["maxLength"] ?? Infinity), check.value);
    else if (check.kind === "length") json["minLength"] = json["maxLength"] = check.value;
    else if (check.kind === "regex") left(check.regex, patterns, json);
    else if (check.kind === "startsWith") patterns.push("^" + escaped(check.value));
    else if (check.kind === "endsWith") patterns.push(escaped(check.value) + "$");
    else if (check.kind === "includes") patterns.push(escaped(check.value));
    else if (check.kind === "ip") json["format"] = check.version === "v6" ? "ipv6" : "ipv4";
    else Object.assign(json, formats[check.kind]);
  }
  if (patterns.length === 1) json["pattern"] = patterns[0]!;
  if (patterns.length > 1) json["allOf"] = patterns.map((pattern) => ({ pattern }));
  return json;
}

function numberChecks(checks: any[]): JsonObject {
  const json: JsonObject = { type: "number" };
  for (const check of checks) {
    const value = Number(check.value);
    if (check.kind === "int") json["type"] = "integer";
    else if (check.kind === "min") json[check.inclusive ? "minimum" : "exclusiveMinimum"] = value;
    else if (check.kind === "max") json[check.inclusive ? "maximum" : "exclusiveMaximum"] = value;
    else if (check.kind === "multipleOf") json["multipleOf"] = value;
  }
  return json;
}

function arrayOf(definition: Definition, convert: Convert): JsonObject {
  const json: JsonObject = { type: "array", items: convert(definition["type"]) };
  const least = definition["exactLength"] ?? definition["minLength"];
  const most = definition["exactLength"] ?? definition["maxLength"];
  if (least) json["minItems"] = least.value;
  if (most) json["maxItems"] = most.value;
  return json;
}

function objectOf(definition: Definition, convert: Convert, side: Side): JsonObject {
  const shape: Record<string, Zod3> = definition["shape"]();
  const entries = Object.entries(shape);
  const isNeeded = (schema: Zod3) => !schema.isOptional() || (side === "output" && schema._def.typeName === "ZodDefault");
  const required = entries.filter(([, schema]) => isNeeded(schema)).map(([name]) => name);
  const json: JsonObject = {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, schema]) => [name, convert(schema)])),
  };
  if (required.length > 0) json["required"] = required;
  const others: Zod3 = definition["catchall"];
  if (others._def.typeName !== "ZodNever") json["additionalProperties"] = convert(others);
  else if (definition["unknownKeys"] === "strict") json["additionalProperties"] = false;
  return json;
}

function nullable(json: JsonObject): JsonObject {
  const simple = typeof json["type"] === "string" && !("enum" in json) && !("const" in json);
  return simple ? { ...json, type: [json["type"] as string, "null"] } : { anyOf: [json, { type: "null" }] };
}

function literal(value: any): JsonObject {
  if (typeof value === "bigint") return { const: Number(value) };
  return value === undefined ? { not: {} } : { const: value as Json };
}

/** Throws an Error for what has no JSON Schema. */
export function zod3ToJson(root: Zod3, side: Side): JsonObject {
  const under_way = new Map<Zod3, string>(); // by what they are called under $defs, where they lead into themselves
  const definitions: JsonObject = {};

  const kinds: Record<string, (definition: Definition) => JsonObject> = {
    ZodString: ({ checks }) => stringChecks(checks),
    ZodNumber: ({ checks }) => numberChecks(checks),
    ZodBigInt: ({ checks }) => ({ ...numberChecks(checks), type: "integer" }),
    ZodBoolean: () => ({ type: "boolean" }),
    ZodDate: () => ({ type: "string", format: "date-time" }),
    ZodNull: () => ({ type: "null" }),
    ZodUndefined: () => ({ not: {} }),
    ZodVoid: () => ({ not: {} }),
    ZodNever: () => ({ not: {} }),
    ZodAny: () => ({}),
    ZodUnknown: () => ({}),
    ZodLiteral: ({ value }) => literal(value),
    ZodEnum: ({ values }) => ({ type: "string", enum: [...values] }),
    ZodNativeEnum: ({ values }) => ({
      enum: Object.entries(values)
        .filter(([name]) => typeof values[values[name]] !== "number") // TypeScript's way back from number to name
        .map(([, value]) => value as Json),
    }),
    ZodArray: (definition) => arrayOf(definition, convert),
    ZodSet: ({ valueType, minSize, maxSize }) => ({
      type: "array",
      uniqueItems: true,
      items: convert(valueType),
      ...(minSize && { minItems: minSize.value }),
      ...(maxSize && { maxItems: maxSize.value }),
    }),
    ZodMap: ({ keyType, valueType }) => ({
      type: "array",
      items: { type: "array", prefixItems: [convert(keyType), convert(valueType)], minItems: 2, items: false },
    }),
    ZodTuple: ({ items, rest }) => ({
      type: "array",
      prefixItems: items.map(convert),
      minItems: items.length,
      items: rest ? convert(rest) : false,
    }),
    ZodObject: (definition) => objectOf(definition, convert, side),
    ZodRecord: ({ keyType, valueType }) => ({
      type: "object",
      ...(keyType._def.checks?.length > 0 || keyType._def.typeName === "ZodEnum" ? { propertyNames: convert(keyType) } : {}),
      additionalProperties: convert(valueType),
    }),
    ZodUnion: ({ options }) => ({ anyOf: options.map(convert) }),
    ZodDiscriminatedUnion: ({ options }) => ({ anyOf: [...options.values()].map(convert) }),
    ZodIntersection: ({ left, right }) => ({ allOf: [convert(left), convert(right)] }),
    ZodOptional: ({ innerType }) => convert(innerType),
    ZodNullable: ({ innerType }) => nullable(convert(innerType)),
    ZodDefault: ({ innerType, defaultValue }) => ({ ...convert(innerType), default: toJson(defaultValue(), "default") as Json }),
    ZodCatch: ({ innerType }) => convert(innerType),
    ZodReadonly: ({ innerType }) => convert(innerType),
    ZodBranded: ({ type }) => convert(type),
    ZodPromise: ({ type }) => convert(type),
    ZodEffects: ({ schema, effect }) => (side === "input" || effect.type === "refinement" ? convert(schema) : {}),
    ZodPipeline: (definition) => convert(definition[side === "input" ? "in" : "out"]),
    ZodLazy: ({ getter }) => convert(getter()),
  };

  function convert(schema: Zod3): JsonObject {
    const name = under_way.get(schema);
    if (name !== undefined) {
      definitions[name] ??= {};
      return { $ref: schema === root ? "#" : `#/$defs/${name}` };
    }
    const { typeName, description } = schema._def;
    const kind = kinds[typeName];
    if (kind === undefined) throw new Error(`${typeName} has no JSON Schema`);
    const called = `schema${under_way.size}`;
    under_way.set(schema, called);
    const json = kind(schema._def);
    under_way.delete(schema);
    if (description !== undefined && !("$ref" in json)) json["description"] = description;
    if (!(called in definitions) || schema === root) return json;
    definitions[called] = json;
    return { $ref: `#/$defs/${called}` };
  }

  const json = convert(root);
  const kept = Object.entries(definitions).filter(([, one]) => Object.keys(one as JsonObject).length > 0);
  return kept.length > 0 ? { ...json, $defs: Object.fromEntries(kept) } : json;
}
