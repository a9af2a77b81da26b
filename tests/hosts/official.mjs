// The official suite (@modelcontextprotocol/conformance) with one of our programs, in one revision. It judges by the
// checks the suite has recorded: every scenario that the revision requires has to have run and to have found something
// right, and what was found wrong has to be exactly what official_known.json lists for this leg, with the reason.
//   node official.mjs server REVISION -- SERVER...           a server, which says its address when it listens
//   node official.mjs bridge REVISION -- BRIDGE SERVER...    a bridge that listens, in front of a server of stdio
//   node official.mjs cluster REVISION -- CLUSTER SERVER...  three replicas behind nginx, in front of such a server
//   node official.mjs client REVISION -- CLIENT BRIDGE       the program official_client, for each scenario anew
//   node official.mjs login REVISION -- NODE BRIDGE          official_login.mjs, for each scenario of logins (auth/*) anew
// Of the extensions of logins those that the bridge does not know are passed over and named. Nor does it offer tasks.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCluster } from './cluster.mjs';
import { expect, Unexpected } from './expect.mjs';
import { startListening, stopListening } from './listening_command.mjs';

const suite = new URL('node_modules/@modelcontextprotocol/conformance/', import.meta.url);
const { parse: parseYaml } = createRequire(suite)('yaml');
const file = (relative, base) => readFileSync(new URL(relative, base), 'utf8');

const [leg, revision, , ...command] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'toolwire-official-'));
const requirements = parseYaml(file(`requirements/${revision}.yaml`, suite));
const role = ['client', 'login'].includes(leg) ? 'client' : 'server';
const isOfLeg = (scenario) => scenario.startsWith('auth/') === (leg === 'login');
const isUnknownLogin = (scenario) => /^auth\/(enterprise-managed-authorization|dpop|dpop-nonce|wif-jwt-bearer)$/.test(scenario);
const known = JSON.parse(file('official_known.json', import.meta.url))[`${leg} ${revision}`];

function runSuite(words, environment = {}) {
  const run = spawnSync(process.execPath, [fileURLToPath(new URL('dist/index.js', suite)), ...words, '-o', scratch], {
    env: { ...process.env, NODE_COMPILE_CACHE: fileURLToPath(new URL('compile_cache', import.meta.url)), ...environment },
    encoding: 'utf8', maxBuffer: 1 << 28,
  });
  if (run.error) throw run.error;
  return run;
}

// One run of the suite: all that is for this revision, and of a server that is no bridge the extensions, too.
async function judgeServer() {
  const listening = await startListening(leg === 'bridge' ? bridgeInFront(...command) : command, { XDG_STATE_HOME: scratch });
  try {
    const which = leg === 'bridge' ? ['--suite', 'all', '--spec-version', revision] : ['--requirements', revision];
    return [{ what: 'the suite', run: runSuite(['server', '--url', listening.url, ...which]) }];
  } finally {
    await stopListening(listening);
  }
}

// A bridge does not offer the extensions.
async function judgeCluster() {
  const [program, ...server] = command;
  const cluster = await startCluster(scratch, program, server, revision < '2026');
  try {
    return [{ what: 'the suite', run: runSuite(['server', '--url', cluster.url, '--suite', 'all', '--spec-version', revision]) }];
  } finally {
    await cluster.stop();
  }
}

// The suite changes the tools of its server, which a bridge shows only if it is told to.
function bridgeInFront(bridge, server, ...args) {
  const configuration = join(scratch, 'mcp.json');
  const toolwire = { servers: { everything: { on_change: 'accept' } } };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { everything: { command: server, args } }, toolwire }));
  return [bridge, 'serve', configuration, '--listen', 'http://127.0.0.1:0/mcp'];
}

