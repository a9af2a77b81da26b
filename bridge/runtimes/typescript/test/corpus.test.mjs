// Many schemas and values, both ways: what Zod says of a value, and what its JSON Schema says.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";

import { jsonSchemaToZod, JsonSchemaValidator, zodToJsonSchema } from "../dist/index.js";
import { compileSchema } from "../dist/schema/compiled.js";

const texts = ["", "a", "A", "ab", "abc", "aBc", "abcd", "é", "😀", "😀😀", "1", "12", "1.5", "-3", "true", "null", "a b", " a ", "a\n", "x-1",
               "red", "RED", "green", "a@b.example", "not an address", "https://a.example/x", "2026-01-02", "2026-01-02T03:04:05Z", "2026-13-45",
               "1f9a2c3e-7d4b-4a6f-8c1d-2e3f4a5b6c7d", "192.168.0.1", "::1", "aGk="];
const numbers = [0, 1, -1, 2, 3, 4, 5, 6, 9, 10, 11, 99, 100, 101, 0.5, 1.5, -0.25, 1e3, 1e21, -1e21, 2 ** 31, 2 ** 53 - 1];
const lists = [[], [1], [1, 2], [1, 1], [1, "a"], ["a"], ["a", "b"], ["a", "a"], ["a", 1], ["a", 1, true], [null], [[]], [[1], [2]], [["a", 1]],
               [["a", 1], ["b", 2]], [{ a: 1 }], [{ a: 1 }, { a: "x" }], [true, false], ["2026-01-02"]];
const objects = [{}, { a: 1 }, { a: "x" }, { a: "x", b: 1 }, { a: "x", b: "y" }, { a: null }, { a: "x", c: true }, { b: 1 }, { a: { b: 1 } },
                 { a: { b: "x" } }, { kind: "circle", r: 1 }, { kind: "square", side: 2 }, { kind: "square", r: 1 }, { kind: "oval" },
                 { x1: 1 }, { x1: "one" }, { name: "n", children: [] }, { name: "n", children: [{ name: "m", children: [] }] },
                 { name: "n", children: [{ name: 1 }] }, { when: "2026-01-02T03:04:05Z" }, { tags: ["a"] }, { tags: ["a", "a"] }, { A: 1 }, { red: 1, green: 2 }];
const values = [null, true, false, ...texts, ...numbers, ...lists, ...objects];

const Tree = z.object({ name: z.string(), get children() { return z.array(Tree); } });
const shapes = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), r: z.number() }),
  z.object({ kind: z.literal("square"), side: z.number() }),
]);

