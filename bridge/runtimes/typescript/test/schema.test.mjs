import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { z } from "zod";
import { z as z3 } from "zod/v3";

import { compileSchema, jsonSchemaToZod, JsonSchemaValidator, registerTypeHandler, zodToJsonSchema } from "../dist/index.js";

const accepts = (schema, value) => schema.safeParse(value).success;

describe("from Zod to JSON Schema", () => {
  const table = [
    [z.string(), z3.string(), { type: "string" }],
    [z.number(), z3.number(), { type: "number" }],
    [z.boolean(), z3.boolean(), { type: "boolean" }],
    [z.null(), z3.null(), { type: "null" }],
    [z.array(z.string()), z3.array(z3.string()), { type: "array", items: { type: "string" } }],
    [z.enum(["a", "b"]), z3.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    [z.object({ a: z.string() }), z3.object({ a: z3.string() }), { type: "object", properties: { a: { type: "string" } }, required: ["a"] }],
  ];
  it("follows the table, in both versions of Zod", () => {
    for (const [four, three, json] of table) {
      assert.deepEqual(zodToJsonSchema(four), json);
      assert.deepEqual(zodToJsonSchema(three), json);
    }
  });

  it("keeps the constraints of Zod 3", () => {
    const Node = z3.object({ name: z3.string(), children: z3.lazy(() => z3.array(Node)) });
    const schema = z3
      .object({
        text: z3.string().min(1).max(5).regex(/^a/).describe("a text"),
        mail: z3.string().email().optional(),
        count: z3.number().int().gte(0).lt(10).multipleOf(2).default(4),
        kind: z3.union([z3.literal("a"), z3.literal(1)]).nullable(),
        pair: z3.tuple([z3.string(), z3.number()]),
        many: z3.array(z3.boolean()).min(1).max(3),
        by_name: z3.record(z3.number()),
        tree: Node,
      })
      .strict();
    assert.deepEqual(zodToJsonSchema(schema), {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, maxLength: 5, pattern: "^a", description: "a text" },
        mail: { type: "string", format: "email" },
        count: { type: "integer", minimum: 0, exclusiveMaximum: 10, multipleOf: 2, default: 4 },
        kind: { anyOf: [{ anyOf: [{ const: "a" }, { const: 1 }] }, { type: "null" }] },
        pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2, items: false },
        many: { type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 3 },
        by_name: { type: "object", additionalProperties: { type: "number" } },
        tree: { $ref: "#/$defs/schema1" },
      },
      required: ["text", "kind", "pair", "many", "by_name", "tree"],
      additionalProperties: false,
      $defs: {
        schema1: {
          type: "object",
          properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/schema1" } } },
          required: ["name", "children"],
        },
      },
    });
  });

  it("says patterns without flags, and leaves to the tool what cannot be said so", async () => {
    for (const [expression, fits, doesNot] of [
      [/^[a-c]x$/i, ["ax", "AX", "Cx"], ["dx"]],
      [/^stra[ßs]+é$/i, ["STRASSÉ", "straßé"], ["strae"]],
      [/^[^k]\d{2}$/i, ["a12"], ["K12", "k12"]],
      [/^a.b$/s, ["a\nb"], ["ab"]],
      [/^(?<year>\d+)$/giu, ["12"], ["x"]],
    ]) {
      for (const json of [zodToJsonSchema(z.string().regex(expression)), zodToJsonSchema(z3.string().regex(expression))]) {
        const validator = new JsonSchemaValidator(json);
        for (const value of fits) assert.deepEqual(validator.violations(value), [], `${expression} ${value} ${json.pattern}`);
        for (const value of doesNot) assert.equal(validator.violations(value).length, 1, `${expression} ${value} ${json.pattern}`);
      }
    }
    const lines = z.string().min(2).regex(/^a$/m);
    assert.deepEqual(zodToJsonSchema(lines), { type: "string", minLength: 2, $comment: "the tool itself also checks /^a$/m" });
    assert.deepEqual(zodToJsonSchema(z.string().regex(/^a/i).regex(/b$/)).allOf, [{ pattern: "^[aA]" }, { pattern: "b$" }]);
    assert.equal((await compileSchema(lines, "input").check("bb")).fits, false);
  });

  it("has words for dates, big numbers, sets and maps, and takes their JSON", async () => {
    const make = (z) =>
      z.object({
        when: z.date(),
        count: z.bigint().min(1n).optional(),
        tags: z.set(z.string()).min(1),
        by_name: z.map(z.string(), z.date()).nullable(),
        either: z.union([z.date(), z.boolean()]),
      });
    const date = { type: "string", format: "date-time" };
    const value = { when: "2026-01-02T03:04:05Z", count: 5, tags: ["a", "b"], by_name: [["x", "2026-01-02"]], either: "2026-01-03" };
    for (const schema of [make(z), make(z3)]) {
      const { json, check, toJson } = compileSchema(schema, "input");
      assert.deepEqual(json.properties.when, date);
      assert.deepEqual(json.properties.count, { type: "integer", minimum: 1 });
      assert.deepEqual(json.properties.tags, { type: "array", uniqueItems: true, items: { type: "string" }, minItems: 1 });
      const { by_name } = json.properties; // of Zod 3, its type is a list
      assert.deepEqual((by_name.anyOf?.[0] ?? by_name).items.prefixItems, [{ type: "string" }, date]);
      assert.deepEqual(new JsonSchemaValidator(json).violations(value), []);
      const checked = await check(value);
      assert.ok(checked.fits, JSON.stringify(checked.violations));
      assert.equal(checked.value.when.getTime(), Date.UTC(2026, 0, 2, 3, 4, 5));
      assert.equal(checked.value.count, 5n);
      assert.deepEqual(checked.value.tags, new Set(["a", "b"]));
      assert.ok(checked.value.by_name.get("x") instanceof Date);
      assert.ok(checked.value.either instanceof Date);
      assert.deepEqual(toJson(checked.value), {
        ...value,
        when: "2026-01-02T03:04:05.000Z",
        by_name: [["x", "2026-01-02T00:00:00.000Z"]],
        either: "2026-01-03T00:00:00.000Z",
      });
      const wrong = await check({ ...value, when: "yesterday", tags: ["a", "a"] });
      assert.deepEqual(wrong.violations.map(({ path }) => path), ["/tags", "/when"]);
    }
  });

  it("refuses what no JSON can carry, with its place", () => {
    for (const [schema, said] of [
      [z.object({ a: z.array(z.symbol()) }), /#\/properties\/a\/items: no JSON can carry a value of the kind symbol/],
      [z.object({ a: z.nan() }), /#\/properties\/a: no JSON can carry/],
      [z.object({ a: z.number().default(Infinity) }), /#\/properties\/a\/default: Infinity cannot be written as JSON/],
      [z.object({ a: z.bigint().default(2n ** 70n) }), /#\/properties\/a\/default: the whole number/],
    ])
      assert.throws(() => compileSchema(schema, "input"), said);
    assert.deepEqual(zodToJsonSchema(z.bigint().default(5n)), { type: "integer", default: 5 });
  });

  it("leaves types of one's own to their handler, both ways", () => {
    class Version {
      constructor(text) {
        this.text = text;
      }
    }
    const version = z.instanceof(Version);
    const forget = registerTypeHandler({
      toJson: (schema) => (schema === version ? { type: "string", format: "version" } : undefined),
      toZod: (json) => (json.format === "version" ? z.string().transform((text) => new Version(text)) : undefined),
    });
    assert.deepEqual(zodToJsonSchema(z.object({ version })).properties.version, { type: "string", format: "version" });
    const read = jsonSchemaToZod({ type: "object", properties: { version: { type: "string", format: "version" } } });
    assert.ok(read.parse({ version: "1" }).version instanceof Version);
    forget();
    assert.deepEqual(zodToJsonSchema(z.object({ version })).properties.version, {});
  });
});

describe("from JSON Schema to Zod", () => {
  const schemas = [
    { type: "string", minLength: 2, maxLength: 3, pattern: "^a", format: "email", title: "T", description: "D" },
    { type: "integer", minimum: 1, exclusiveMaximum: 9, multipleOf: 2, default: 4 },
    { const: { a: [1] } },
    { enum: ["a", 1, null, { b: 2 }] },
    { type: ["string", "null"], maxLength: 1 },
    {
      type: "object",
      properties: { a: { $ref: "#/$defs/node" }, b: { type: "string", default: "x" } },
      required: ["a"],
      additionalProperties: false,
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, "x-vendor": 1 } },
    },
    { type: "object", patternProperties: { "^x": { type: "number" } }, if: { required: ["a"] }, then: { required: ["b"] } },
    { type: "object", properties: { a: { type: "object" } }, patternProperties: { "^x": { type: "number" } }, additionalProperties: false },
    { type: "object", patternProperties: { "^x": { type: "number" } }, additionalProperties: { type: "string" } },
    { type: "array", prefixItems: [{ type: "string" }], items: false, uniqueItems: true },
    { not: { type: "string" } },
    { oneOf: [{ type: "number", multipleOf: 2 }, { type: "number", multipleOf: 3 }] },
  ];

  it("and back nothing is lost", () => {
    for (const schema of schemas) {
      assert.deepEqual(zodToJsonSchema(jsonSchemaToZod(schema)), schema);
      const part = zodToJsonSchema(z.object({ part: jsonSchemaToZod(schema) })).properties.part;
      const rebased = JSON.stringify(schema).replaceAll('"#/$defs', '"#/properties/part/$defs');
      assert.deepEqual(part, JSON.parse(rebased));
    }
  });

  it("keeps what Zod has no word for when more is said of it", () => {
    const mail = jsonSchemaToZod({ type: "string", format: "email", maxLength: 9, "x-vendor": 1, not: { const: "a@b" } });
    const kept = { type: "string", format: "email", maxLength: 9, "x-vendor": 1, not: { const: "a@b" } };
    assert.deepEqual(zodToJsonSchema(mail.describe("where to")), { ...kept, description: "where to" });
    assert.deepEqual(zodToJsonSchema(mail.meta({ title: "Mail" })), { ...kept, title: "Mail" });
    assert.deepEqual(zodToJsonSchema(z.object({ mail: mail.optional() })).properties.mail, kept);
    const text = jsonSchemaToZod({ type: "string", format: "uri", pattern: "^h" });
    assert.deepEqual(zodToJsonSchema(text.min(5)), { type: "string", format: "uri", pattern: "^h", minLength: 5 });
    assert.deepEqual(zodToJsonSchema(text.regex(/s$/)), { type: "string", format: "uri", pattern: "^h", allOf: [{ pattern: "s$" }] });
    const open = jsonSchemaToZod({ type: "object", properties: { a: { type: "string", format: "date" } }, required: ["a"], $comment: "kept" });
    assert.deepEqual(zodToJsonSchema(open.partial()), {
      type: "object", properties: { a: { type: "string", format: "date" } }, $comment: "kept", additionalProperties: {},
    });
    assert.equal(accepts(mail.describe("d"), "a@b"), false);
  });

  it("accepts what the schema accepts", () => {
    const values = ["a", "ab", "abcd", "😀a", 1, 2, 4, 6, 9, 2 ** 60, null, true, [], ["x"], ["x", 1], [1], {}, { a: {} }, { a: { next: {} } },
                    { a: { next: 1 } }, { b: "y" }, { x1: "no" }, { x1: 1 }, { a: [1] }, { b: 2 }];
    for (const schema of schemas) {
      const zod = jsonSchemaToZod(schema);
      const validator = new JsonSchemaValidator(schema);
      for (const value of values)
        assert.equal(accepts(zod, value), validator.violations(value).length === 0, JSON.stringify([schema, value]));
    }
  });

  it("puts defaults where members are absent", () => {
    const zod = jsonSchemaToZod({ type: "object", properties: { a: { type: "number", default: 3 } } });
    assert.deepEqual(zod.parse({}), { a: 3 });
  });

  it("refuses what is no schema", () => {
    for (const wrong of [{ type: "text" }, { $ref: "#/nowhere" }, { properties: 5 }, { pattern: "(" }])
      assert.throws(() => jsonSchemaToZod(wrong).parse({}), Error);
    assert.throws(() => compileSchema(5, "input"), /expected a Zod schema or a JSON Schema/);
  });
});

