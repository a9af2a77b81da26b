// A bridge that takes the tokens of oidc-provider, an authorization server of npm, over HTTP. The TypeScript SDK v2 finds
// its way to a token by itself, from the bridge's 401 on; what others bring along is refused as the specification says.
//   node authorized.mjs BRIDGE SERVER     a bridge that listens, in front of a server of stdio with the tool add

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import Provider from 'oidc-provider';
import { expect } from './expect.mjs';
import { startListening, stopListening } from './listening_command.mjs';
import { freePort, listen, signingKeys } from './local_issuer.mjs';

const [bridge, server] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'toolwire-authorized-'));
const secret = (name) => `secret-of-${name}`;

// With one key for each algorithm, and a client for each name. Returns its URL.
async function startIssuer(httpServer, names) {
  const issuer = `http://127.0.0.1:${await listen(httpServer)}`;
  const provider = new Provider(issuer, {
    clients: names.map((name) => ({
      client_id: name, client_secret: secret(name), grant_types: ['client_credentials'], redirect_uris: [],
      response_types: [],
    })),
    jwks: signingKeys(),
    scopes: ['tools', 'other'],
    ttl: { ClientCredentials: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource, { clientId }) => ({
          scope: 'tools other', audience: resource, accessTokenTTL: 600, accessTokenFormat: 'jwt',
          jwt: { sign: { alg: clientId === 'ann' ? 'RS256' : 'ES256' } },
        }),
      },
    },
  });
  httpServer.on('request', provider.callback());
  return issuer;
}

async function tokenFor(issuer, name, resource, scope) {
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const answer = await fetch(metadata.token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${name}:${secret(name)}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
  });
  const { access_token: token } = await answer.json();
  expect(token?.split('.').length === 3, `${issuer} gave no signed token`);
  return token;
}

// What the bridge answers to a message of a revision with a handshake.
const post = (url, token, message, headers = {}) => fetch(url, {
  method: 'POST',
  headers: {
    'content-type': 'application/json', accept: 'application/json, text/event-stream',
    ...(token && { authorization: `Bearer ${token}` }), ...headers,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
});

async function checkSdk(url, issuer, name, mode) {
  const authProvider = new ClientCredentialsProvider({ clientId: name, clientSecret: secret(name), expectedIssuer: issuer });
  const client = new Client({ name: 'toolwire-hosts-authorized', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
  const { tools } = await client.listTools();
  expect(tools.some((tool) => tool.name === 'add'), `${name} does not see the tool add`);
  const { content } = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
  expect(content[0].text === '5', `${name} was told ${content[0].text}`);
  await client.close();
}

async function checkRefusals(url, issuer) {
  const initialize = {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const expectRefused = async (what, token, status, ...said) => {
    const answer = await post(url, token, initialize);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(answer.status === status, `${what}: ${answer.status} instead of ${status}`);
    for (const part of ['resource_metadata="', 'scope="tools"', ...said])
      expect(challenge.includes(part), `${what}: expected ${part} in ${challenge}`);
  };
  await expectRefused('no token', undefined, 401);
  await expectRefused('a token for another server', await tokenFor(issuer, 'ann', `${url}2`, 'tools'), 401,
    'error="invalid_token"');
  await expectRefused('a token without the scope', await tokenFor(issuer, 'ann', url, 'other'), 403,
    'error="insufficient_scope"');
  const ann = await tokenFor(issuer, 'ann', url, 'tools');
  const ben = await tokenFor(issuer, 'ben', url, 'tools other');
  await expectRefused('a token that was cut', ann.slice(0, -4), 401, 'error="invalid_token"');

  const begun = await post(url, ann, initialize);
  expect(begun.status === 200, `a good token: ${begun.status}`);
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id'), 'mcp-protocol-version': '2025-11-25' };
  for (const [name, token, status] of [['ann', ann, 200], ['ben', ben, 404]]) {
    const answer = await post(url, token, { method: 'tools/list' }, session);
    expect(answer.status === status, `the session of ann, used by ${name}: ${answer.status}`);
  }
}

const issuerServer = createServer();
try {
  const issuer = await startIssuer(issuerServer, ['ann', 'ben']);
  const resource = `http://127.0.0.1:${await freePort()}/mcp`;
  const configuration = join(scratch, 'mcp.json');
  const authorization = { issuer, resource, scopes: ['tools'], algorithms: ['RS256', 'ES256'] };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { hello: { command: server } }, toolwire: { authorization } }));
  const listening = await startListening([bridge, 'serve', configuration, '--listen', resource], { XDG_STATE_HOME: scratch });
  try {
    expect(listening.url === resource, `the bridge listens on ${listening.url}`);
    for (const mode of ['legacy', 'auto']) await checkSdk(resource, issuer, 'ann', mode);
    await checkSdk(resource, issuer, 'ben', 'auto');
    await checkRefusals(resource, issuer);
  } finally {
    await stopListening(listening);
  }
  console.log('tokens of oidc-provider are taken, and others are not');
} finally {
  issuerServer.closeAllConnections();
  issuerServer.close();
  rmSync(scratch, { recursive: true });
}
