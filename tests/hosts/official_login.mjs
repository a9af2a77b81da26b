// What the official suite drives in its scenarios of logins: a person who logs the bridge in with a browser without a window,
// and a host that uses the bridge afterwards; when it says that scopes are missing, the person logs in anew.
//   node official_login.mjs BRIDGE URL
// Ends with 1 where the bridge does not log in, which some scenarios want.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { browse } from './scripted_browser.mjs';

const [bridge, url] = process.argv.slice(2);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const revision = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const scratch = mkdtempSync(join(tmpdir(), 'toolwire-official-login-'));
const environment = { ...process.env, XDG_STATE_HOME: scratch };
const configuration = join(scratch, 'mcp.json');
const keyFile = join(scratch, 'client.pem');
const mostLogins = 3;

// What an operator would look up who has a secret or a key at this server.
async function issuer() {
  const { origin, pathname } = new URL(url);
  const metadata = await (await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)).json();
  return metadata.authorization_servers[0];
}

async function configure() {
  const oauth = {};
  if (context.client_secret)
    Object.assign(oauth, { client_id: context.client_id, client_secret: context.client_secret, issuer: context.issuer ?? await issuer() });
  if (context.private_key_pem) {
    writeFileSync(keyFile, context.private_key_pem, { mode: 0o600 });
    Object.assign(oauth, {
      client_id: context.client_id, issuer: context.issuer ?? await issuer(), auth_method: 'private_key_jwt',
      private_key_file: keyFile, signing_algorithm: context.signing_algorithm,
    });
  }
  if (scenario.startsWith('auth/client-credentials')) oauth.grant = 'client_credentials';
  if (scenario === 'auth/basic-cimd') oauth.client_metadata_url = 'https://conformance-test.local/client-metadata.json';
  const suite = { type: 'http', url, oauth };
  const servers = { suite: { revision: revision.startsWith('2025') ? revision : '' } };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { suite }, toolwire: { servers } }));
  return oauth.grant !== 'client_credentials';
}

function logIn() {
  return new Promise((resolve, reject) => {
    const run = spawn(bridge, ['login', configuration, '--no-browser', '--wait-seconds', '20'], {
      env: environment, stdio: ['ignore', 'inherit', 'pipe'],
    });
    let said = '';
    let wasShown = false;
    run.stderr.setEncoding('utf8');
    run.stderr.on('data', (text) => {
      process.stderr.write(text);
      said += text;
      const shown = said.match(/^ {2}(http\S+)\n/m)?.[1];
      if (!shown || wasShown) return;
      wasShown = true;
      browse(shown).catch(reject);
    });
    run.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`login ended with ${code}`))));
  });
}

// The bridge lists the tools once it has been let in, which it tries when there is a new login.
async function listTools(client) {
  for (let tries = 0; tries < 50; ++tries) {
    const { tools } = await client.listTools();
    if (tools.length > 0) return tools;
    await delay(100);
  }
  return [];
}

// True once nothing says that somebody has to log in.
async function use(client) {
  const tools = await listTools(client);
  for (const tool of tools) {
    const { content } = await client.callTool({ name: tool.name, arguments: {} });
    console.log(`${tool.name}: ${content[0]?.text}`);
    if (content[0]?.text?.includes('expected a login: ')) return false;
  }
  return tools.length > 0;
}

async function run() {
  const hasPerson = await configure();
  if (hasPerson) await logIn();
  const client = new Client({ name: 'toolwire-official-login', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: bridge, args: ['serve', configuration], env: environment }));
  try {
    for (let logins = 1; !(await use(client)); ++logins) {
      if (!hasPerson || logins === mostLogins) throw new Error('the bridge is not let in');
      await logIn();
    }
  } finally {
    await client.close();
  }
}

try {
  await run();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}
