// The tool `echo` as the documentation of FastMCP (for TypeScript) shows it.
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
server.addTool({ name: 'echo', description: 'Says it again', parameters: z.object({ text: z.string() }), execute: async ({ text }) => text });
await server.start({ transportType: 'stdio' });
