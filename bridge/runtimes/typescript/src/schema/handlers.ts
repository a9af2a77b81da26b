// Types that Zod and JSON Schema do not share, as a program sees them.
import type { z } from "zod";

import type { JsonObject } from "../wire.js";

/** Asked before the translation of each part of a schema; `undefined` leaves it to the translation. */
export interface TypeHandler {
  /** What a Zod schema is as JSON Schema. */
  toJson?(schema: z.ZodType): JsonObject | undefined;
  /** What a JSON Schema is as Zod schema. */
  toZod?(schema: JsonObject): z.ZodType | undefined;
}

const handlers: TypeHandler[] = [];

/** The one registered last is asked first. Returns what takes it away again. */
export function registerTypeHandler(handler: TypeHandler): () => void {
  handlers.unshift(handler);
  return () => {
    const index = handlers.indexOf(handler);
    if (index >= 0) handlers.splice(index, 1);
  };
}

export function handledToJson(schema: z.ZodType): JsonObject | undefined {
  for (const handler of handlers) {
    const json = handler.toJson?.(schema);
    if (json !== undefined) return json;
  }
  return undefined;
}

export function handledToZod(schema: JsonObject): z.ZodType | undefined {
  for (const handler of handlers) {
    const zod = handler.toZod?.(schema);
    if (zod !== undefined) return zod;
  }
  return undefined;
}
