#!/usr/bin/env node
// toolwire-runtime DIRECTORY [--grant-all]
import { statSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, resolve } from "node:path";

import { Registry } from "./registry.js";
import { Runtime } from "./runtime.js";
import { takeStandardStreams } from "./streams.js";
import { boundWorkers } from "./workers.js";

const usage = "usage: toolwire-runtime DIRECTORY [--grant-all]";

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const options = words.filter((word) => word.startsWith("--"));
  const [directory, ...more] = words.filter((word) => !word.startsWith("--"));
  if (options.includes("--help")) return console.log(usage);
  const unknown = options.find((option) => option !== "--grant-all") ?? more[0];
  if (directory === undefined || unknown !== undefined) {
    console.error(unknown === undefined ? usage : `toolwire-runtime: unexpected "${unknown}"; ${usage}`);
    process.exitCode = 2;
    return;
  }
  const found = statSync(directory, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    const folder = `'${dirname(resolve(directory)).replaceAll("'", "'\\''")}'`;
    const how = found?.isFile() ? `; its folder is served over MCP by: toolwire-bridge serve --runtime NAME=${folder}` : "";
    console.error(`toolwire-runtime: ${directory}: expected a directory${how}`);
    process.exitCode = 2;
    return;
  }
  const { input, output } = takeStandardStreams();
  output.on("error", () => process.exit(0)); // nobody is there to be told anything
  process.stderr.on("error", () => {}); // else its failure is an uncaught exception, which is told to it, without end
  // A tool's late mistakes are its own: no other call is to be lost for them.
  process.on("uncaughtException", (error) => console.error(error));
  process.on("unhandledRejection", (error) => console.error(error));
  boundWorkers();
  // Tools that lie where no packages are find ours.
  const { register, registerHooks } = nodeModule as {
    register?: (from: string, parent: string) => void;
    registerHooks?: (hooks: object) => void;
  };
  for (const name of ["./own_packages.js", "./typescript_files.js"]) {
    if (registerHooks) registerHooks((await import(name)) as object);
    else register?.(name, import.meta.url); // deprecated where there is the other
  }
  const registry = new Registry(directory, options.includes("--grant-all") ? undefined : {});
  new Runtime(registry, output).run(input);
}

await main();
