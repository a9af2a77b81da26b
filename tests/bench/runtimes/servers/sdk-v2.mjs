// The tool `echo` as the documentation of the TypeScript SDK v2 shows it.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'sdk-v2', version: '1.0.0' });
  server.registerTool('echo', { description: 'Says it again', inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  return server;
});
