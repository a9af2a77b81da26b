// Four real clients behind one face, for workspace_flow.mjs: each is started with a server's command and gives
// {speaks, call(tool, args), close()}. A client's package is loaded only when it is asked for.

import { InspectorCommand } from './inspector_command.mjs';

const modern = '2026-07-28';
const name = 'toolwire-flow';
const version = '1.0.0';

async function v1(command, args) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name, version });
  await client.connect(new StdioClientTransport({ command, args }));
  await client.listTools();  // from then on the client holds structured results to their schemas
  return {
    speaks: 'legacy',
    call: (tool, toolArguments) => client.callTool({ name: tool, arguments: toolArguments }),
    close: () => client.close(),
  };
}

async function v2(command, args) {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const client = new Client({ name, version }, { versionNegotiation: { mode: { pin: modern } } });
  await client.connect(new StdioClientTransport({ command, args }));
  await client.listTools();
  return {
    speaks: client.getNegotiatedProtocolVersion(),
    call: (tool, toolArguments) => client.callTool({ name: tool, arguments: toolArguments }),
    close: () => client.close(),
  };
}

// Each call has a process of the server of its own: what undoes a change has to outlive the one that made it.
async function inspector(command, args) {
  const runs = new InspectorCommand({ command, args }, 'auto');
  return {
    speaks: 'auto',
    call: async (tool, toolArguments) => runs.call(tool, toolArguments),
    close: async () => runs.forget(),
  };
}

// The one client here that is not built on code of the protocol's makers.
async function aiSdk(command, args) {
  const { createMCPClient } = await import('@ai-sdk/mcp');
  const { Experimental_StdioMCPTransport } = await import('@ai-sdk/mcp/mcp-stdio');
  const client = await createMCPClient({ transport: new Experimental_StdioMCPTransport({ command, args }) });
  return {
    speaks: client.initializeResult.protocolVersion,
    call: (tool, toolArguments) => client.callTool({ name: tool, arguments: toolArguments }),
    close: () => client.close(),
  };
}

export const clients = { v1, v2, inspector, 'ai-sdk': aiSdk };
