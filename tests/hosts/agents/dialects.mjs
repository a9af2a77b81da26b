// How agents speak with their models, in four dialects: which requests are turns of a conversation, the tools of a server in one,
// what is shown of what a tool has answered, the text in it, and the answer that calls a tool, or ends the conversation. Streams of
// events, all of them.

const stream = (events) => events.map((event) => `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');
const identifier = () => `call_${Math.random().toString(36).slice(2)}`;
const textOf = (content) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'));

// What OpenAI calls Responses.
export const responses = {
  isTurn: (url) => url.endsWith('/responses'),
  // Those of a server may stand in a namespace of their own.
  tools: ({ tools = [] }) => tools.flatMap((one) => (one.tools ?? [one]).map((tool) => ({ ...tool, space: one.tools && one.name }))),
  lastShown: ({ input }) => input.findLast(({ type }) => type === 'function_call_output').output,
  textOf,
  write(call, tool) {
    const id = identifier();
    const item = call ? { type: 'function_call', id, call_id: id, name: tool.name, ...(tool.space && { namespace: tool.space }), arguments: JSON.stringify(call.args) }
      : { type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return stream([
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'r', usage, output: [item] } }]);
  },
};

// What Google calls streamGenerateContent.
export const gemini = {
  isTurn: (url) => url.includes(':streamGenerateContent'),
  tools: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
  lastShown({ contents }) {
    const parts = contents.flatMap((content) => content.parts);
    return parts.slice(parts.findLastIndex((part) => part.functionResponse));  // images come behind
  },
  textOf([{ functionResponse: { response: { output, error } } }]) {
    return output ?? error;
  },
  write(call, tool) {
    const part = call ? { functionCall: { name: tool.name, args: call.args } } : { text: 'Done.' };
    return stream([{ candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }]);
  },
};

// What OpenAI calls chat completions, and most others have, too.
export const chat = {
  isTurn: (url) => url.endsWith('/chat/completions'),
  tools: ({ tools = [] }) => tools.map(({ function: tool }) => tool),
  lastShown: ({ messages }) => messages.findLast(({ role }) => role === 'tool').content,
  textOf,
  write(call, tool) {
    const chunk = (delta, finish = null) => ({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: finish }] });
    const called = call && [{ index: 0, id: identifier(), type: 'function', function: { name: tool.name, arguments: JSON.stringify(call.args) } }];
    return `${stream([chunk(call ? { role: 'assistant', tool_calls: called } : { role: 'assistant', content: 'Done.' }),
      chunk({}, call ? 'tool_calls' : 'stop')])}data: [DONE]\n\n`;
  },
};

// What Anthropic calls Messages.
export const messages = {
  isTurn: (url) => url.startsWith('/v1/messages') && !url.includes('count_tokens'),
  tools: ({ tools = [] }) => tools,
  lastShown({ messages: all }) {
    return all.flatMap(({ content }) => (Array.isArray(content) ? content : [])).findLast(({ type }) => type === 'tool_result');
  },
  textOf: ({ content }) => textOf(content),
  write(call, tool) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const block = call ? { type: 'tool_use', id: identifier(), name: tool.name, input: {} } : { type: 'text', text: '' };
    const delta = call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) } : { type: 'text_delta', text: 'Done.' };
    return stream([
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'scripted', content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: block }, { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn' }, usage }, { type: 'message_stop' }]);
  },
};
