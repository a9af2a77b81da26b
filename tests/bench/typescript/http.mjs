// `echo` over Streamable HTTP, on a port of 127.0.0.1 that is printed.
import { createServer } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { makeServer } from './tools.mjs';

const handler = createMcpHandler(makeServer);

async function answer(request, response) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const asked = new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method, headers: request.headers, body: Buffer.concat(pieces),
  });
  const answered = await handler.fetch(asked);
  const text = Buffer.from(await answered.arrayBuffer());
  response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), 'Content-Length': text.length });
  response.end(text);
}

const http = createServer(answer);
http.listen(0, '127.0.0.1', () => console.log(http.address().port));
