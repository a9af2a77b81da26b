import { Tool, ToolError } from "@toolwire/runtime";
import { z } from "zod";

export const FailingTool = Tool.define("failing", {
  description: "Fails for the reason given",
  parameters: z.strictObject({ reason: z.string().min(1).describe("Why") }),
  execute({ reason }) {
    throw new ToolError(reason);
  },
});
