import { setImmediate } from "node:timers/promises";

import { Tool } from "@toolwire/runtime";
import { z } from "zod";

export const SlowTool = Tool.define("slow", {
  description: "Takes its steps one after the other, and waits to be cancelled if there are too many",
  parameters: z.strictObject({ steps: z.number().int().min(1).max(100).describe("How many") }),
  async execute({ steps }, ctx) {
    for (let step = 1; step <= Math.min(steps, 10); ++step) {
      ctx.progress(step, steps, `step ${step}`);
      await setImmediate();
    }
    if (steps > 10) await new Promise((_, refuse) => ctx.abort.addEventListener("abort", () => refuse(ctx.abort.reason)));
    return `${steps} steps`;
  },
});
