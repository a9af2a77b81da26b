// A server whose every word is an attack on whoever shows it, for the page of `toolwire inspect`.
import { createInterface } from 'node:readline';

const attack = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
const turned = 'safe\u202Etxt.exe\u200Bhidden\u{E0041}';
const said = `${attack} ${turned} {{7*7}} \${7*7} javascript:window.pwned=1`;

const schema = {
  type: 'object',
  title: said,
  properties: {
    [attack]: { type: 'string', title: said, description: said, default: said },
    choice: { enum: [attack, turned], description: said },
    nested: { type: 'object', properties: { [attack]: { type: 'number' } } },
    constructor: { type: 'string' },
    __proto__: { type: 'string' },
  },
};
const image = (mimeType, data) => ({ type: 'image', mimeType, data });
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"><script>window.pwned=1</script></svg>').toString('base64');

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, completions: {} },
    serverInfo: { name: said, version: attack },
    instructions: said,
  }),
  'tools/list': () => ({ tools: [{ name: 'attack', title: said, description: said, inputSchema: schema, annotations: { title: said } }] }),
  'tools/call': () => ({
    content: [
      { type: 'text', text: said },
      image('image/svg+xml', svg),
      image('image/png', '"><script>window.pwned=1</script>'),
      image('text/html', Buffer.from(attack).toString('base64')),
      { type: 'resource_link', uri: 'javascript:window.pwned=1', name: said },
      { type: 'resource', resource: { uri: 'javascript:window.pwned=1', mimeType: 'text/html', text: said } },
      { type: attack, text: said },
      null,
    ],
    structuredContent: { [attack]: said },
  }),
  'resources/list': () => ({ resources: [{ uri: 'javascript:window.pwned=1', name: said, description: said, mimeType: attack }, null] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': () => ({ contents: [{ uri: attack, mimeType: 'text/html', text: said }] }),
  'prompts/list': () => ({ prompts: [{ name: 'prompt', title: said, description: said, arguments: [{ name: attack, description: said }] }] }),
  'prompts/get': () => ({ messages: [{ role: attack, content: { type: 'text', text: said } }] }),
};

const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'tools/call') {
    send({ id: 'q1', method: 'elicitation/create', params: { message: said, requestedSchema: schema } });
    send({ id: 'q2', method: 'elicitation/create', params: { mode: 'url', message: said, url: 'javascript:window.pwned=1', elicitationId: '1' } });
    send({ id: 'q3', method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text: said } }], maxTokens: 1 } });
    send({ id: 'q4', method: 'elicitation/create', params: { message: said, requestedSchema: { properties: null } } });
    send({ method: 'notifications/message', params: { level: 'error', data: said } });
    process.stdout.write(`${said}\n`);
  }
  if (id !== undefined && method in answers) send({ id, result: answers[method](params) });
  else if (id !== undefined && method !== undefined) send({ id, error: { code: -32601, message: said } });
}