// The suite hands the words to a shell, which takes the paths as they are.
function judgeClient() {
  const [client, bridge] = command;
  const script = fileURLToPath(new URL('official_login.mjs', import.meta.url));
  const environment = { OFFICIAL_CLIENT: client, OFFICIAL_BRIDGE: bridge, OFFICIAL_SCRIPT: script };
  const program = leg === 'login' ? '"$OFFICIAL_CLIENT" "$OFFICIAL_SCRIPT"' : '"$OFFICIAL_CLIENT"';
  const words = ['client', '--command', `${program} "$OFFICIAL_BRIDGE"`, '--timeout', '60000', '--spec-version', revision];
  if (leg === 'login') words.push('--force');  // an extension is of no revision
  const unscored = requirements.not_scored.filter((one) => one.leg === role).map((one) => one.scenario);
  const all = [...requirements.client, ...unscored].filter(isOfLeg);
  const passedOver = all.filter(isUnknownLogin);
  if (passedOver.length > 0) console.log(`not run: ${passedOver.join(', ')}`);
  return all.filter((one) => !isUnknownLogin(one)).map((what) => ({ what, run: runSuite([...words, '--scenario', what], environment) }));
}

// {scenario: [check...]}, from the folders that the suite has written: [server-]SCENARIO-TIME, or auth/SCENARIO-TIME.
function recordedChecks() {
  const recorded = {};
  const logins = leg === 'login' ? readdirSync(join(scratch, 'auth')).map((one) => `auth/${one}`) : [];
  for (const folder of [...readdirSync(scratch), ...logins]) {
    const scenario = folder.match(/^(.*)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/)?.[1];
    if (!scenario) continue;
    const checks = JSON.parse(readFileSync(join(scratch, folder, 'checks.json'), 'utf8'));
    recorded[role === 'server' ? scenario.replace(/^server-/, '') : scenario] = checks;
  }
  return recorded;
}

// A busy machine is late, and the suite calls that wrong or nearly so. Too early is what a client can do wrong.
const isLate = (check) => check.id === 'client-sse-retry-timing' && check.details?.tooEarly === false;

function wrongChecks(recorded) {
  const wrong = [];
  for (const [scenario, checks] of Object.entries(recorded)) {
    for (const check of checks) {
      if (!['FAILURE', 'WARNING'].includes(check.status) || isLate(check)) continue;
      wrong.push({ scenario, name: `${scenario}:${check.id}`, why: check.errorMessage ?? check.description });
    }
  }
  return wrong;
}

function problemsOf(recorded, runs) {
  const problems = [];
  for (const scenario of requirements[role].filter(isOfLeg)) {
    const checks = recorded[scenario] ?? [];
    const right = checks.filter((check) => check.status === 'SUCCESS').length;
    console.log(`${scenario}: ${right} of ${checks.length}`);
    if (right === 0) problems.push(`${scenario} has found nothing right`);
  }
  const wrong = wrongChecks(recorded);
  const isKnown = ({ scenario, name }) => name in known || scenario in known;
  for (const one of wrong.filter((one) => !isKnown(one))) problems.push(`${one.name}: ${one.why}`);
  for (const entry of Object.keys(known)) {
    if (!wrong.some(({ scenario, name }) => scenario === entry || name === entry))
      problems.push(`${entry} is known as wrong, and is not: take it out of official_known.json`);
  }
  // What the suite does not record as a check, such as a client that ends with an error.
  for (const { what, run } of runs) {
    if (run.status !== 0 && !Object.values(recorded).flat().some((check) => check.status === 'FAILURE'))
      problems.push(`${what} exited with ${run.status ?? run.signal}`);
  }
  return problems;
}

try {
  expect(known !== undefined, `official_known.json says nothing of "${leg} ${revision}"`);
  const runs = role === 'client' ? judgeClient() : leg === 'cluster' ? await judgeCluster() : await judgeServer();
  const problems = problemsOf(recordedChecks(), runs);
  if (problems.length > 0) for (const { run } of runs) process.stderr.write(run.stdout + run.stderr);
  expect(problems.length === 0, `\n${problems.join('\n')}`);
  console.log('as expected');
} catch (error) {
  console.error(error instanceof Unexpected ? `UNEXPECTED: ${error.message}` : error);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
