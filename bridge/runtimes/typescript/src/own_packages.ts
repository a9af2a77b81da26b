// A hook of Node's module loader: "zod" and "@toolwire/runtime" are found by tools that have no packages of their own.
import { orElse } from "./or_else.js";

interface Resolved {
  url: string;
  shortCircuit?: boolean;
}
type Answer = Resolved | Promise<Resolved>;
type Resolve = (specifier: string, context: { parentURL?: string }) => Answer;

export function resolve(specifier: string, context: { parentURL?: string }, next: Resolve): Answer {
  return orElse(
    () => next(specifier, context),
    (error) => {
      if (specifier === "@toolwire/runtime") return { url: new URL("./index.js", import.meta.url).href, shortCircuit: true };
      if (specifier !== "zod" && !specifier.startsWith("zod/")) throw error;
      return next(specifier, { ...context, parentURL: import.meta.url });
    },
  );
}
