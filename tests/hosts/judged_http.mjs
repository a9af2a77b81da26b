// toolwire-conformance against servers of others over Streamable HTTP: the checks of the transport have to find in each
// what judged/http.json says, nothing else and nothing less.
//
// usage: judged_http.mjs PROGRAM EXPECTED NODE_MODULES JUDGED_SERVER

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { freePort } from './local_issuer.mjs';

const fewestPasses = 15; // a run that judged next to nothing would agree with any list
const [program, expectedFile, modules, judgedServer] = process.argv.slice(2);
const expected = JSON.parse(readFileSync(expectedFile, 'utf8'));
const packages = `${modules}/@modelcontextprotocol`;

/// A server whose port a variable of the environment decides: the suite starts it.
async function startedBySuite(variable, command) {
  const port = await freePort();
  return { options: ['--env', `${variable}=${port}`], url: `http://127.0.0.1:${port}/mcp`, command: ['--', process.execPath, ...command] };
}

/// A server that prints its URL.
async function startedHere(command) {
  const server = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    server.stdout.once('data', (text) => resolve(String(text).trim()));
    server.once('exit', (status) => reject(new Error(`${command[0]} ended with ${status}`)));
  });
  return { options: [], url, command: [], end: () => server.kill() };
}

const servers = {
  everything: () => startedBySuite('PORT', [`${packages}/server-everything/dist/index.js`, 'streamableHttp']),
  sdk_v1: () => startedBySuite('MCP_PORT', [`${packages}/sdk/dist/esm/examples/server/simpleStreamableHttp.js`]),
  sdk_v2: () => startedHere([judgedServer, '--http']),
};

let differs = false;
for (const [name, start] of Object.entries(servers)) {
  const { options, url, command, end } = await start();
  const run = spawnSync(program, ['--only', 'http', '--timeout', '10', '--json', '-', ...options, '--http', url, ...command],
    { encoding: 'utf8', maxBuffer: 1 << 28 });
  end?.();
  if (run.error !== undefined || (run.status !== 0 && run.status !== 1))
    throw new Error(`${program} ended with ${run.error ?? run.signal ?? run.status}: ${run.stderr}`);
  const { summary, checks } = JSON.parse(run.stdout);
  const found = {};
  for (const { id, verdict, revision } of checks) {
    if (verdict === 'FAIL' || verdict === 'WARN') (found[id] ??= {})[revision] = verdict;
  }
  const same = JSON.stringify(sorted(found)) === JSON.stringify(sorted(expected[name]));
  console.log(`${name}: ${summary.pass} passed, ${summary.skip} skipped${same ? '' : `, found ${JSON.stringify(sorted(found))}`}`);
  if (!same || summary.pass < fewestPasses) differs = true;
}
if (differs) process.exit(1);

function sorted(value) {
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, it]) => [key, sorted(it)]));
}
