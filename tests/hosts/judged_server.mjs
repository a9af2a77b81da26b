// A server of the TypeScript SDK v2 (@modelcontextprotocol/server) that serves both eras, for toolwire-conformance to judge, and
// with --http for the bridge to reach: small,
// written as that SDK's documentation shows, with the names the suite looks for.
import {
  acceptedContent, completable, createMcpHandler, inputRequired, McpServer, ResourceTemplate,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const annotations = { readOnlyHint: true };
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function addTools(server) {
  const tool = (name, inputSchema, call) =>
    server.registerTool(name, { description: `Shows ${name}`, annotations, inputSchema: z.object(inputSchema) }, call);
  tool('echo', { message: z.string() }, ({ message }) => text(message));
  tool('test_simple_text', {}, () => text('simple text'));
  tool('test_image_content', {}, () => ({ content: [{ type: 'image', data: image, mimeType: 'image/png' }] }));
  tool('test_error_handling', {}, () => ({ ...text('This tool fails'), isError: true }));
  tool('test_throws', {}, () => { throw new Error('thrown'); });
  tool('test_big_output', { bytes: z.number().int() }, ({ bytes }) => text('x'.repeat(bytes)));
  tool('test_slow', { seconds: z.number() }, async ({ seconds }, { mcpReq }) => {
    await sleep(seconds * 1000, undefined, { signal: mcpReq.signal });
    return text('done');
  });
  tool('test_tool_with_progress', {}, async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return text('done');
  });
  tool('test_tool_with_logging', {}, async (_, { mcpReq }) => {
    for (const level of ['debug', 'info', 'error']) await mcpReq.log(level, `at ${level}`);
    return text('done');
  });
  const person = z.object({ name: z.string() });
  tool('test_input_required_result_elicitation', {}, (_, { mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'person', person);
    if (answer !== undefined) return text(`Hello, ${answer.name}`);
    return inputRequired({
      inputRequests: { person: inputRequired.elicit({ message: 'Who are you?', requestedSchema: person }) },
    });
  });
  server.registerTool('test_structured_content',
    { description: 'Structured', annotations, inputSchema: z.object({}), outputSchema: z.object({ sum: z.number() }) },
    () => ({ ...text('{"sum":3}'), structuredContent: { sum: 3 } }));
}

function addResources(server) {
  const contents = (uri, content) => ({ contents: [{ uri: uri.href, ...content }] });
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' },
    (uri) => contents(uri, { mimeType: 'text/plain', text: 'text' }));
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' },
    (uri) => contents(uri, { mimeType: 'image/png', blob: image }));
  server.registerResource('template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined, complete: { id: () => ['1', '2'] } }),
    { mimeType: 'text/plain' }, (uri, { id }) => contents(uri, { text: `data of ${id}` }));
}

function addPrompts(server) {
  const say = (value) => ({ messages: [{ role: 'user', content: { type: 'text', text: value } }] });
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => say('simple'));
  const argument = completable(z.string(), (value) => ['paris', 'park', 'party'].filter((it) => it.startsWith(value)));
  server.registerPrompt('test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => say(`${arg1} and ${arg2}`));
}

function makeServer() {
  const server = new McpServer({ name: 'sdk-v2-server', version: '1.0.0' }, { capabilities: { logging: {} } });
  for (const add of [addTools, addResources, addPrompts]) add(server);
  return server;
}

/// On a port of 127.0.0.1, which is printed: Streamable HTTP of both eras.
function serveHttp() {
  const handler = createMcpHandler(makeServer);
  const http = createServer(async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { status, headers, body } = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method,
      headers: request.headers,
      body: request.method === 'POST' ? Readable.toWeb(request) : undefined,
      duplex: 'half',
      signal: gone.signal,
    }));
    response.writeHead(status, Object.fromEntries(headers));
    if (body === null) response.end();
    else pipeline(Readable.fromWeb(body), response, () => {});
  });
  process.on('SIGUSR2', () => handler.notify.toolsChanged());
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
}

if (process.argv[2] === '--http') serveHttp();
else serveStdio(makeServer);
