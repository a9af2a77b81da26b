// toolwire-conformance against many servers, each in every revision there is: the matrix of conformance/findings.md.
//
// usage: matrix.mjs judge PROGRAM REPORTS PACKAGES [--at-once N] [--revision R]... [SERVER]...
//        matrix.mjs table REPORTS
//
// `judge` writes a report for each server of matrix/servers.json and revision into the folder REPORTS, where it is not there yet.
// PACKAGES is the folder where npm has installed matrix/package.json, with judged_server.mjs in it. The environment says where the others are:
// DEBIAN is a root of Debian unstable with python3-mcp, ruby-mcp and libmcp-perl, and in /judged the everything-servers of the Python SDK;
// BUILT has the everything-server of the Go SDK and the conformance-server of the Rust SDK, over standard input and output.
// BUDGET is how many seconds each run may take (600). `table` prints what is in REPORTS as Markdown.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const revisions = ['2025-11-25', '2025-03-26', '2026-07-28', '2024-11-05', '2025-06-18']; // those that say most first
const budget = Number(process.env.BUDGET ?? 600); // a server that starts slowly has hundreds of starts
const servers = JSON.parse(readFileSync(join(here, 'matrix', 'servers.json'), 'utf8'));

const reportOf = (folder, server, revision) => join(folder, `${server.name.replaceAll('/', '+')}-${revision}.json`);

function words(server, packages, folder) {
  const places = {
    packages: join(packages, 'node_modules'), node: process.execPath, here, folder, debian: process.env.DEBIAN, built: process.env.BUILT,
  };
  return server.command.map((word) => word.replaceAll(/\{(\w+)\}/g, (_, name) => places[name] ?? server[name]));
}

/// One run. What the server writes goes into a folder that is removed.
async function judge(program, reports, packages, server, revision) {
  const report = reportOf(reports, server, revision);
  if (existsSync(report)) return;
  const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
  const unfinished = `${report}.part`;
  const profile = server.profile ? ['--profile', join(here, 'judged', `${server.profile}.profile.json`)] : [];
  const options = ['--revision', revision, '--budget', String(budget), '--start-timeout', '60', '--json', unfinished, ...profile];
  const run = spawn(program, [...options, '--', ...words(server, packages, folder)], { stdio: 'ignore' });
  const status = await new Promise((ended) => { run.on('close', ended); run.on('error', ended); });
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0 && status !== 1) {  // the others are judged all the same
    console.error(`${program} ended with ${status} for ${server.name} in ${revision}`);
    process.exitCode = 1;
    return;
  }
  renameSync(unfinished, report);
  console.log(`${server.name} ${revision}`);
}

async function judgeAll(program, reports, packages, { atOnce, chosen, only }) {
  mkdirSync(reports, { recursive: true });
  const wanted = servers.filter(({ name }) => only.length === 0 || only.includes(name));
  const runs = revisions.filter((it) => chosen.length === 0 || chosen.includes(it))
    .flatMap((revision) => wanted.map((server) => ({ server, revision })));
  const work = async () => {
    for (let run; (run = runs.shift()) !== undefined;) await judge(program, reports, packages, run.server, run.revision);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/// FAIL and WARN, `–` where the server does not speak the revision; a star where the time did not suffice, `?` where there is no report.
function cell(file, wanted) {
  if (!existsSync(file)) return '?';
  const { summary, revisions: spoken, checks } = JSON.parse(readFileSync(file, 'utf8'));
  if (!spoken.find(({ revision }) => revision === wanted)?.served) return '–';
  const failed = checks.filter(({ verdict }) => verdict === 'FAIL').length;
  return `${failed > 0 ? `**${failed}**` : '0'} · ${summary.warn}${summary.partial ? ' *' : ''}`;
}

function table(reports) {
  const columns = [...revisions].sort();
  console.log(`| server | version | SDK | ${columns.join(' | ')} |`);
  console.log(`|---|---|---|${columns.map(() => '---|').join('')}`);
  for (const server of servers) {
    const cells = columns.map((revision) => cell(reportOf(reports, server, revision), revision));
    console.log(`| ${`\`${server.name}\``} | ${server.version ?? '–'} | ${server.sdk} | ${cells.join(' | ')} |`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '2' }, revision: { type: 'string', multiple: true, default: [] } },
});
const [what, ...rest] = positionals;
if (what === 'judge' && rest.length >= 3) {
  const [program, reports, packages, ...only] = rest;
  await judgeAll(resolve(program), resolve(reports), resolve(packages),
    { atOnce: Number(values['at-once']), chosen: values.revision, only });
} else if (what === 'table' && rest.length === 1) {
  table(resolve(rest[0]));
} else {
  console.error('usage: matrix.mjs judge PROGRAM REPORTS PACKAGES [--at-once N] [--revision R]... [SERVER]...\n       matrix.mjs table REPORTS');
  process.exit(2);
}
