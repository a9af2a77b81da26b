// The bridge logs in at oidc-provider, an authorization server of npm, and uses and renews what it is given: its tokens let
// it into another bridge, which takes those of that server, in front of a server of stdio with the tool add.
//   node login.mjs BRIDGE SERVER

import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from './expect.mjs';
import { startListening, stopListening } from './listening_command.mjs';
import { freePort } from './local_issuer.mjs';
import { logIn, startIssuer, withClient } from './login_world.mjs';
import { browse } from './scripted_browser.mjs';

const [bridge, server] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'toolwire-login-'));
const environment = { ...process.env, XDG_STATE_HOME: join(scratch, 'state') };

async function expectSum(client) {
  const { content } = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
  expect(content[0].text === '5', `the tool says ${content[0].text}`);
}

const loginFiles = () => readdirSync(join(scratch, 'state/toolwire/logins')).filter((name) => name.endsWith('.login.json'));

// As if the token that is kept had been given an hour ago.
function makeOld(file) {
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), given: Math.floor(Date.now() / 1000) - 3600 }));
}

async function checkPerson(resource, grants) {
  const { code, said } = await logIn(bridge, [resource], environment, async (url) => {
    const page = await browse(url, { login: 'ann', password: 'any' });
    expect(page.status === 200 && page.url.startsWith('http://127.0.0.1:'), `the browser ends at ${page.url}: ${page.status}`);
  });
  expect(code === 0, `login ended with ${code}: ${said}`);
  const login = JSON.parse(readFileSync(join(scratch, 'state/toolwire/logins', loginFiles()[0]), 'utf8'));
  expect(login.refresh_token.length > 10 && login.access_token.split('.').length === 3, 'no tokens are kept');
  expect(!said.includes(login.access_token) && !said.includes(login.refresh_token), 'the command shows tokens');
  expect(grants.join() === 'authorization_code', `the server has given ${grants}`);
  for (let time = 0; time < 2; ++time) {
    makeOld(join(scratch, 'state/toolwire/logins', loginFiles()[0]));
    await withClient(bridge, ['--server', `far=${resource}`], environment, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.some((tool) => tool.name === 'add'), 'the tool add is not listed');
      await expectSum(client);
    });
  }
  // Tokens that will have run out in less than half a minute are renewed, each with the refresh token of the time before.
  expect(grants.length > 2 && grants.slice(1).every((one) => one === 'refresh_token'), `the server has given ${grants}`);
}

async function checkAlone(resource, issuer, grants) {
  const configuration = join(scratch, 'alone.json');
  const oauth = { grant: 'client_credentials', clientId: 'alone', clientSecret: 'secret-of-alone', issuer };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { far: { type: 'http', url: resource, oauth } } }));
  grants.length = 0;
  await withClient(bridge, [configuration], environment, expectSum);
  expect(grants.length > 0 && grants.every((one) => one === 'client_credentials'), `the server has given ${grants}`);
}

// A client of each algorithm, which has no secret at the server but its public key.
const algorithms = { RS256: ['rsa', { modulusLength: 2048 }], PS256: ['rsa', { modulusLength: 2048 }], ES256: ['ec', { namedCurve: 'P-256' }] };
const keyFile = (algorithm) => join(scratch, `${algorithm}.pem`);

function signingClient(algorithm) {
  const { publicKey, privateKey } = generateKeyPairSync(...algorithms[algorithm]);
  writeFileSync(keyFile(algorithm), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return {
    client_id: `signs-${algorithm}`, token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: algorithm,
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: algorithm, alg: algorithm, use: 'sig' }] },
  };
}

function configureKey(resource, issuer, algorithm, changes = {}) {
  const configuration = join(scratch, 'signs.json');
  const oauth = {
    grant: 'client_credentials', client_id: `signs-${algorithm}`, issuer, auth_method: 'private_key_jwt',
    private_key_file: keyFile(algorithm), signing_algorithm: algorithm, key_id: algorithm, ...changes,
  };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { far: { type: 'http', url: resource, oauth } } }));
  return configuration;
}

async function checkKeys(resource, issuer, grants) {
  for (const algorithm of Object.keys(algorithms)) {
    grants.length = 0;
    await withClient(bridge, [configureKey(resource, issuer, algorithm)], environment, expectSum);
    expect(grants.length > 0 && grants.every((one) => one === 'client_credentials'), `${algorithm}: the server has given ${grants}`);
  }
  // A key that the server does not know, under the name of one that it does: no token, and no tool.
  grants.length = 0;
  const others = { private_key_file: keyFile('RS256'), signing_algorithm: 'RS256', client_id: 'signs-PS256' };
  await withClient(bridge, [configureKey(resource, issuer, 'PS256', others)], { ...environment, XDG_STATE_HOME: join(scratch, 'others') },
    async (client) => {
      const { tools } = await client.listTools();
      expect(!tools.some((tool) => tool.name === 'add'), 'a client with another key is let in');
    });
  expect(grants.length > 0 && grants.every((one) => one.includes(': ')), `the server has given ${grants} to another key`);
  // One that others can read is a mistake of the configuration: nothing is served.
  chmodSync(keyFile('ES256'), 0o644);
  grants.length = 0;
  const refused = spawnSync(bridge, ['serve', configureKey(resource, issuer, 'ES256')], { env: environment, input: '', encoding: 'utf8' });
  expect(refused.status !== 0 && refused.stderr.includes('/oauth/private_key_file'), `serve ended with ${refused.status}: ${refused.stderr}`);
  expect(grants.length === 0, `the server has given ${grants}`);
}

const issuerServer = createServer();
try {
  const grants = [];
  const clients = [{ client_id: 'alone', client_secret: 'secret-of-alone' }, ...Object.keys(algorithms).map(signingClient)];
  const note = (type, _, error) => grants.push(error ? `${type}: ${error}` : type);
  const issuer = await startIssuer(issuerServer, { clients, note });
  const resource = `http://127.0.0.1:${await freePort()}/mcp`;
  const configuration = join(scratch, 'mcp.json');
  const authorization = { issuer, resource, scopes: ['tools'], algorithms: ['ES256'] };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { hello: { command: server } }, toolwire: { authorization } }));
  const listening = await startListening([bridge, 'serve', configuration, '--listen', resource], { XDG_STATE_HOME: join(scratch, 'far') });
  try {
    await checkPerson(resource, grants);
    await checkAlone(resource, issuer, grants);
    await checkKeys(resource, issuer, grants);
  } finally {
    await stopListening(listening);
  }
  console.log('the bridge logs in at oidc-provider, with a person, alone, and with keys');
} finally {
  issuerServer.closeAllConnections();
  issuerServer.close();
  rmSync(scratch, { recursive: true });
}
