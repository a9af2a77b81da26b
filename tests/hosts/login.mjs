// The bridge logs in at oidc-provider, an authorization server of npm, and uses and renews what it is given: its tokens let
// it into another bridge, which takes those of that server, in front of a server of stdio with the tool add.
//   node login.mjs BRIDGE SERVER

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import Provider from 'oidc-provider';
import { expect } from './expect.mjs';
import { startListening, stopListening } from './listening_command.mjs';
import { freePort, listen, signingKeys } from './local_issuer.mjs';
import { browse } from './scripted_browser.mjs';

const [bridge, server] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'toolwire-login-'));
const environment = { ...process.env, XDG_STATE_HOME: join(scratch, 'state') };

// Clients register themselves, users may be anybody, tokens live for 20 s. Counts the grants it gives.
async function startIssuer(httpServer, grants) {
  const issuer = `http://127.0.0.1:${await listen(httpServer)}`;
  const provider = new Provider(issuer, {
    jwks: signingKeys(),
    cookies: { keys: ['a key of this test'] },
    scopes: ['openid', 'offline_access', 'tools'],
    clients: [{ client_id: 'alone', client_secret: 'secret-of-alone', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'tools', audience: resource, accessTokenTTL: 20, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  provider.on('grant.success', ({ oidc }) => grants.push(oidc.params.grant_type));
  provider.on('grant.error', ({ oidc }, error) => grants.push(`${oidc.params?.grant_type}: ${error.error_description ?? error}`));
  httpServer.on('request', provider.callback());
  return issuer;
}

// What the command says, once it has ended; `shown` is called with the URL that a person is to open.
function logIn(words, shown) {
  return new Promise((resolve, reject) => {
    const run = spawn(bridge, ['login', ...words, '--no-browser'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let wasShown = false;
    for (const stream of [run.stdout, run.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        said += text;
        const url = said.match(/^ {2}(http\S+)\n/m)?.[1];
        if (url && !wasShown) {
          wasShown = true;
          shown(url).catch(reject);
        }
      });
    }
    run.on('close', (code) => resolve({ code, said }));
  });
}

async function withClient(words, use) {
  const client = new Client({ name: 'toolwire-hosts-login', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: bridge, args: ['serve', ...words], env: environment }));
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

async function expectSum(client) {
  const { content } = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
  expect(content[0].text === '5', `the tool says ${content[0].text}`);
}

const loginFiles = () => readdirSync(join(scratch, 'state/toolwire/logins')).filter((name) => name.endsWith('.login.json'));

async function checkPerson(resource, grants) {
  const { code, said } = await logIn([resource], async (url) => {
    const page = await browse(url, { login: 'ann', password: 'any' });
    expect(page.status === 200 && page.url.startsWith('http://127.0.0.1:'), `the browser ends at ${page.url}: ${page.status}`);
  });
  expect(code === 0, `login ended with ${code}: ${said}`);
  const login = JSON.parse(readFileSync(join(scratch, 'state/toolwire/logins', loginFiles()[0]), 'utf8'));
  expect(login.refresh_token.length > 10 && login.access_token.split('.').length === 3, 'no tokens are kept');
  expect(!said.includes(login.access_token) && !said.includes(login.refresh_token), 'the command shows tokens');
  expect(grants.join() === 'authorization_code', `the server has given ${grants}`);
  await withClient(['--server', `far=${resource}`], async (client) => {
    const { tools } = await client.listTools();
    expect(tools.some((tool) => tool.name === 'add'), 'the tool add is not listed');
    await expectSum(client);
    await expectSum(client);
  });
  // Tokens that live for less than half a minute are renewed each time, each with the refresh token of the time before.
  expect(grants.length > 2 && grants.slice(1).every((one) => one === 'refresh_token'), `the server has given ${grants}`);
}

async function checkAlone(resource, issuer, grants) {
  const configuration = join(scratch, 'alone.json');
  const oauth = { grant: 'client_credentials', clientId: 'alone', clientSecret: 'secret-of-alone', issuer };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { far: { type: 'http', url: resource, oauth } } }));
  grants.length = 0;
  await withClient([configuration], expectSum);
  expect(grants.length > 0 && grants.every((one) => one === 'client_credentials'), `the server has given ${grants}`);
}

const issuerServer = createServer();
try {
  const grants = [];
  const issuer = await startIssuer(issuerServer, grants);
  const resource = `http://127.0.0.1:${await freePort()}/mcp`;
  const configuration = join(scratch, 'mcp.json');
  const authorization = { issuer, resource, scopes: ['tools'], algorithms: ['ES256'] };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { hello: { command: server } }, toolwire: { authorization } }));
  const listening = await startListening([bridge, 'serve', configuration, '--listen', resource], { XDG_STATE_HOME: join(scratch, 'far') });
  try {
    await checkPerson(resource, grants);
    await checkAlone(resource, issuer, grants);
  } finally {
    await stopListening(listening);
  }
  console.log('the bridge logs in at oidc-provider, with a person and alone');
} finally {
  issuerServer.closeAllConnections();
  issuerServer.close();
  rmSync(scratch, { recursive: true });
}
