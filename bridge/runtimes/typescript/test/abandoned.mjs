// Starts a runtime that yields without end, says its process id, and dies without a word.
import { Wire } from "./wire.mjs";

const wire = new Wire();
void wire.execute("endless", "endless", {}, { progress: true });
await wire.progress("endless");
console.log(wire.child.pid);
process.kill(process.pid, "SIGKILL");
