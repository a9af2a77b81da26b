// The cases of the schema benchmark: realistic tool arguments, each with an instance that fits and one that must be refused.
// No randomness: every run measures the same.

const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const object = (properties, required = Object.keys(properties)) => ({
  type: "object", properties, required, additionalProperties: false,
});
const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

const flat = {
  name: "flat",
  schema: object({
    query: { type: "string", minLength: 1, maxLength: 200 },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    language: text,
    sort: { type: "string", enum: ["relevance", "newest", "oldest"] },
    fuzzy: { type: "boolean" },
  }, ["query"]),
  good: { query: "flat program validator", limit: 25, language: "en", sort: "newest", fuzzy: false },
  bad: { query: "flat program validator", limit: 999, language: "en", sort: "newest", fuzzy: false },
};

const address = object({ street: text, city: text, zip: { type: "string", minLength: 4, maxLength: 10 }, country: text });
const nested = {
  name: "nested",
  schema: object({
    customer: object({ name: text, email: text, address }),
    items: { type: "array", minItems: 1, items: object({
      sku: text, quantity: { type: "integer", minimum: 1 }, price: { type: "number", exclusiveMinimum: 0 },
      options: object({ color: text, size: text }, []) }, ["sku", "quantity", "price"]) },
    delivery: object({ method: { enum: ["pickup", "courier", "post"] }, address }, ["method"]),
  }),
  good: {
    customer: { name: "Ada", email: "ada@example.org", address: { street: "Main 1", city: "Bonn", zip: "53111", country: "DE" } },
    items: range(4, (i) => ({ sku: `part-${i}`, quantity: i + 1, price: 9.5 + i, options: { color: "red", size: "M" } })),
    delivery: { method: "courier", address: { street: "Side 2", city: "Köln", zip: "50667", country: "DE" } },
  },
};
nested.bad = structuredClone(nested.good);
nested.bad.delivery.address.zip = "1";

const names = range(200, (i) => `region-${i}-${i * 7919 % 1000}`);
const enums = {
  name: "enum-heavy",
  schema: object({
    region: { enum: names },
    zone: { enum: names.map((name) => `${name}-a`) },
    level: { enum: [1, 2, 3, 5, 8, 13, 21, 34, 55] },
    state: { enum: ["queued", "running", "done", "failed", "cancelled", null] },
    kinds: { type: "array", items: { enum: ["image", "audio", "video", "text", "table", "chart"] } },
  }),
  good: { region: names[150], zone: `${names[180]}-a`, level: 21, state: "failed", kinds: ["table", "chart", "audio", "text"] },
  bad: { region: names[150], zone: `${names[180]}-b`, level: 21, state: "failed", kinds: ["table", "chart", "audio", "text"] },
};

const shapes = ["circle", "square", "line", "arc", "label", "image", "group", "path"];
const tagged = {
  name: "tagged oneOf",
  schema: object({
    shapes: { type: "array", items: { oneOf: shapes.map((kind, i) =>
      object({ kind: { const: kind }, x: { type: "number" }, y: { type: "number" }, [`value${i}`]: text })) } },
  }),
  good: { shapes: range(16, (i) => ({ kind: shapes[i % 8], x: i, y: i * 1.5, [`value${i % 8}`]: "v" })) },
};
tagged.bad = structuredClone(tagged.good);
tagged.bad.shapes[15].x = "0";

const any = {
  name: "anyOf",
  schema: object({
    filter: { type: "array", items: { anyOf: [
      { type: "string", minLength: 1 }, { type: "integer", minimum: 0 },
      object({ from: { type: "number" }, to: { type: "number" } }),
      { type: "array", items: { type: "string" }, maxItems: 4 }] } },
  }),
  good: { filter: ["a", 7, { from: 1, to: 2.5 }, ["x", "y"], "bc", 0, { from: -1, to: 0 }, []] },
  bad: { filter: ["a", 7, { from: 1, to: 2.5 }, ["x", "y"], "bc", 0, { from: -1, to: "0" }, []] },
};

const objects = {
  name: "1000 objects",
  schema: object({ rows: { type: "array", items: object({
    id: count, name: { type: "string", maxLength: 80 }, score: { type: "number" }, active: { type: "boolean" },
    tags: { type: "array", items: text, maxItems: 8 } }, ["id", "name", "score"]) } }),
  good: { rows: range(1000, (i) => ({ id: i, name: `row number ${i}`, score: i / 8, active: i % 2 === 0, tags: ["a", "b"] })) },
};
objects.bad = structuredClone(objects.good);
delete objects.bad.rows[999].score;

