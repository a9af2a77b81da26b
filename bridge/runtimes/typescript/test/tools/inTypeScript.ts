// With all that is TypeScript's own and has to go.
import { z } from "zod";
import { Tool } from "@toolwire/runtime";

import { twice, type Text } from "./_twice.js";

enum Manner {
  plain = "plain",
  loud = "loud",
}

export const inTypeScript = Tool.define("inTypeScript", {
  description: "Says it twice",
  parameters: z.object({ text: z.string(), manner: z.nativeEnum(Manner).default(Manner.plain) }),
  async execute({ text, manner }: { text: Text; manner: Manner }) {
    const said = twice(text) as string;
    if (text === "fail") throw new Error("line 17");
    return manner === Manner.loud ? said.toUpperCase() : said!;
  },
});
