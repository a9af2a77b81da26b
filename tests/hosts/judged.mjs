// toolwire-conformance against a server or a client of others: it has to find what the baseline says, nothing else and
// nothing less.
//
// usage: judged.mjs PROGRAM BASELINE [client] [option of the program]... -- COMMAND [argument]...

import { spawnSync } from 'node:child_process';

const [program, baseline, ...rest] = process.argv.slice(2);
const side = rest[0] === 'client' ? [rest.shift()] : [];
const fewestPasses = side.length > 0 ? 30 : 150; // a run that judged next to nothing would agree with many a baseline
const run = spawnSync(program, [...side, '--strict', '--baseline', baseline, '--json', '-', ...rest], {
  encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'],
});
if (run.error !== undefined || (run.status !== 0 && run.status !== 1))
  throw new Error(`${program} ended with ${run.error ?? run.signal ?? run.status}: ${run.stderr}`);

const { summary, checks, mended } = JSON.parse(run.stdout);
const found = checks.filter(({ verdict, known }) => (verdict === 'FAIL' || verdict === 'WARN') && !known);
for (const it of found) {
  console.log(`not in the baseline: ${it.verdict} ${it.id} ${it.revision}\n  expected: ${it.expected}\n  got: ${it.got}`);
  console.log(it.transcript.slice(0, 4000));
}
for (const { id, revision } of mended) console.log(`in the baseline, but it passes: ${id} ${revision}`);
console.log(`${summary.pass} passed, ${summary.known} known, ${summary.skip} skipped in ${summary.duration_ms} ms`);
if (found.length > 0 || mended.length > 0 || summary.pass < fewestPasses) process.exit(1);