/** By name; those whose name ends in "~" say more than JSON Schema can: it may accept what they refuse. */
const zods = {
  string: z.string(),
  length: z.string().min(2).max(3),
  "exact length": z.string().length(1),
  regex: z.string().regex(/^[a-c]+$/),
  "regex, any case": z.string().regex(/^[a-c]+$/i),
  "regex, any case, classes": z.string().regex(/^\w[^bx]*$/i),
  "regex, dot": z.string().regex(/^a.$/s),
  "two regexes": z.string().regex(/^a/i).regex(/c$/),
  "regex of lines~": z.string().regex(/^a$/m),
  startsWith: z.string().startsWith("a"),
  endsWith: z.string().endsWith("b"),
  includes: z.string().includes(" "),
  number: z.number(),
  range: z.number().min(1).max(9),
  open: z.number().gt(1).lt(9),
  multiple: z.number().multipleOf(0.5),
  int: z.int(),
  "int range": z.int().min(-1).max(5),
  positive: z.number().positive(),
  boolean: z.boolean(),
  null: z.null(),
  any: z.any(),
  unknown: z.unknown(),
  never: z.never(),
  literal: z.literal("a"),
  literals: z.literal(["a", 1, null, true]),
  enum: z.enum(["red", "green"]),
  "native enum": z.enum({ Red: "red", One: 1 }),
  array: z.array(z.string()),
  "array of numbers": z.array(z.number()).min(1).max(2),
  "array of arrays": z.array(z.array(z.number())),
  tuple: z.tuple([z.string(), z.number()]),
  "tuple with rest": z.tuple([z.string()]).rest(z.number()),
  object: z.object({ a: z.string() }),
  "object with optional": z.object({ a: z.string(), b: z.number().optional() }),
  "object with default": z.object({ a: z.string(), b: z.number().default(3) }),
  strict: z.strictObject({ a: z.string(), b: z.number().optional() }),
  loose: z.looseObject({ a: z.string() }),
  catchall: z.object({ a: z.string() }).catchall(z.number()),
  nested: z.object({ a: z.object({ b: z.number() }) }),
  partial: z.object({ a: z.string(), b: z.number() }).partial(),
  pick: z.object({ a: z.string(), b: z.number() }).pick({ b: true }),
  extend: z.object({ a: z.string() }).extend({ b: z.number() }),
  record: z.record(z.string(), z.number()),
  "record of names": z.record(z.string().regex(/^[a-z]+\d?$/), z.unknown()),
  "partial record": z.partialRecord(z.enum(["red", "green"]), z.number()),
  union: z.union([z.string(), z.number()]),
  "union of objects": z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
  discriminated: shapes,
  intersection: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
  nullable: z.string().nullable(),
  "nullable enum": z.enum(["red"]).nullable(),
  optional: z.object({ a: z.union([z.string(), z.undefined()]).optional() }),
  readonly: z.array(z.number()).readonly(),
  branded: z.string().brand("b"),
  tree: Tree,
  lazy: z.lazy(() => z.array(z.boolean())),
  "refined~": z.number().refine((value) => value % 2 === 1),
  "refined object~": z.object({ a: z.string() }).refine(({ a }) => a === "x"),
  transformed: z.string().transform((text) => text.length),
  "piped~": z.string().pipe(z.string().min(2)),
  caught: z.object({ a: z.string() }),
  set: z.set(z.string()),
  "set of a size": z.set(z.number()).min(1).max(1),
  map: z.map(z.string(), z.number()),
  bigint: z.bigint().min(1n).max(10n),
  "date~": z.date(),
  "object with date~": z.object({ when: z.date().optional(), tags: z.set(z.string()).optional() }),
  "email~": z.email(),
  "uuid~": z.uuid(),
  "url~": z.url(),
  "iso date~": z.iso.date(),
};

describe("a corpus of schemas and values", () => {
  it("is large enough", () => {
    assert.ok(values.length >= 100, String(values.length));
    assert.ok(Object.keys(zods).length >= 60, String(Object.keys(zods).length));
  });

  it("finds each Zod schema and its JSON Schema of one mind", async () => {
    let compared = 0;
    const disagreed = [];
    for (const [name, zod] of Object.entries(zods)) {
      const { json, check } = compileSchema(zod, "input");
      const validator = new JsonSchemaValidator(json);
      for (const value of values) {
        const byZod = (await check(value)).fits;
        const byJson = validator.violations(value).length === 0;
        ++compared;
        if (byZod === byJson || (name.endsWith("~") && byJson)) continue;
        disagreed.push(`${name}: ${JSON.stringify(value)}: Zod ${byZod}, ${JSON.stringify(json)} ${byJson}`);
      }
    }
    assert.deepEqual(disagreed, []);
    assert.ok(compared >= 6000, String(compared));
  });

  it("finds the validator and Ajv of one mind", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const disagreed = [];
    for (const [name, zod] of Object.entries(zods)) {
      const json = zodToJsonSchema(zod);
      const validator = new JsonSchemaValidator(json);
      const byAjv = ajv.compile(json);
      for (const value of values) {
        const fits = validator.violations(value).length === 0;
        if (byAjv(value) !== fits) disagreed.push(`${name}: ${JSON.stringify(value)}: Ajv ${!fits}`);
      }
    }
    // Ajv looks for a point in the quotient, and finds that of 2e+21.
    assert.deepEqual(disagreed, ["multiple: 1e+21: Ajv false", "multiple: -1e+21: Ajv false"]);
  });

  it("finds each JSON Schema and the Zod schema made of it of one mind, and gets it back", () => {
    for (const [name, zod] of Object.entries(zods)) {
      const json = zodToJsonSchema(zod);
      const made = jsonSchemaToZod(json);
      assert.deepEqual(zodToJsonSchema(made), json, name);
      const validator = new JsonSchemaValidator(json);
      for (const value of values)
        assert.equal(made.safeParse(value).success, validator.violations(value).length === 0, `${name}: ${JSON.stringify(value)} ${JSON.stringify(json)}`);
    }
  });
});
