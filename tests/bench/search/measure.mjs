// What tools/list of the bridge costs a model, with and without `toolwire.search`, for servers of npm: bytes of the
// JSON of its "tools", and tokens of that text as the encoding o200k_base has them.
//
// usage: measure.mjs TOOLWIRE_BRIDGE      run.sh installs what it needs beside it
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const here = dirname(fileURLToPath(import.meta.url));
const bridge = process.argv[2];
if (!bridge) {
  console.error('usage: measure.mjs TOOLWIRE_BRIDGE');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'toolwire-search-'));

const official = '@modelcontextprotocol/server-';
const arguments_of = {  // and the packages
  everything: [official + 'everything', 'stdio'],
  filesystem: [official + 'filesystem', folder],
  memory: [official + 'memory'],
  'sequential-thinking': [official + 'sequential-thinking'],
  context7: ['@upstash/context7-mcp'],
  notion: ['@notionhq/notion-mcp-server'],
  'chrome-devtools': ['chrome-devtools-mcp', '--no-usage-statistics'],
  playwright: ['@playwright/mcp'],
};
const environment = {
  MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
  NOTION_TOKEN: 'ntn_none',
};

/// What starts a package: its first program.
function program(name) {
  const root = join(here, 'node_modules', name);
  const bin = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).bin;
  return join(root, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}

function server([name, ...more]) {
  return { command: process.execPath, args: [program(name), ...more], env: environment };
}

/// The tools of the first list that a host gets.
async function first_list(servers, search) {
  const file = join(folder, 'mcp.json');
  const mcpServers = Object.fromEntries(servers.map((name) => [name, server(arguments_of[name])]));
  writeFileSync(file, JSON.stringify({ mcpServers, toolwire: { wait_seconds: 120, search } }), { mode: 0o600 });
  const child = spawn(bridge, ['serve', file, '--no-remember'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') },
  });
  const ended = new Promise((done) => child.on('exit', done));
  const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
  const clientInfo = { name: 'measure', version: '1' };
  send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  let tools;
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line);
    if (message.id === 0) {
      send({ method: 'notifications/initialized' });
      send({ id: 1, method: 'tools/list', params: {} });
    } else if (message.id === 1) {
      tools = message.result.tools;
      break;
    }
  }
  child.stdin.end();
  await ended;
  if (!tools) throw new Error('the bridge ended before it listed its tools');
  return tools;
}

function cells(tools) {
  const text = JSON.stringify(tools);
  return [tools.length, Buffer.byteLength(text), countTokens(text)].join(' | ');
}

try {
  console.log('| servers | tools | bytes | tokens | with a search: tools | bytes | tokens |');
  console.log('|---|---|---|---|---|---|---|');
  for (const servers of [['everything', 'filesystem', 'memory'], Object.keys(arguments_of)]) {
    const all = await first_list(servers, false);
    const found = await first_list(servers, true);
    console.log(`| ${servers.join(', ')} | ${cells(all)} | ${cells(found)} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
