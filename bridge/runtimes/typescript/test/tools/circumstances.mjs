import { z } from "zod";

export default {
  id: "circumstances",
  init: async () => ({
    description: "What a tool is told",
    parameters: z.object({}),
    async execute(_args, ctx) {
      ctx.metadata({ title: "told", metadata: { one: 1 } });
      ctx.metadata.set("two", ctx.metadata.get("one") + 1);
      const { sessionId, sessionID, messageId, messageID, timeout, meta, trace } = ctx;
      return JSON.stringify({ sessionId, sessionID, messageId, messageID, timeout, meta, trace, keys: [...ctx.metadata.keys()] });
    },
  }),
};
