// Clients of others as hosts that toolwire-conformance judges: connect, list all tools, call the first one, show both, leave.
//
// usage: judged_client.mjs v1|v2-legacy|v2-auto|ai-sdk -- SERVER [argument]...

const name = 'toolwire-judged';
const version = '1.0.0';
const timeout = 2000; // of a request, in milliseconds: the default of a minute is longer than anybody watches
const capabilities = { roots: {}, sampling: {}, elicitation: { form: {} } };

const answers = {
  'roots/list': () => ({ roots: [{ uri: 'file:///home/user', name: 'home' }] }),
  'sampling/createMessage': () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: '2' } }),
  'elicitation/create': () => ({ action: 'accept', content: { name: 'Ann' } }),
};

async function v1(command, args) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const schemas = [types.ListRootsRequestSchema, types.CreateMessageRequestSchema, types.ElicitRequestSchema];
  const client = new Client({ name, version }, { capabilities });
  Object.values(answers).forEach((answer, i) => client.setRequestHandler(schemas[i], answer));
  await client.connect(new StdioClientTransport({ command, args }), { timeout });
  return {
    offers: () => client.getServerCapabilities()?.tools !== undefined,
    list: (cursor) => client.listTools(cursor && { cursor }, { timeout }),
    call: (call) => client.callTool(call, undefined, { timeout, onprogress: () => {} }),
    close: () => client.close(),
  };
}

async function v2(command, args, mode) {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const client = new Client({ name, version }, { capabilities, versionNegotiation: { mode } });
  for (const [method, answer] of Object.entries(answers)) client.setRequestHandler(method, answer);
  await client.connect(new StdioClientTransport({ command, args }), { timeout });
  return {
    offers: () => client.getServerCapabilities()?.tools !== undefined,
    list: (cursor) => client.listTools(cursor && { cursor }, { timeout }),
    call: (call) => client.callTool(call, { timeout, onprogress: () => {} }),
    close: () => client.close(),
  };
}

async function aiSdk(command, args) {
  const { createMCPClient } = await import('@ai-sdk/mcp');
  const { Experimental_StdioMCPTransport } = await import('@ai-sdk/mcp/mcp-stdio');
  const client = await createMCPClient({ transport: new Experimental_StdioMCPTransport({ command, args }) });
  return {
    offers: () => true, // it does not say what the server has declared
    list: (cursor) => client.listTools(cursor && { params: { cursor } }),
    call: (call) => client.callTool(call),
    close: () => client.close(),
  };
}

const clients = {
  v1,
  'v2-legacy': (command, args) => v2(command, args, 'legacy'),
  'v2-auto': (command, args) => v2(command, args, 'auto'),
  'ai-sdk': aiSdk,
};

async function use(client) {
  if (!client.offers()) return;
  let tools = [];
  let cursor;
  do {
    const page = await client.list(cursor);
    tools = tools.concat(page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length < 100);
  for (const tool of tools) console.log(`${tool.name}: ${tool.description}`);
  if (tools.length === 0) return;
  const result = await client.call({ name: tools[0].name, arguments: { text: 'hello' } });
  for (const part of result.content) if (part.type === 'text') console.log(part.text);
}

const [kind, , command, ...args] = process.argv.slice(2);
const client = await clients[kind](command, args);
try {
  await use(client);
} finally {
  await client.close();
}
