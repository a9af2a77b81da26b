const nothing = { type: "object" };
const aborted = (signal) =>
  new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(signal.reason), { once: true }));

export const wait = {
  id: "wait",
  description: "Waits until it is told not to",
  parameters: nothing,
  async execute(_args, ctx) {
    ctx.progress(1, 2, "waiting");
    await aborted(ctx.abort);
  },
};

export const stubborn = {
  id: "stubborn",
  description: "Finishes all the same",
  parameters: nothing,
  async execute(_args, ctx) {
    ctx.progress(1);
    await aborted(ctx.abort).catch(() => {});
    ctx.progress(2);
    return `finished after ${ctx.abort.reason.name}`;
  },
};

export const hang = {
  id: "hang",
  description: "Does not care",
  parameters: nothing,
  execute: (_args, ctx) => {
    ctx.progress(1);
    return new Promise(() => setInterval(() => {}, 1000));
  },
};
