// oidc-provider, an authorization server of npm, and a bridge that logs in there: with a person, or alone.

import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import Provider from 'oidc-provider';
import { listen, signingKeys } from './local_issuer.mjs';

// Clients register themselves, users may be anybody, tokens live for `life` seconds. Returns its URL, and tells `note` of
// each grant it gives or refuses: (its type, its parameters, the error).
export async function startIssuer(httpServer, { clients, scope = 'tools', life = 20, note }) {
  const issuer = `http://127.0.0.1:${await listen(httpServer)}`;
  const provider = new Provider(issuer, {
    jwks: signingKeys(),
    cookies: { keys: ['a key of this test'] },
    scopes: ['openid', 'offline_access', ...scope.split(' ')],
    clients: clients.map((one) => ({ grant_types: ['client_credentials'], redirect_uris: [], response_types: [], ...one })),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope, audience: resource, accessTokenTTL: life, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  provider.on('grant.success', ({ oidc }) => note(oidc.params.grant_type, oidc.params));
  provider.on('grant.error', ({ oidc }, error) => note(oidc.params?.grant_type, oidc.params ?? {}, error.error_description ?? `${error}`));
  httpServer.on('request', provider.callback());
  return issuer;
}

// What the command says, once it has ended; `shown` is called with the URL that a person is to open.
export function logIn(bridge, words, environment, shown) {
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

// The bridge lists tools once it has been let in, which may take longer than it waits for that on a busy machine.
export async function untilListed(client, name) {
  for (let tries = 0; tries < 600; ++tries) {
    const { tools } = await client.listTools();
    if (tools.some((tool) => tool.name === name)) return;
    await delay(100);
  }
  throw new Error(`the tool ${name} is not listed`);
}

// A host of a bridge that serves.
export async function withClient(bridge, words, environment, use) {
  const client = new Client({ name: 'toolwire-hosts-login', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: bridge, args: ['serve', ...words], env: environment }));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
