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
