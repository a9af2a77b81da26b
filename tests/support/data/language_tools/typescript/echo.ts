import { Tool } from "@toolwire/runtime";
import { z } from "zod";

export const EchoTool = Tool.define("echo", {
  description: "Says the text again",
  parameters: z.strictObject({ text: z.string().describe("What to say") }),
  execute: ({ text }) => text,
});
