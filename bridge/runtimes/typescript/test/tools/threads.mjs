import { Worker } from "node:worker_threads";

/** How much room for code, in MiB, the threads have that it starts, all at once. */
export const ThreadsTool = {
  id: "threads",
  description: "Starts threads",
  parameters: { type: "object" },
  async execute({ limits }) {
    const workers = limits.map((resourceLimits) => new Worker("setInterval(() => {}, 1000)", { eval: true, resourceLimits }));
    await Promise.all(workers.map((worker) => new Promise((done) => worker.on("online", done))));
    const rooms = workers.map((worker) => worker.resourceLimits.codeRangeSizeMb);
    await Promise.all(workers.map((worker) => worker.terminate()));
    return JSON.stringify(rooms);
  },
};
