// Values that JSON has no word for (dates, whole numbers beyond 2^53, maps, sets), between JSON and Zod schemas: a date is
// its text in RFC 3339, a bigint a whole number, a map an array of pairs, a set an array.
import type { AnyZod } from "./zod_to_json.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
type Definition = Record<string, any>;

/** What a Zod schema keeps of itself, in both versions. */
export function definitionOf(schema: unknown): Definition {
  const any = schema as { _zod?: { def: Definition }; _def?: Definition };
  return any?._zod?.def ?? any?._def ?? {};
}

/** "date", "object", …: Zod 4's names, also for Zod 3. */
export function kindOf(schema: unknown): string {
  const { typeName, type } = definitionOf(schema);
  return typeof typeName === "string" ? typeName.slice("Zod".length).toLowerCase() : typeof type === "string" ? type : "";
}

const special = new Set(["date", "bigint", "map", "set"]);
const wrappers = new Set(["optional", "nullable", "default", "prefault", "nonoptional", "catch", "readonly", "branded", "promise"]);

function shapeOf({ shape }: Definition): Record<string, unknown> {
  return (typeof shape === "function" ? shape() : shape) ?? {};
}

function optionsOf({ options }: Definition): AnyZod[] {
  return [...(options?.values() ?? [])];
}

/** What a value goes through first. */
function innerOf(kind: string, definition: Definition): unknown {
  if (kind === "branded") return definition["type"];
  if (wrappers.has(kind)) return definition["innerType"] ?? definition["type"];
  if (kind === "pipe" || kind === "pipeline") return definition["in"];
  if (kind === "lazy") return definition["getter"]();
  if (kind === "effects") return definition["effect"].type === "preprocess" ? undefined : definition["schema"];
  return undefined;
}

function partsOf(schema: unknown): unknown[] {
  const kind = kindOf(schema);
  const definition = definitionOf(schema);
  switch (kind) {
    case "array":
      return [definition["element"] ?? definition["type"]];
    case "object":
      return [...Object.values(shapeOf(definition)), definition["catchall"]];
    case "tuple":
      return [...definition["items"], definition["rest"]];
    case "record":
    case "map":
      return [definition["keyType"], definition["valueType"]];
    case "set":
      return [definition["valueType"]];
    case "intersection":
      return [definition["left"], definition["right"]];
    case "union":
    case "discriminatedunion":
      return optionsOf(definition);
  }
  return [innerOf(kind, definition)];
}

/** Whether values of the schema can hold what JSON has no word for. */
export function needsTranslation(schema: unknown, known = new Set<unknown>()): boolean {
  if (schema === undefined || schema === null || known.has(schema)) return false;
  known.add(schema);
  return special.has(kindOf(schema)) || partsOf(schema).some((part) => needsTranslation(part, known));
}

const timestamp = /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?)?$/;

/** The value that a Zod schema takes for one of JSON. What does not fit is left to the schema, which says so. */
export async function fromJson(schema: unknown, value: unknown): Promise<unknown> {
  const kind = kindOf(schema);
  const definition = definitionOf(schema);
  const each = (values: unknown[], one: unknown) => Promise.all(values.map((item) => fromJson(one, item)));
  switch (kind) {
    case "date":
      return typeof value === "string" && timestamp.test(value) ? new Date(value) : value;
    case "bigint":
      return Number.isSafeInteger(value) ? BigInt(value as number) : value;
    case "union":
    case "discriminatedunion":
      for (const option of optionsOf(definition)) {
        const made = await fromJson(option, value);
        if ((await option.safeParseAsync(made)).success) return made;
      }
      return value;
    case "intersection":
      return fromJson(definition["right"], await fromJson(definition["left"], value));
  }
  if (Array.isArray(value)) {
    switch (kind) {
      case "array":
        return each(value, definition["element"] ?? definition["type"]);
      case "set": {
        const made = new Set(await each(value, definition["valueType"]));
        return made.size === value.length ? made : value; // one of them stands there twice
      }
      case "map":
        if (!value.every((pair) => Array.isArray(pair) && pair.length === 2)) return value;
        return new Map(
          await Promise.all(
            value.map(async ([key, one]): Promise<[unknown, unknown]> => [
              await fromJson(definition["keyType"], key),
              await fromJson(definition["valueType"], one),
            ]),
          ),
        );
      case "tuple":
        return Promise.all(value.map((item, index) => fromJson(definition["items"][index] ?? definition["rest"], item)));
    }
  }
  if ((kind === "object" || kind === "record") && typeof value === "object" && value !== null && !Array.isArray(value)) {
    const shape = kind === "object" ? shapeOf(definition) : {};
    const others = kind === "object" ? definition["catchall"] : definition["valueType"];
    const made = await Promise.all(
      Object.entries(value).map(async ([name, one]): Promise<[string, unknown]> => [
        name,
        await fromJson(Object.hasOwn(shape, name) ? shape[name] : others, one),
      ]),
    );
    return Object.fromEntries(made);
  }
  const inner = innerOf(kind, definition);
  return inner === undefined || inner === null ? value : fromJson(inner, value);
}

/** A value as JSON. Throws an Error with the place (`place` stands before it) for what no JSON can carry. */
export function toJson(value: unknown, place = ""): unknown {
  const refuse = (what: string): never => {
    throw new Error(`${place || "the value"}: ${what} cannot be written as JSON`);
  };
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? value : refuse(String(value));
    case "bigint":
      return Number.isSafeInteger(Number(value)) ? Number(value) : refuse(`the whole number ${value}`);
    case "function":
    case "symbol":
      return refuse(`a ${typeof value}`);
    case "object":
      break;
    default:
      return value;
  }
  if (value === null) return null;
  const list = (values: Iterable<unknown>) => [...values].map((one, index) => toJson(one, `${place}/${index}`) ?? null);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? refuse("an invalid date") : value.toISOString();
  if (Array.isArray(value) || value instanceof Set || value instanceof Map) return list(value as Iterable<unknown>);
  const own = (value as { toJSON?: () => unknown }).toJSON;
  if (typeof own === "function") return toJson(own.call(value), place);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toJson(one, `${place}/${name}`)]));
}
