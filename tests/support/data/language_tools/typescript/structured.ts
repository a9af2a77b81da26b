import { Tool } from "@toolwire/runtime";
import { z } from "zod";

export const StructuredTool = Tool.define("structured", {
  description: "Counts the words of a text",
  parameters: z.strictObject({ text: z.string().describe("What to count") }),
  outputSchema: {
    type: "object",
    properties: {
      words: { type: "integer", description: "How many there are" },
      longest: { type: "string", description: "The first of the longest" },
      lengths: { type: "array", items: { type: "integer" }, description: "Of each" },
    },
    required: ["words", "longest", "lengths"],
    additionalProperties: false,
  },
  execute({ text }) {
    const words = text.split(/\s+/).filter((word) => word !== "");
    const longest = words.reduce((one, other) => (other.length > one.length ? other : one), "");
    return { words: words.length, longest, lengths: words.map((word) => word.length) };
  },
});
