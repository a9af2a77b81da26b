// The schema benchmark: runs toolwire-bench-schema, measures Ajv on the same cases, prints a table and the geometric means.
// usage: node compare.mjs BENCH-PROGRAM [MILLISECONDS]; beside node_modules with Ajv.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import { cases } from "./cases.mjs";

const program = process.argv[2];
const milliseconds = Number(process.argv[3] ?? 200);
const rounds = 5;
if (!program) {
  console.error("usage: node compare.mjs BENCH-PROGRAM [MILLISECONDS]");
  process.exit(2);
}

let seen = false;
function bestTime(work) {
  let count = 1;
  let best = Infinity;
  for (let round = 0; round < rounds;) {
    const begin = process.hrtime.bigint();
    for (let left = count; left > 0; --left) work();
    const taken = Number(process.hrtime.bigint() - begin);
    if (taken < (milliseconds * 1e6) / rounds) {
      count *= 2;
      continue;
    }
    best = Math.min(best, taken / count);
    ++round;
  }
  return best;
}

function measureAjv(one) {
  const options = { strict: false };
  const validate = new Ajv2020(options).compile(one.schema);
  const shared = new Ajv2020(options);
  const text = JSON.stringify(one.schema);
  const result = {};
  // A fresh object each time: Ajv remembers the schemas it has compiled by identity.
  const parse = bestTime(() => JSON.parse(text));
  result.compile = bestTime(() => {
    const schema = JSON.parse(text);
    shared.compile(schema);
    shared.removeSchema(schema);
  }) - parse;
  for (const which of ["good", "bad"]) {
    const instance = one[which];
    if (validate(instance) !== (which === "good")) throw new Error(`Ajv is wrong about ${one.name}, ${which}`);
    result[which] = bestTime(() => { seen = validate(instance); });
    const line = JSON.stringify(instance);
    result[`${which}_parsed`] = bestTime(() => { seen = validate(JSON.parse(line)); });
  }
  return result;
}

// One case after the other, each measured by both sides in turn, so that other work on the machine meets both alike.
function measureOurs(one) {
  const folder = mkdtempSync(join(tmpdir(), "toolwire-bench-schema-"));
  const file = join(folder, "cases.json");
  writeFileSync(file, JSON.stringify([one]));
  const run = spawnSync(program, [file, String(milliseconds)], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  if (run.status !== 0) {
    console.error(run.error?.message ?? run.stderr);
    process.exit(1);
  }
  return JSON.parse(run.stdout);
}

const show = (value) => (value === undefined ? "–" : value >= 1e5 ? `${(value / 1000).toFixed(0)} k` : value.toFixed(0));
const ratio = (theirs, mine) => (theirs === undefined ? "–" : `${(theirs / mine).toFixed(1)} ×`);
const means = { "valijson, parsing excluded": [], "Ajv, parsing excluded": [], "Ajv, parsing included": [], "Ajv, compiling": [] };

console.log("| case | instance | toolwire ns | valijson ns | Ajv ns | × valijson | × Ajv | with parsing: toolwire | Ajv | × Ajv | compile: toolwire | Ajv | × Ajv |");
console.log("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
for (const one of cases) {
  const mine = measureOurs(one);
  const ajv = measureAjv(one);
  means["Ajv, compiling"].push(ajv.compile / mine.compile);
  for (const which of ["good", "bad"]) {
    const valijson = mine[`${which}_valijson`];
    if (valijson) means["valijson, parsing excluded"].push(valijson / mine[which]);
    means["Ajv, parsing excluded"].push(ajv[which] / mine[which]);
    means["Ajv, parsing included"].push(ajv[`${which}_parsed`] / mine[`${which}_parsed`]);
    const cells = [one.name, which === "good" ? "fits" : "refused", show(mine[which]), show(valijson), show(ajv[which]),
      ratio(valijson, mine[which]), ratio(ajv[which], mine[which]), show(mine[`${which}_parsed`]), show(ajv[`${which}_parsed`]),
      ratio(ajv[`${which}_parsed`], mine[`${which}_parsed`])];
    cells.push(...(which === "good" ? [show(mine.compile), show(ajv.compile), ratio(ajv.compile, mine.compile)] : ["", "", ""]));
    console.log(`| ${cells.join(" | ")} |`);
  }
}
console.log();
for (const [name, values] of Object.entries(means)) {
  const mean = Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
  console.log(`geometric mean, ${name}: ${mean.toFixed(2)} × as fast (${values.length} measurements)`);
}
