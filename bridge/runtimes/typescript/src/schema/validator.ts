// JSON Schemas held against values: 2020-12 and draft-07. `format` is not looked at; references lead into the same
// document only. What the bridge has checked is checked again: it is the same schema, and a tool may be called by others.
import { isObject } from "../wire.js";
import { shown, wholeKeywords, type Check, type Compiler, type State, type Violation } from "./keywords.js";
import { partKeywords } from "./part_keywords.js";

export { pointer, type Violation } from "./keywords.js";

type Schema = Record<string, unknown> | boolean;

const mostDeep = 512;
const keywords = { ...wholeKeywords, ...partKeywords };

/** A compiled schema. Throws an Error if it is none. */
export class JsonSchemaValidator {
  private readonly compiled = new Map<unknown, Check>();
  private readonly anchors = new Map<string, Schema>();
  private readonly check: Check;
  private depth = 0;

  constructor(private readonly document: unknown) {
    this.findAnchors(document);
    this.check = this.compile(document);
  }

  /** Every way in which the value does not fit; none if it does. */
  violations(value: unknown): Violation[] {
    return this.run(this.check, value, "").violations;
  }

  private run(check: Check, value: unknown, path: string): State {
    const state: State = { violations: [], properties: new Set(), items: new Set() };
    if (++this.depth > mostDeep) throw new Error("the schema leads into itself too often");
    try {
      check(value, path, state);
    } finally {
      --this.depth;
    }
    return state;
  }

  /** Runs a schema that applies to the same value; keeps what it has looked at if the value fits. */
  private apply(check: Check, value: unknown, path: string, into: State): State {
    const state = this.run(check, value, path);
    if (state.violations.length === 0) {
      state.properties.forEach((name) => into.properties.add(name));
      state.items.forEach((index) => into.items.add(index));
    }
    return state;
  }

  private findAnchors(schema: unknown): void {
    if (Array.isArray(schema)) return schema.forEach((one) => this.findAnchors(one));
    if (!isObject(schema)) return;
    for (const keyword of ["$anchor", "$dynamicAnchor"])
      if (typeof schema[keyword] === "string") this.anchors.set("#" + schema[keyword], schema);
    if (typeof schema["$id"] === "string") this.anchors.set(schema["$id"], schema);
    for (const [name, value] of Object.entries(schema)) if (name !== "const" && name !== "enum") this.findAnchors(value);
  }

  private compile(schema: unknown): Check {
    if (schema === true) return () => {};
    if (schema === false) return (_value, path, state) => void state.violations.push({ path, message: "expected nothing here" });
    if (!isObject(schema)) throw new Error(`expected a schema, found ${shown(schema)}`);
    const known = this.compiled.get(schema);
    if (known) return known;
    const checks: Check[] = [];
    const whole: Check = (value, path, state) => checks.forEach((check) => check(value, path, state));
    this.compiled.set(schema, whole); // before what it leads to, which may lead back
    for (const [keyword, make] of Object.entries(keywords)) {
      if (keyword in schema) checks.push(make.call(this.compiler, schema[keyword], schema));
    }
    return whole;
  }

  private target(reference: unknown): unknown {
    if (typeof reference !== "string") throw new Error("$ref: expected a text");
    const anchor = this.anchors.get(reference);
    if (anchor !== undefined) return anchor;
    if (reference !== "#" && !reference.startsWith("#/"))
      throw new Error(`$ref: ${shown(reference)} is not in this document`);
    let found: unknown = this.document;
    for (const step of decodeURIComponent(reference).split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      found = isObject(found) || Array.isArray(found) ? (found as Record<string, unknown>)[name] : undefined;
    }
    if (found === undefined) throw new Error(`$ref: nothing at ${shown(reference)}`);
    return found;
  }

  private readonly compiler: Compiler = {
    compile: (schema: unknown) => this.compile(schema),
    list: (schemas: unknown) => {
      if (!Array.isArray(schemas)) throw new Error("expected a list of schemas");
      return schemas.map((schema) => this.compile(schema));
    },
    byName: (schemas: unknown) => {
      if (!isObject(schemas)) throw new Error("expected an object of schemas");
      return Object.entries(schemas).map(([name, schema]) => [name, this.compile(schema)] as const);
    },
    target: (reference: unknown) => this.compile(this.target(reference)),
    apply: (check: Check, value: unknown, path: string, into: State) => this.apply(check, value, path, into),
    below: (check: Check, value: unknown, path: string, into: State) =>
      void into.violations.push(...this.run(check, value, path).violations),
    fits: (check: Check, value: unknown) => this.run(check, value, "").violations.length === 0,
  };
}

