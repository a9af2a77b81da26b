// The tool `echo` of toolwire-echo as the documentation of the TypeScript SDK v2 shows it: a zod schema.
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export function makeServer() {
  const server = new McpServer({ name: 'typescript-echo', version: '1.0.0' });
  server.registerTool(
    'echo',
    {
      description: 'Return the text unchanged',
      inputSchema: z.object({ text: z.string().describe('Text to return') }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  return server;
}
