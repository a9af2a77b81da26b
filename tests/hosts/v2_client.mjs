// The TypeScript SDK v2 (@modelcontextprotocol/client) against a server.
//   --mode legacy   initialize handshake (the default of the SDK)
//   --mode auto     server/discover on a sibling process that is killed at once, then the session on a second process,
//                   whose first message is tools/list
//   --mode pinned   the same, but 2026-07-28 or nothing, and with a handler for changes of the tool list, so that the
//                   second process's first message is subscriptions/listen

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answerQuestions, capabilities } from './features.mjs';
import { expect, parseExpectations, runSessions } from './expectations.mjs';
import { runSdkSession } from './sdk_session.mjs';

const modern = '2026-07-28';
const modes = {
  legacy: { negotiation: 'legacy', era: 'legacy', version: '2025-11-25', starts: 1 },
  auto: { negotiation: 'auto', era: 'modern', version: modern, starts: 2 },
  pinned: { negotiation: { pin: modern }, era: 'modern', version: modern, starts: 2, listens: true },
};

const options = parseExpectations(process.argv.slice(2), Object.keys(modes));
const mode = modes[options.mode];

function makeClient() {
  const client = new Client({ name: 'toolwire-hosts-v2', version: '1.0.0' }, {
    versionNegotiation: { mode: mode.negotiation },
    ...(options.features && { capabilities }),
    ...(mode.listens && { listChanged: { tools: { onChanged: () => {} } } }),
  });
  if (options.features) answerQuestions((method, handler) => client.setRequestHandler(method, handler));
  return client;
}

async function onConnected(client) {
  const version = client.getNegotiatedProtocolVersion();
  const server = client.getServerVersion();
  console.log(`${server?.name} ${server?.version}: ${client.getProtocolEra()}, ${version}`);
  expect(client.getProtocolEra() === mode.era, `expected the ${mode.era} era, got ${client.getProtocolEra()}`);
  expect(version === mode.version, `expected revision ${mode.version}, got ${version}`);
  expect(server?.name && server?.version, 'the server did not say its name and version');
  expect(client.getServerCapabilities()?.tools?.listChanged, 'the server does not announce changes of its tool list');
  if (mode.era === 'legacy') await client.ping();
  if (mode.listens) {
    const honored = client.autoOpenedSubscription?.honoredFilter;
    expect(honored?.toolsListChanged, 'subscriptions/listen was not acknowledged');
  }
}

const makeTransport = (parameters) => new StdioClientTransport(parameters);
const makeHttpTransport = (url) => new StreamableHTTPClientTransport(url);
const call = (client, parameters, callOptions) => client.callTool(parameters, callOptions);
const { starts } = mode;
await runSessions(options, () => runSdkSession(options, { makeClient, makeTransport, makeHttpTransport, call, starts, onConnected }));
