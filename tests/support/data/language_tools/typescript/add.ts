import { Tool } from "@toolwire/runtime";
import { z } from "zod";

export const AddTool = Tool.define("add", {
  description: "Adds two numbers",
  parameters: z.strictObject({
    a: z.number().describe("The first number"),
    b: z.number().describe("The second number"),
  }),
  execute: ({ a, b }) => a + b,
});
