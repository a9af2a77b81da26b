// A server whose tools answer with one kind of result each, for shown.mjs.
import { createInterface } from 'node:readline';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (said) => ({ type: 'text', text: said });
const link = { type: 'resource_link', uri: 'test://linked', name: 'linked' };
const resource = (contents) => ({ type: 'resource', resource: contents });

const results = {
  text: { content: [text('plain words')] },
  two_texts: { content: [text('first words'), text('second words')] },
  nothing: { content: [] },
  text_and_structure: { content: [text('words for people')], structuredContent: { value: 7 } },
  structure_alone: { content: [], structuredContent: { value: 7 } },
  text_that_is_json: { content: [text('[1, 2]')] },
  link: { content: [link] },
  text_and_link: { content: [text('plain words'), link] },
  embedded_text: { content: [resource({ uri: 'test://embedded', mimeType: 'text/plain', text: 'embedded words' })] },
  embedded_bytes: { content: [resource({ uri: 'test://bytes', mimeType: 'application/octet-stream', blob: 'AAH/' })] },
  image: { content: [{ type: 'image', mimeType: 'image/png', data: png }] },
  audio: { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' }] },
  error: { content: [text('what went wrong')], isError: true },
  error_and_structure: { content: [text('what went wrong')], structuredContent: { value: 7 }, isError: true },
};

const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'results', version: '1' } }),
  ping: () => ({}),
  'tools/list': () => ({ tools: Object.keys(results).map((name) => ({
    name, description: `Answers: ${name}`, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } })) }),
  'tools/call': ({ name }) => results[name],
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method]?.(params);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer } : { error: { code: -32601, message: `no ${method}` } }) }));
});
