// The TypeScript SDK v1 (@modelcontextprotocol/sdk), which most hosts of today are built on, against a server. It has
// one mode: the initialize handshake.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { answerQuestions, capabilities } from './features.mjs';
import { expect, parseExpectations, runSessions } from './expectations.mjs';
import { runSdkSession } from './sdk_session.mjs';

const options = parseExpectations(process.argv.slice(2), ['legacy']);

async function onConnected(client) {
  const server = client.getServerVersion();
  console.log(`${server.name} ${server.version}`);
  expect(client.getServerCapabilities()?.tools?.listChanged, 'the server does not announce changes of its tool list');
  await client.ping();
}

const schemas = {
  'elicitation/create': ElicitRequestSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
  'roots/list': ListRootsRequestSchema,
};

function makeClient() {
  const client = new Client({ name: 'toolwire-hosts-v1', version: '1.0.0' }, { capabilities: options.features ? capabilities : {} });
  if (options.features) answerQuestions((method, handler) => client.setRequestHandler(schemas[method], handler));
  return client;
}

const makeTransport = (parameters) => new StdioClientTransport(parameters);
const makeHttpTransport = (url) => new StreamableHTTPClientTransport(url);
const call = (client, parameters, callOptions) => client.callTool(parameters, undefined, callOptions);
await runSessions(options, () => runSdkSession(options, { makeClient, makeTransport, makeHttpTransport, call, starts: 1, onConnected }));
