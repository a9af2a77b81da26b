// A hook of Node's module loader, for a Node that runs no TypeScript itself: types are taken out of files, and all lines
// stay where they are.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { transform } from "sucrase";

interface Context {
  parentURL?: string;
}
type Next<Result> = (specifier: string, context: Context) => Promise<Result>;

const isTypeScript = (url: string | undefined): boolean => /^file:[^?#]*\.m?ts(?:[?#]|$)/.test(url ?? "");

/** As the compiler has it, a file "./shared.js" is "./shared.ts" before it is compiled. */
export async function resolve(specifier: string, context: Context, next: Next<unknown>): Promise<unknown> {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!isTypeScript(context.parentURL) || !/^\.{1,2}\/.*\.m?js$/.test(specifier)) throw error;
    return next(specifier.replace(/js$/, "ts"), context).catch(() => Promise.reject(error));
  }
}

export async function load(url: string, context: Context, next: Next<unknown>): Promise<unknown> {
  if (!isTypeScript(url)) return next(url, context);
  const filePath = fileURLToPath(url);
  const { code } = transform(await readFile(filePath, "utf8"), {
    transforms: ["typescript"],
    disableESTransforms: true,
    filePath,
  });
  return { format: "module", source: code, shortCircuit: true };
}
