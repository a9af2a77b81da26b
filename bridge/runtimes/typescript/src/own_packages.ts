// A hook of Node's module loader: "zod" and "@toolwire/runtime" are found by tools that have no packages of their own.
type Resolve = (specifier: string, context: { parentURL?: string }) => Promise<{ url: string }>;

export async function resolve(specifier: string, context: { parentURL?: string }, next: Resolve): Promise<unknown> {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (specifier === "@toolwire/runtime") return { url: new URL("./index.js", import.meta.url).href, shortCircuit: true };
    if (specifier !== "zod" && !specifier.startsWith("zod/")) throw error;
    return next(specifier, { ...context, parentURL: import.meta.url });
  }
}