/** Of the suite everybody's validators are held against, what is promised here. */
const suite = join(process.env.TOOLWIRE_SHARED_DIR ?? "/nowhere", "JSON-Schema-Test-Suite", "tests");
const leftOut = new Set(["vocabulary", "dynamicRef", "anchor", "refRemote", "id", "unevaluatedItems", "unevaluatedProperties", "definitions", "defs", "format"]);
const needsMore = /remote|\$id|metaschema|\$anchor|URN|urn|sibling|identifier|absolute|refs with relative/i;

describe("the validator", { skip: !existsSync(suite) }, () => {
  for (const draft of ["draft2020-12", "draft7"]) {
    it(`agrees with the suite for ${draft}`, () => {
      let count = 0;
      for (const file of readdirSync(join(suite, draft)).filter((name) => name.endsWith(".json"))) {
        if (leftOut.has(file.replace(".json", ""))) continue;
        for (const { description, schema, tests } of JSON.parse(readFileSync(join(suite, draft, file), "utf8"))) {
          if (needsMore.test(description) || /"\$(id|schema)":"http:\/\/[^j]|"\$ref":"(http|[^#])/.test(JSON.stringify(schema))) continue;
          const validator = new JsonSchemaValidator(schema);
          for (const { description: what, data, valid } of tests) {
            assert.equal(validator.violations(data).length === 0, valid, `${file}: ${description}: ${what}`);
            ++count;
          }
        }
      }
      assert.ok(count > 500, String(count));
    });
  }
});
