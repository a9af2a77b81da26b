// A hook of Node's module loader, with which TypeScript is the same in every Node: one runs none, others only what is left
// when its types are blanked out, without enums. All lines stay where they are.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { transform } from "sucrase";

interface Context {
  parentURL?: string;
}
interface Loaded {
  format: string;
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

async function withoutTypes(url: string): Promise<Loaded & { source: string; shortCircuit: true }> {
  const filePath = fileURLToPath(url);
  const { code } = transform(await readFile(filePath, "utf8"), {
    transforms: ["typescript"],
    disableESTransforms: true,
    filePath,
  });
  return { format: "module", source: code, shortCircuit: true };
}

/** What Sucrase does not understand, and CommonJS, are left to a Node that takes them. */
export async function load(url: string, context: Context, next: Next<Loaded>): Promise<Loaded> {
  if (!isTypeScript(url)) return next(url, context);
  const ofNode = await next(url, context).catch(() => undefined);
  if (ofNode?.format === "commonjs-typescript") return ofNode;
  return withoutTypes(url).catch((error: unknown) => ofNode ?? Promise.reject(error));
}
