// What a client does beside calling tools, against the server `everything`: it reads resources, gets prompts, asks for
// suggestions, and answers what the server asks. Both major versions of the TypeScript SDK have the same methods for this;
// how a handler is set is told by the runner.

import { expect } from './expectations.mjs';

export const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };

// `handle(method, handler)` sets the handler of a request the server makes.
export function answerQuestions(handle) {
  handle('elicitation/create', async ({ params }) => (
    params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: filledForm(params.requestedSchema) }));
  handle('sampling/createMessage', async () => (
    { role: 'assistant', model: 'hosts', stopReason: 'endTurn', content: { type: 'text', text: 'Paris' } }));
  handle('roots/list', async () => ({ roots: [{ uri: 'file:///home/somebody', name: 'home' }] }));
}

function filledForm(schema) {
  const value = (field) => field.enum?.[0] ?? { boolean: true, integer: 3, number: 1.5 }[field.type] ?? 'some text';
  return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, value(field)]));
}

// `call(client, parameters, options)` calls a tool.
export async function checkFeatures(client, call) {
  await checkResources(client);
  await checkPrompts(client);
  await checkCompletion(client);
  await checkQuestions(client, call);
}

async function checkResources(client) {
  const { resources } = await client.listResources();
  expect(resources.some(({ uri }) => uri === 'test://static-text'), 'test://static-text is not listed');
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'test://template/{id}/data'), 'a template is missing');
  const read = async (uri) => (await client.readResource({ uri })).contents[0];
  expect((await read('test://static-text')).text.includes('static text resource'), 'the text is another');
  expect(Buffer.from((await read('test://static-binary')).blob, 'base64')[1] === 'P'.charCodeAt(0), 'the blob is no PNG');
  expect(JSON.parse((await read('test://template/42/data')).text).id === '42', 'the parameter of the template is lost');
  expect((await read('test://needs-input')).text.includes('some text'), 'the resource did not hear the answer');
  const error = await client.readResource({ uri: 'test://nowhere' }).then(() => undefined, (reason) => reason);
  expect([-32602, -32002].includes(error?.code), `reading test://nowhere: expected -32602 or -32002, got ${error ?? 'a result'}`);
  console.log(`resources: ${resources.map(({ uri }) => uri).join(', ')}`);
}

async function checkPrompts(client) {
  const { prompts } = await client.listPrompts();
  const get = async (name, args) => (await client.getPrompt({ name, arguments: args })).messages;
  const [message] = await get('test_prompt_with_arguments', { arg1: 'one', arg2: 'two' });
  expect(message.content.text === "Prompt with arguments: arg1='one', arg2='two'", 'the arguments of the prompt are lost');
  expect((await get('test_prompt_with_image'))[0].content.mimeType === 'image/png', 'the prompt has no image');
  expect((await get('test_prompt_with_audio'))[0].content.type === 'audio', 'the prompt has no sound');
  expect((await get('test_input_required_result_prompt'))[0].content.text.includes('some text'), 'the prompt did not hear the answer');
  console.log(`prompts: ${prompts.map(({ name }) => name).join(', ')}`);
}

async function checkCompletion(client) {
  const complete = async (ref, name, value, context) => (
    (await client.complete({ ref, argument: { name, value }, ...(context && { context }) })).completion);
  const prompt = (name) => ({ type: 'ref/prompt', name });
  const cities = await complete(prompt('test_prompt_with_arguments'), 'arg1', 'par');
  expect(cities.values.includes('paris'), `expected paris among the suggestions: ${cities.values}`);
  const ids = await complete({ type: 'ref/resource', uri: 'test://template/{id}/data' }, 'id', '12');
  expect(ids.values.join() === '123,124', `expected 123 and 124: ${ids.values}`);
  const names = await complete(prompt('test_completion_context'), 'repository', '', { arguments: { owner: 'somebody' } });
  expect(names.values.every((name) => name.startsWith('somebody-')), `expected names of somebody: ${names.values}`);
  const many = await complete(prompt('test_large_completion'), 'value', '');
  expect(many.values.length === 100 && many.hasMore && many.total === 250, 'expected 100 of 250 suggestions');
}

async function checkQuestions(client, call) {
  const questions = [
    ['test_elicitation', { message: 'Who are you?' }, 'action=accept, content={"response":"some text"}'],
    ['test_elicitation_sep1034_defaults', {}, 'action=accept'],
    ['test_elicitation_url', {}, 'The page was opened'],
    ['test_sampling', { prompt: 'The capital of France?' }, 'LLM response: Paris'],
    ['test_input_required_result_list_roots', {}, 'Found 1 root(s)'],
    ['test_input_required_result_multiple_inputs', {}, 'Name: some text; Greeting: Paris; Roots: 1'],
    ['test_input_required_result_multi_round', {}, 'Multi-round complete for some text who likes some text'],
  ];
  for (const [name, args, text] of questions) {
    const result = await call(client, { name, arguments: args }, {});
    const got = result.content?.[0]?.text ?? JSON.stringify(result);
    expect(!result.isError && got.includes(text), `${name}: expected "${text}", got "${got}"`);
    console.log(`${name} -> ${got}`);
  }
}
