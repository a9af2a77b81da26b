// A hook of Node's module loader, with which TypeScript is the same in every Node: one runs none, others only what is left
// when its types are blanked out, without enums. All lines stay where they are.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { transform } from "sucrase";

import { orElse } from "./or_else.js";

interface Context {
  parentURL?: string;
}
interface Loaded {
  format: string;
}
type Answer<Result> = Result | Promise<Result>;
type Next<Result> = (specifier: string, context: Context) => Answer<Result>;

const isTypeScript = (url: string | undefined): boolean => /^file:[^?#]*\.m?ts(?:[?#]|$)/.test(url ?? "");

/** As the compiler has it, a file "./shared.js" is "./shared.ts" before it is compiled. */
export function resolve(specifier: string, context: Context, next: Next<unknown>): Answer<unknown> {
  return orElse(
    () => next(specifier, context),
    (error) => {
      if (!isTypeScript(context.parentURL) || !/^\.{1,2}\/.*\.m?js$/.test(specifier)) throw error;
      const otherwise = (): never => {
        throw error;
      };
      return orElse(() => next(specifier.replace(/js$/, "ts"), context), otherwise);
    },
  );
}

function withoutTypes(url: string): Loaded & { source: string; shortCircuit: true } {
  const filePath = fileURLToPath(url);
  const { code } = transform(readFileSync(filePath, "utf8"), {
    transforms: ["typescript"],
    disableESTransforms: true,
    filePath,
  });
  return { format: "module", source: code, shortCircuit: true };
}

/** What Sucrase does not understand, and CommonJS, are left to a Node that takes them. */
export function load(url: string, context: Context, next: Next<Loaded>): Answer<Loaded> {
  if (!isTypeScript(url)) return next(url, context);
  const chosen = (ofNode: Loaded | undefined): Loaded => {
    if (ofNode?.format === "commonjs-typescript") return ofNode;
    try {
      return withoutTypes(url);
    } catch (error) {
      if (ofNode) return ofNode;
      throw error;
    }
  };
  const asked = orElse<Loaded | undefined>(
    () => next(url, context),
    () => undefined,
  );
  return asked instanceof Promise ? asked.then(chosen) : chosen(asked);
}
