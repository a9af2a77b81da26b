// The command-line mode of the MCP Inspector (@modelcontextprotocol/inspector --cli) against a server, as a person
// would use it: one run to list, one for every call. In the modes auto and modern it asks server/discover on the
// session's own process, which the SDK clients do not.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkResult, checkTools, expect, parseExpectations, runSessions } from './expectations.mjs';

const options = parseExpectations(process.argv.slice(2), ['legacy', 'auto', 'modern']);
const inspector = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));

// Runs the Inspector for one method; returns the result it printed.
function inspect(config, home, ...words) {
  const args = [inspector, '--cli', '--config', config, '--server', 'server', '--protocol-era', options.mode,
    '--format', 'json', ...words];
  const env = { PATH: process.env.PATH, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' };
  const run = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.error) throw run.error;
  process.stderr.write(run.stderr);
  const output = run.stdout.trim();
  expect(output !== '', `the Inspector exited with ${run.status} and no result; its words are above`);
  return { status: run.status, result: JSON.parse(output).result };
}

async function session() {
  const home = mkdtempSync(join(tmpdir(), 'toolwire-inspector-'));
  try {
    const config = join(home, 'servers.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { server: { command: options.command, args: options.args } } }));
    // --strict: schemas that some model provider would refuse make it exit with 6.
    const list = inspect(config, home, '--method', 'tools/list', '--strict');
    expect(list.status === 0, `listing the tools: the Inspector exited with ${list.status}`);
    checkTools(list.result.tools, options.calls);
    for (const call of options.calls) {
      const words = ['--method', 'tools/call', '--tool-name', call.tool, '--tool-args-json', JSON.stringify(call.args)];
      checkResult(call, inspect(config, home, ...words).result);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

await runSessions(options, session);
