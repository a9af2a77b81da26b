// The lines of the table "By hand" of conformance/findings.md, each to a fresh process of a server: what comes back.
//
// usage: by_hand.mjs [--revision R] [--wait SECONDS] -- COMMAND [argument]...
//
// Prints a column of the table: an error code, `result`, `–` (nothing, and the next ping is answered), `silent` (nor is that) or
// `ends` (the process). --wait is how long an answer may take (10).

import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals: command } = parseArgs({
  allowPositionals: true,
  options: { revision: { type: 'string', default: '2025-11-25' }, wait: { type: 'string', default: '10' } },
});
if (command.length === 0) {
  console.error('usage: by_hand.mjs [--revision R] [--wait SECONDS] -- COMMAND [argument]...');
  process.exit(2);
}
const wait = Number(values.wait) * 1000;

const request = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) });
const initialize = (revision) => request(0, 'initialize', {
  protocolVersion: revision, capabilities: {}, clientInfo: { name: 'by-hand', version: '1' },
});
const ping = (text) => request(7, 'ping', { x: text });
const pingWithId = (id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;

// What is sent, what answers it, and, where it is not the opened session of --revision, in which state.
const lines = [
  ['`not JSON`', 'not JSON'],
  ['half an object', '{"jsonrpc":"2.0","id":1,"method":'],
  ['`42`', '42'],
  ['no method', '{"jsonrpc":"2.0","id":9005}'],
  ['`"params":[]`', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}'],
  ['a URI with NUL', request(7, 'resources/read', { uri: 'test://nul\u0000byte' })],
  ['`"id":true`', pingWithId('true')],
  ['the id 9007199254740993', pingWithId('9007199254740993')],
  ['spaces around', `  ${pingWithId(7)}  `],
  ['64 MB', () => ping('x'.repeat(64 << 20))],
  ['5 000 nested arrays', () => `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${'['.repeat(5000)}${']'.repeat(5000)}}}`],
  ['an error with the id null', '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'],
  ['`server/discover` first', request(7, 'server/discover'), 'unopened'],
  ['`tools/list` first', request(7, 'tools/list'), 'unopened'],
  ['`initialize` of `{}`', request(7, 'initialize', {}), 'unopened'],
  ['`tools/call` of `{}`', request(7, 'tools/call', {})],
  ['an unknown tool', request(7, 'tools/call', { name: 'no_such', arguments: {} })],
  ['an unknown method', request(7, 'no/such')],
  ['the cursor `"x"`', request(7, 'tools/list', { cursor: 'x' })],
  ['the cursor 5', request(7, 'tools/list', { cursor: 5 })],
  ['a batch, 2025-03-26', `[${pingWithId(21)},${pingWithId(22)}]`, '2025-03-26'],
  ['end of input', null],
];

function started() {
  const child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
  const came = [];
  let rest = '';
  let notify = () => {};
  const state = { ended: false };
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop();
    came.push(...parts.filter((part) => part.trim() !== ''));
    notify();
  });
  child.on('exit', (code, signal) => { state.ended = true; state.how = signal ?? code; notify(); });
  const until = (found, time) => new Promise((done) => {
    const timer = setTimeout(() => done(undefined), time);
    notify = () => {
      const it = found();
      if (it !== undefined) { clearTimeout(timer); notify = () => {}; done(it); }
    };
    notify();
  });
  return { child, came, state, until };
}

const parsed = (line) => { try { return JSON.parse(line); } catch { return undefined; } };
const isMarker = (line) => parsed(line)?.id === 'marker';
const isAnswer = (line) => { const it = parsed(line); return Array.isArray(it) || (it !== undefined && it.method === undefined); };

function word(line) {
  const it = parsed(line);
  if (Array.isArray(it)) return it.every(({ result }) => result !== undefined) ? 'results' : 'errors';
  if (it.error) return String(it.error.code);
  if (it.result?.isError) return 'isError';
  return typeof it.id === 'number' && it.id > 2 ** 53 - 1 && !line.includes('9007199254740993') ? `result to ${/"id":([0-9.e+]+)/.exec(line)?.[1]}` : 'result';
}

async function outcome(text, state) {
  const server = started();
  const { child, came } = server;
  const revision = state?.startsWith('20') ? state : values.revision;
  if (state !== 'unopened') {
    child.stdin.write(`${initialize(revision)}\n`);
    if (await server.until(() => came.find((line) => parsed(line)?.id === 0) ?? (server.state.ended || undefined), 60000) === undefined) return 'no session';
    if (parsed(came[0])?.result?.protocolVersion !== revision && state) { child.kill('SIGKILL'); return 'n/a'; }
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }
  const before = came.length;
  if (text === null) {
    child.stdin.end();
    await server.until(() => server.state.ended || undefined, wait);
    const how = server.state.ended ? `ends, ${server.state.how}` : 'goes on';
    child.kill('SIGKILL');
    return how;
  }
  child.stdin.write(`${typeof text === 'function' ? text() : text}\n`);
  const answers = () => came.slice(before).filter((line) => isAnswer(line) && !isMarker(line));
  await server.until(() => answers()[0] ?? (server.state.ended || undefined), state === 'unopened' ? 6 * wait : wait); // it may be starting
  const answer = answers()[0];
  if (answer !== undefined) { child.kill('SIGKILL'); return word(answer); }
  if (server.state.ended) return `**ends**, ${server.state.how}`;
  child.stdin.write(`${state === 'unopened' ? initialize(values.revision).replace('"id":0', '"id":"marker"') : '{"jsonrpc":"2.0","id":"marker","method":"ping"}'}\n`);
  const marker = await server.until(() => came.find(isMarker) ?? (server.state.ended || undefined), wait);
  child.kill('SIGKILL');
  if (server.state.ended && marker === true) return `**ends**, ${server.state.how}`;
  return marker !== undefined ? '–' : '**silent**';
}

for (const [name, text, state] of lines) console.log(`${name.padEnd(28)} ${await outcome(text, state)}`);
