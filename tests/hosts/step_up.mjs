// A bridge that has logged in at oidc-provider calls a tool of another bridge that needs a further scope: that bridge's 403
// says which, the first asks for it once, and the call succeeds. Where the scope is refused, nothing is asked a second time.
//   node step_up.mjs BRIDGE SERVER     a server of stdio with the tool add

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as ask } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { expect } from './expect.mjs';
import { startListening, stopListening } from './listening_command.mjs';
import { freePort } from './local_issuer.mjs';
import { logIn, startIssuer, untilListed, withClient } from './login_world.mjs';
import { browse } from './scripted_browser.mjs';

const [bridge, server] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'toolwire-step-up-'));
const environment = (name) => ({ ...process.env, XDG_STATE_HOME: join(scratch, name) });
const secret = (name) => `secret-of-${name}`;

const add = (client) => client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
const textOf = ({ content }) => content[0].text;
const sorted = (scopes) => (scopes ?? '').split(' ').sort().join(' ');

// A bridge in the name of a client of the issuer.
function configure(name, resource, issuer) {
  const configuration = join(scratch, `${name}.json`);
  const oauth = { grant: 'client_credentials', client_id: name, client_secret: secret(name), issuer };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { far: { type: 'http', url: resource, oauth } } }));
  return configuration;
}

// Passes on what the far bridge is asked, and notes it with its answer: {method, status}.
function watched(asked, resource) {
  const { hostname, port } = new URL(resource);
  return createServer(async (request, answer) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const headers = { ...request.headers, host: `${hostname}:${port}` };
    const passedOn = ask({ hostname, port, agent: false, method: request.method, path: request.url, headers }, (reply) => {
      if (body.length > 0) asked.push({ method: JSON.parse(body).method, status: reply.statusCode });
      answer.writeHead(reply.statusCode, reply.headers);
      pipeline(reply, answer, () => {});
    });
    passedOn.on('error', () => answer.destroy());
    answer.on('close', () => passedOn.destroy());
    passedOn.end(body);
  });
}

const calls = (asked, status) => asked.filter((one) => one.method === 'tools/call' && one.status === status).length;

async function checkAlone(world) {
  const { asked, grants, resource, issuer } = world;
  const configuration = configure('may-write', resource, issuer);
  await withClient(bridge, [configuration], environment('may-write'), async (client) => {
    await untilListed(client, 'add');
    expect(grants.map((one) => sorted(one.scope)).join() === 'tools', `at first it has asked for ${JSON.stringify(grants)}`);
    const sums = await Promise.all([1, 2, 3, 4, 5].map(() => add(client)));
    for (const sum of sums) expect(textOf(sum) === '5', `the tool says ${textOf(sum)}`);
    expect(textOf(await add(client)) === '5', 'the tool says something else later on');
  });
  expect(grants.length === 2 && sorted(grants[1].scope) === 'tools write', `it has asked for ${JSON.stringify(grants)}`);
  expect(calls(asked, 200) === 6, `of 6 calls ${calls(asked, 200)} were carried out`);
  expect(calls(asked, 403) >= 1 && calls(asked, 403) <= 5, `${calls(asked, 403)} calls were refused`);
  asked.length = 0;
  await withClient(bridge, [configuration], environment('may-write'), async (client) => {
    await untilListed(client, 'add');
    expect(textOf(await add(client)) === '5', 'the tool says something else to another bridge');
  });
  expect(grants.length === 2 && calls(asked, 403) === 0, `what was given is not kept: ${JSON.stringify(grants)}`);
}

async function checkRefused(world) {
  const { asked, grants, resource, issuer } = world;
  for (let bridges = 0; bridges < 2; ++bridges) {
    await withClient(bridge, [configure('may-not', resource, issuer)], environment('may-not'), async (client) => {
      await untilListed(client, 'add');
      for (let i = 0; i < 3; ++i) {
        const refused = await add(client);
        expect(refused.isError && textOf(refused).includes('(HTTP 403)'), `the tool says ${textOf(refused)}`);
      }
    });
  }
  const tried = grants.filter((one) => one.error);
  expect(tried.length === 1 && sorted(tried[0].scope) === 'tools write', `it has asked for ${JSON.stringify(grants)}`);
  expect(grants.length === 2, `it has asked for ${JSON.stringify(grants)}`);
  expect(calls(asked, 200) === 0 && calls(asked, 403) === 6, `6 calls were tried ${calls(asked, 403)} times`);
}

async function checkPerson(world) {
  const { asked, grants, resource } = world;
  const person = environment('person');
  const agree = async (url) => {
    const page = await browse(url, { login: 'ann', password: 'any' });
    expect(page.status === 200, `the browser ends at ${page.url}: ${page.status}`);
    return new URL(url).searchParams.get('scope');
  };
  const scopes = [];
  const login = async () => {
    const { code, said } = await logIn(bridge, [resource], person, async (url) => scopes.push(await agree(url)));
    expect(code === 0, `login ended with ${code}: ${said}`);
  };
  await login();
  await withClient(bridge, ['--server', `far=${resource}`], person, async (client) => {
    await untilListed(client, 'add');
    for (let i = 0; i < 2; ++i) {
      const refused = await add(client);
      expect(refused.isError && textOf(refused).includes('it misses scopes; expected a login: '), `the tool says ${textOf(refused)}`);
    }
    expect(calls(asked, 403) === 2, `2 calls were tried ${calls(asked, 403)} times`);
    await login();
    expect(textOf(await add(client)) === '5', 'the new login does not count');
  });
  expect(!scopes[0].includes('write') && scopes[1].split(' ').includes('write'), `a person was asked for ${scopes.join(', then ')}`);
  expect(grants.filter((one) => one.type === 'authorization_code').length === 2, `it has asked for ${JSON.stringify(grants)}`);
}

const issuerServer = createServer();
const asked = [];
let watching;
try {
  const grants = [];
  const clients = [
    { client_id: 'may-write', client_secret: secret('may-write'), scope: 'tools write' },
    { client_id: 'may-not', client_secret: secret('may-not'), scope: 'tools' },
  ];
  const note = (type, { scope }, error) => grants.push({ type, scope, error });
  const issuer = await startIssuer(issuerServer, { clients, scope: 'tools write', life: 600, note });
  const behind = `http://127.0.0.1:${await freePort()}/mcp`;
  const resource = `http://127.0.0.1:${await freePort()}/mcp`;
  watching = watched(asked, behind);
  await new Promise((resolve) => watching.listen(new URL(resource).port, '127.0.0.1', resolve));
  const configuration = join(scratch, 'mcp.json');
  const toolwire = {
    authorization: { issuer, resource, scopes: ['tools'], algorithms: ['ES256'] },
    tools: { add: { scopes: ['write'] } },
  };
  writeFileSync(configuration, JSON.stringify({ mcpServers: { hello: { command: server } }, toolwire }));
  const listening = await startListening([bridge, 'serve', configuration, '--listen', behind], { XDG_STATE_HOME: join(scratch, 'far') });
  try {
    for (const check of [checkAlone, checkRefused, checkPerson]) {
      asked.length = 0;
      grants.length = 0;
      await check({ asked, grants, resource, issuer });
    }
  } finally {
    await stopListening(listening);
  }
  console.log('a scope that is missing is asked for once, and given or not');
} finally {
  for (const one of [issuerServer, watching]) {
    one?.closeAllConnections();
    one?.close();
  }
  rmSync(scratch, { recursive: true });
}
