// What servers and authorization servers of a test on this machine need: ports, and keys to sign with.

import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';

// On a port that is free; resolves to it.
export const listen = (httpServer) => new Promise((resolve) => {
  httpServer.listen(0, '127.0.0.1', () => resolve(httpServer.address().port));
});

// For a program that has to know its own URL before it listens.
export async function freePort() {
  const taken = createServer();
  const port = await listen(taken);
  await new Promise((resolve) => taken.close(resolve));
  return port;
}

// One key for RS256 and one for ES256, as oidc-provider takes them.
export function signingKeys() {
  const key = (type, options, more) => ({ ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }), use: 'sig', ...more });
  return { keys: [key('rsa', { modulusLength: 2048 }, { kid: 'r', alg: 'RS256' }), key('ec', { namedCurve: 'P-256' }, { kid: 'e', alg: 'ES256' })] };
}
