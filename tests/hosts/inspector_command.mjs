// The command-line mode of the MCP Inspector (@modelcontextprotocol/inspector --cli) as a person would use it: one run,
// and with it one process of the server, for each method. It judges nothing.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from './expectations.mjs';

const inspector = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));

export class InspectorCommand {
  #home = mkdtempSync(join(tmpdir(), 'toolwire-inspector-'));
  #mode;

  // `server` is {command, args} or {type, url}; `mode` is what the Inspector calls the protocol era: legacy, auto or modern.
  constructor(server, mode) {
    this.#mode = mode;
    writeFileSync(this.#config, JSON.stringify({ mcpServers: { server } }));
  }

  get #config() {
    return join(this.#home, 'servers.json');
  }

  // Runs the Inspector for one method; returns its exit code and the result it printed.
  run(...words) {
    const args = [inspector, '--cli', '--config', this.#config, '--server', 'server', '--protocol-era', this.#mode,
      '--format', 'json', ...words];
    const env = { PATH: process.env.PATH, HOME: this.#home, MCP_INSPECTOR_SECRET_STORE: 'memory' };
    const run = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (run.error) throw run.error;
    process.stderr.write(run.stderr);
    const output = run.stdout.trim();
    expect(output !== '', `the Inspector exited with ${run.status} and no result; its words are above`);
    return { status: run.status, result: JSON.parse(output).result };
  }

  call(tool, args) {
    return this.run('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)).result;
  }

  // Removes what it wrote; the object is of no use afterwards.
  forget() {
    rmSync(this.#home, { recursive: true, force: true });
  }
}
