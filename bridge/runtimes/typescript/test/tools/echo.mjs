import { z } from "zod";

export const EchoTool = {
  id: "echo",
  description: "Says it again",
  parameters: z.object({ text: z.string().describe("what to say"), times: z.number().int().min(1).default(1) }),
  async execute({ text, times }) {
    return { title: "said", metadata: { length: text.length }, output: text.repeat(times) };
  },
};
