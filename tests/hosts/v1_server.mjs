// A server of the TypeScript SDK v1 (@modelcontextprotocol/sdk) over HTTP, for the bridge to reach, as that SDK's
// documentation shows it. It says its address.
//   --sessions    a session for each client, answers as streams of events, and a stream of the server's own
//   --stateless   no session, each answer one JSON text

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { z } from 'zod';

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

function makeServer() {
  const server = new McpServer({ name: 'sdk-v1-server', version: '1.0.0' });
  const tool = (name, inputSchema, call) => server.registerTool(name, { description: `Shows ${name}`, inputSchema }, call);
  tool('echo', { message: z.string() }, ({ message }) => text(message));
  tool('fail', {}, () => { throw new Error('thrown'); });
  tool('count', {}, async (_, { _meta, sendNotification }) => {
    for (const progress of _meta?.progressToken === undefined ? [] : [1, 2])
      await sendNotification({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress, total: 2 } });
    return text('counted');
  });
  tool('ask', {}, async () => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const { action, content } = await server.server.elicitInput({ message: 'Who are you?', requestedSchema });
    return text(action === 'accept' ? `Hello, ${content.name}` : action);
  });
  tool('grow', {}, () => {
    tool('grown', {}, () => text('grown'));
    return text('one tool more');
  });
  return server;
}

async function connected(options) {
  const transport = new StreamableHTTPServerTransport(options);
  await makeServer().connect(transport);
  return transport;
}

const sessions = new Map();

// Of the session that the request names, else a new one: whether that may be is judged by the transport.
async function transportFor(request) {
  if (process.argv[2] === '--stateless')
    return connected({ sessionIdGenerator: undefined, enableJsonResponse: true });
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known;
  const transport = await connected({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  return transport;
}

const http = createServer(async (request, response) => {
  const transport = await transportFor(request);
  await transport.handleRequest(request, response);
});
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
