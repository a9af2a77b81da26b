// What is published: the tarball, unpacked and run.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("..", import.meta.url));

describe("the tarball", () => {
  it("holds the runtime and its README, and runs", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "toolwire-package-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const [{ filename, files, version }] = JSON.parse(
      execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", folder], { cwd: home, encoding: "utf8" }),
    );
    assert.equal(version, JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version);
    const names = files.map(({ path }) => path);
    for (const name of ["package.json", "README.md", "dist/main.js", "dist/index.js", "dist/index.d.ts"]) assert.ok(names.includes(name), name);
    assert.deepEqual(names.filter((name) => !/^(package\.json|README\.md|dist\/)/.test(name)), []);
    execFileSync("tar", ["-xzf", join(folder, filename), "-C", folder]);
    symlinkSync(join(home, "node_modules"), join(folder, "package", "node_modules"));
    const program = spawn(process.execPath, [join(folder, "package", "dist", "main.js"), join(home, "test", "tools")], { stdio: ["pipe", "pipe", "ignore"] });
    program.stdin.write('{"jsonrpc":"2.0","protocol":"1.0.0","id":1,"method":"registry.list"}\n');
    const { value: listed } = await createInterface(program.stdout)[Symbol.asyncIterator]().next();
    program.stdin.end();
    await once(program, "exit");
    assert.match(listed, /"id":"echo"/);
  });
});
