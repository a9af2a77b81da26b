// Makes a server's starts visible: the command is started through a shell that notes its process id and then becomes
// the server, so that signals and streams reach the server itself. It knows nothing of MCP.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class WatchedCommand {
  #folder = mkdtempSync(join(tmpdir(), 'toolwire-hosts-'));
  #log = join(this.#folder, 'starts');

  constructor(command, args) {
    this.command = 'sh';
    this.args = ['-c', 'echo $$ >>"$0" && exec "$@"', this.#log, command, ...args];
  }

  // As the SDK's transports take it. `keptIn` names a variable that tells the program where to keep what it keeps: beside
  // the notes.
  asParameters(keptIn) {
    return { command: this.command, args: this.args, ...(keptIn && { env: { [keptIn]: this.#folder } }) };
  }

  // The ids of all processes started so far, in order.
  starts() {
    return readFileSync(this.#log, 'utf8').trim().split('\n').map(Number);
  }

  // Those of them that still run.
  survivors() {
    return this.starts().filter(isAlive);
  }

  // Removes the notes; the object is of no use afterwards.
  forget() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
