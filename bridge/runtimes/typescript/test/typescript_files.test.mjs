// TypeScript is the same in every Node; the loader of this one is played by the tests.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { load, resolve } from "../dist/typescript_files.js";

describe("the loader", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolwire-loader-"));
  after(() => rmSync(folder, { recursive: true }));
  const loaded = (text, next) => {
    const file = join(folder, "file.ts");
    writeFileSync(file, text);
    return load(pathToFileURL(file).href, {}, next);
  };
  const knowsNone = async () => Promise.reject(new Error("Unknown file extension"));
  const refusesEnums = async () => Promise.reject(new Error("TypeScript enum is not supported in strip-only mode"));
  const blanksOut = async () => ({ format: "module-typescript", source: "of Node" });
  const isCommonJs = async () => ({ format: "commonjs-typescript", source: "of Node" });

  const refusesAtOnce = () => {
    throw new Error("TypeScript enum is not supported in strip-only mode");
  };
  const blanksOutAtOnce = () => ({ format: "module-typescript", source: "of Node" });

  it("answers at once where Node does", () => {
    for (const next of [refusesAtOnce, blanksOutAtOnce]) assert.match(loaded("enum A { b }\n", next).source, /^var A/);
    assert.equal(loaded("export const a: = 1;\n", blanksOutAtOnce).source, "of Node");
    assert.throws(() => loaded("export const a: = 1;\n", refusesAtOnce), /Unexpected token/);
    const places = (specifier) => (specifier.endsWith(".ts") ? { url: specifier } : refusesAtOnce());
    assert.deepEqual(resolve("./a.js", { parentURL: "file:///b.ts" }, places), { url: "./a.ts" });
    assert.throws(() => resolve("./a.js", { parentURL: "file:///b.ts" }, refusesAtOnce), /not supported/);
  });

  for (const next of [knowsNone, refusesEnums, blanksOut]) {
    it(`takes types and enums out where Node ${next.name}`, async () => {
      const { format, source } = await loaded('import { Text, twice } from "./_twice.js";\nenum A { b }\nexport const c: Text = twice(A.b);\n', next);
      assert.equal(format, "module");
      assert.match(source, /^import \{ *twice *\} from "\.\/_twice\.js";\n/);
      assert.doesNotMatch(source, /enum|Text/);
    });
  }

  it("leaves CommonJS, and what it does not understand, to a Node that takes it", async () => {
    assert.equal((await loaded("module.exports = {};\n", isCommonJs)).source, "of Node");
    assert.equal((await loaded("export const a: = 1;\n", blanksOut)).source, "of Node");
    await assert.rejects(loaded("export const a: = 1;\n", knowsNone), /Unexpected token/);
  });
});