const long = {
  name: "256 KB string",
  schema: object({ path: text, content: { type: "string", maxLength: 200000 } }),
  good: { path: "a.txt", content: "für alle ".repeat(20000) + "z".repeat(20000) },
  bad: { path: "a.txt", content: "für alle ".repeat(20000) + "z".repeat(20001) },
};

const fifty = {
  name: "50 closed properties",
  schema: object(Object.fromEntries(range(50, (i) => [`setting_${i}_${"abcde"[i % 5]}`, [text, count, { type: "boolean" }][i % 3]])), []),
  good: Object.fromEntries(range(50, (i) => [`setting_${i}_${"abcde"[i % 5]}`, ["on", i, true][i % 3]])),
};
fifty.bad = { ...fifty.good, setting_50_a: 1 };

const numbers = {
  name: "4000 numbers",
  schema: object({ samples: { type: "array", maxItems: 10000, items: { type: "number", minimum: -1000, maximum: 1000 } } }),
  good: { samples: range(4000, (i) => (i * 37 % 2000 - 1000) / 8) },
  bad: { samples: range(4000, (i) => (i === 3999 ? 1001 : (i * 37 % 2000 - 1000) / 8)) },
};

const tree = (depth) => ({ name: `n${depth}`, size: depth, children: depth === 0 ? [] : range(3, () => tree(depth - 1)) });
const recursive = {
  name: "recursive",
  schema: { $ref: "#/$defs/node", $defs: { node: object({ name: text, size: count, children: { type: "array", items: { $ref: "#/$defs/node" } } }) } },
  good: tree(4),
  bad: tree(4),
};
recursive.bad.children[2].children[2].children[2].children[2].size = -1;

const patterns = {
  name: "patterns",
  schema: object({
    id: { type: "string", pattern: "^[a-z][a-z0-9_-]{2,40}$" },
    version: { type: "string", pattern: "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$" },
    path: { type: "string", pattern: "^/(?:[\\w.-]+/)*[\\w.-]+$" },
    color: { type: "string", pattern: "^#[0-9a-fA-F]{6}$" },
    day: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
    labels: { type: "object", patternProperties: { "^x-": text }, additionalProperties: false },
  }),
  good: { id: "build-server_01", version: "12.0.341", path: "/srv/data/projects/main.cpp", color: "#a0B1c2", day: "2026-11-21",
    labels: { "x-team": "core", "x-owner": "ada" } },
  bad: { id: "build-server_01", version: "12.0.341", path: "/srv/data/projects/main.cpp", color: "#a0B1c2", day: "2026-11-2",
    labels: { "x-team": "core", "x-owner": "ada" } },
};

const unevaluated = {
  name: "unevaluatedProperties",
  schema: {
    type: "object",
    allOf: [{ $ref: "#/$defs/base" }, { $ref: "#/$defs/audit" }],
    properties: { kind: { enum: ["file", "folder"] }, size: count },
    required: ["kind"],
    if: { properties: { kind: { const: "folder" } } }, then: { properties: { entries: count } },
    unevaluatedProperties: false,
    $defs: {
      base: { type: "object", properties: { name: text, title: text }, required: ["name"] },
      audit: { type: "object", properties: { created: text, author: text } },
    },
  },
  good: { name: "a", title: "A", created: "2026", author: "ada", kind: "folder", size: 3, entries: 7 },
  bad: { name: "a", title: "A", created: "2026", author: "ada", kind: "file", size: 3, entries: 7 },
  not_for: ["valijson"],  // it does not know the keyword
};

const map = {
  name: "map of records",
  schema: { type: "object", additionalProperties: object({ value: { type: ["string", "number"] }, secret: { type: "boolean" } }, ["value"]) },
  good: Object.fromEntries(range(40, (i) => [`VARIABLE_NUMBER_${i}`, { value: i % 2 ? `v${i}` : i, secret: false }])),
};
map.bad = structuredClone(map.good);
map.bad.VARIABLE_NUMBER_39.value = null;

export const cases = [flat, nested, enums, tagged, any, objects, long, fifty, numbers, recursive, patterns, unevaluated, map];
