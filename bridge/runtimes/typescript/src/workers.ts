// Threads of tools within a limit of memory. From Node 24 on V8 takes 512 MiB of private data for the code of each
// thread, used or not, and ends the process where a limit leaves no room for that.
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import workerThreads, { type WorkerOptions } from "node:worker_threads";

const CODE_OF_A_WORKER = 64; // MiB

/** Whether a limit counts private data here (ulimit -d). Where that cannot be read, it may. */
function hasLimit(): boolean {
  try {
    return !/^Max data size\s+unlimited/m.test(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return true;
  }
}

/** Gives each `Worker` that says nothing else less room for code, if there is a limit. Before tools are loaded. */
export function boundWorkers(): void {
  if (!hasLimit()) return;
  const Unbound = workerThreads.Worker;
  class Worker extends Unbound {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      super(file, { ...options, resourceLimits: { codeRangeSizeMb: CODE_OF_A_WORKER, ...options.resourceLimits } });
    }
  }
  (workerThreads as { Worker: typeof Unbound }).Worker = Worker;
  syncBuiltinESMExports();
}
