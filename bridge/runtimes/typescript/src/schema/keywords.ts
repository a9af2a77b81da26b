// The keywords of JSON Schema, each as what makes a check of it. Knows nothing of documents and references.
import { isObject } from "../wire.js";

export interface Violation {
  /** A JSON pointer. */
  path: string;
  message: string;
}

/** The violations, and which parts of the value were evaluated (for `unevaluated…`). */
export interface State {
  violations: Violation[];
  properties: Set<string>;
  items: Set<number>;
}

export type Check = (value: unknown, path: string, state: State) => void;

/** What keywords need of the schema they stand in. */
export interface Compiler {
  compile(schema: unknown): Check;
  list(schemas: unknown): Check[];
  byName(schemas: unknown): (readonly [string, Check])[];
  target(reference: unknown): Check;
  /** Checks the same value; keeps what was looked at if it fits. */
  apply(check: Check, value: unknown, path: string, into: State): State;
  /** Checks a part of the value. */
  below(check: Check, value: unknown, path: string, into: State): void;
  fits(check: Check, value: unknown): boolean;
}

/** A step of a JSON pointer. */
export function pointer(step: string): string {
  return "/" + step.replaceAll("~", "~0").replaceAll("/", "~1");
}

function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => same(value, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => name in other && same(one[name], other[name]));
}

const types: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  array: Array.isArray,
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === "string",
};

export function patternOf(text: unknown): RegExp {
  if (typeof text !== "string") throw new Error("pattern: expected a text");
  try {
    return new RegExp(text, "u");
  } catch {
    return new RegExp(text); // escapes that are none are refused only with "u"
  }
}

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? text.slice(0, 57) + "…" : text;
}

const length = (text: string): number => [...text].length;

function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Number.isInteger(times) || Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

export type Keyword = (this: Compiler, stated: any, schema: Record<string, any>) => Check;

function bound<Value>(
  applies: (value: unknown) => value is Value,
  holds: (value: Value, limit: any) => boolean,
  words: (limit: any) => string,
): Keyword {
  return (limit) => (value, path, state) => {
    if (applies(value) && !holds(value, limit)) state.violations.push({ path, message: words(limit) });
  };
}

const isNumber = (value: unknown): value is number => typeof value === "number";
const isString = (value: unknown): value is string => typeof value === "string";
const isArray = (value: unknown): value is unknown[] => Array.isArray(value);
const size = (value: Record<string, unknown>): number => Object.keys(value).length;

/** Of the value as a whole. */
export const wholeKeywords: Record<string, Keyword> = {
  $ref(stated) {
    let target: Check | undefined;
    return (value, path, state) => {
      target ??= this.target(stated);
      state.violations.push(...this.apply(target, value, path, state).violations);
    };
  },
  $dynamicRef(stated, schema) {
    return wholeKeywords["$ref"]!.call(this, stated, schema);
  },
  type(stated) {
    const allowed: string[] = Array.isArray(stated) ? stated : [stated];
    const tests = allowed.map((name) => types[name]);
    if (tests.some((test) => test === undefined)) throw new Error(`type: ${shown(stated)} is no type`);
    const article = (name: string) => (/^[aeiou]/.test(name) ? `an ${name}` : name === "null" ? "null" : `a ${name}`);
    const message = `expected ${allowed.map(article).join(" or ")}`;
    return (value, path, state) => {
      if (!tests.some((test) => test!(value))) state.violations.push({ path, message });
    };
  },
  enum(stated: unknown[]) {
    const message = `expected one of ${stated.map(shown).join(", ")}`;
    return (value, path, state) => {
      if (!stated.some((one) => same(one, value))) state.violations.push({ path, message });
    };
  },
  const(stated) {
    return (value, path, state) => {
      if (!same(stated, value)) state.violations.push({ path, message: `expected ${shown(stated)}` });
    };
  },
  minimum: bound(isNumber, (value, limit) => value >= limit, (limit) => `expected at least ${limit}`),
  maximum: bound(isNumber, (value, limit) => value <= limit, (limit) => `expected at most ${limit}`),
  exclusiveMinimum: bound(isNumber, (value, limit) => value > limit, (limit) => `expected more than ${limit}`),
  exclusiveMaximum: bound(isNumber, (value, limit) => value < limit, (limit) => `expected less than ${limit}`),
  multipleOf: bound(isNumber, isMultiple, (limit) => `expected a multiple of ${limit}`),
  minLength: bound(isString, (value, limit) => length(value) >= limit, (limit) => `expected at least ${limit} characters`),
  maxLength: bound(isString, (value, limit) => length(value) <= limit, (limit) => `expected at most ${limit} characters`),
  minItems: bound(isArray, (value, limit) => value.length >= limit, (limit) => `expected at least ${limit} items`),
  maxItems: bound(isArray, (value, limit) => value.length <= limit, (limit) => `expected at most ${limit} items`),
  minProperties: bound(isObject, (value, limit) => size(value) >= limit, (limit) => `expected at least ${limit} members`),
  maxProperties: bound(isObject, (value, limit) => size(value) <= limit, (limit) => `expected at most ${limit} members`),
  pattern(stated) {
    const pattern = patternOf(stated);
    return bound(isString, (value) => pattern.test(value), () => `expected a text that matches ${stated}`).call(this, stated, {});
  },
  uniqueItems(stated) {
    const unique = (value: unknown[]) => !value.some((one, index) => value.slice(0, index).some((other) => same(one, other)));
    return bound(isArray, (value) => !stated || unique(value), () => "expected no item twice").call(this, stated, {});
  },
  required(stated: string[]) {
    return (value, path, state) => {
      if (!isObject(value)) return;
      for (const name of stated)
        if (!Object.hasOwn(value, name)) state.violations.push({ path: path + pointer(name), message: "is missing" });
    };
  },
  dependentRequired(stated: Record<string, string[]>) {
    return (value, path, state) => {
      if (!isObject(value)) return;
      for (const [name, needs] of Object.entries(stated)) {
        for (const need of Object.hasOwn(value, name) ? needs : [])
          if (!Object.hasOwn(value, need)) state.violations.push({ path: path + pointer(need), message: `is missing beside ${name}` });
      }
    };
  },
  dependentSchemas(stated) {
    const checks = this.byName(stated);
    return (value, path, state) => {
      if (!isObject(value)) return;
      for (const [name, check] of checks)
        if (Object.hasOwn(value, name)) state.violations.push(...this.apply(check, value, path, state).violations);
    };
  },
  dependencies(stated: Record<string, unknown>) {
    const of = (wanted: boolean) => Object.fromEntries(Object.entries(stated).filter(([, one]) => Array.isArray(one) === wanted));
    const names = wholeKeywords["dependentRequired"]!.call(this, of(true), {});
    const schemas = wholeKeywords["dependentSchemas"]!.call(this, of(false), {});
    return (value, path, state) => {
      names(value, path, state);
      schemas(value, path, state);
    };
  },
  propertyNames(stated) {
    const check = this.compile(stated);
    return (value, path, state) => {
      for (const name of isObject(value) ? Object.keys(value) : [])
        if (!this.fits(check, name)) state.violations.push({ path: path + pointer(name), message: "is no name that is expected here" });
    };
  },
  allOf(stated) {
    const checks = this.list(stated);
    return (value, path, state) => {
      for (const check of checks) state.violations.push(...this.apply(check, value, path, state).violations);
    };
  },
  anyOf(stated) {
    const checks = this.list(stated);
    return (value, path, state) => {
      const all = checks.map((check) => this.apply(check, value, path, state).violations);
      if (all.every((one) => one.length > 0)) state.violations.push(closest(all, path, "fits none of what is allowed"));
    };
  },
  oneOf(stated) {
    const checks = this.list(stated);
    return (value, path, state) => {
      const all = checks.map((check) => this.apply(check, value, path, state).violations);
      const fitting = all.filter((one) => one.length === 0).length;
      if (fitting === 0) state.violations.push(closest(all, path, "fits none of what is allowed"));
      if (fitting > 1) state.violations.push({ path, message: "fits more than one of what is allowed" });
    };
  },
  not(stated) {
    const check = this.compile(stated);
    return (value, path, state) => {
      if (this.fits(check, value)) state.violations.push({ path, message: "is what is not allowed" });
    };
  },
  if(stated, schema) {
    const check = this.compile(stated);
    const [then, otherwise] = ["then", "else"].map((name) => (name in schema ? this.compile(schema[name]) : undefined));
    return (value, path, state) => {
      const next = this.apply(check, value, path, state).violations.length === 0 ? then : otherwise;
      if (next) state.violations.push(...this.apply(next, value, path, state).violations);
    };
  },
};

/** Of what was wrong with each branch, the one that lies deepest: the author most likely meant that branch. */
function closest(all: Violation[][], path: string, otherwise: string): Violation {
  const deepest = all
    .map((branch) => branch[0]!)
    .sort((one, other) => other.path.length - one.path.length)[0];
  return deepest !== undefined && deepest.path.length > path.length ? deepest : { path, message: otherwise };
}
