// What a client has to see, told on the command line in the same way whichever client runs. It knows no client and no
// protocol revision; the runners ask it to judge tool lists and results.

import { Unexpected, expect } from './expect.mjs';
import { startListening, stopListening } from './listening_command.mjs';

export { Unexpected, expect };

const usage = `usage: node RUNNER [OPTION...] -- COMMAND [ARGUMENT...]
  --mode MODE              how the client negotiates; each runner names its modes
  --sessions N             run N sessions at the same time (default 1)
  --call TOOL JSON TEXT    calling TOOL with the arguments JSON succeeds, and the text of the result contains TEXT
  --succeed TOOL JSON      the same, whatever the text is
  --http                   COMMAND listens on a port, and the clients reach it there
  --mcp-remote             the same, with mcp-remote, which they start, in between
  --features               the server is \`everything\`: resources, prompts, completion and questions work, too
  --refuse TOOL JSON TEXT  the same call comes back marked as an error, and its text contains TEXT`;

// Reads the arguments of a runner: {mode, sessions, http, mcpRemote, features, calls: [{tool, args, text, refused}], command, args}.
// `modes` are the runner's modes, the first of them the default.
export function parseExpectations(argv, modes) {
  const options = { mode: modes[0], sessions: 1, features: false, calls: [] };
  const words = [...argv];
  const next = (what) => words.shift() ?? usageError(`${what} is missing`);
  while (words.length > 0 && words[0] !== '--') {
    const option = words.shift();
    if (option === '--mode') options.mode = next('the mode after --mode');
    else if (option === '--sessions') options.sessions = Number(next('the number after --sessions'));
    else if (option === '--http') options.http = true;
    else if (option === '--mcp-remote') options.http = options.mcpRemote = true;
    else if (option === '--features') options.features = true;
    else if (['--call', '--refuse', '--succeed'].includes(option)) options.calls.push(parseCall(option, next));
    else usageError(`unknown option ${option}`);
  }
  words.shift();
  options.command = next('the server command after --');
  options.args = words;
  if (!modes.includes(options.mode)) usageError(`--mode ${options.mode}: expected one of ${modes.join(', ')}`);
  if (!(options.sessions >= 1)) usageError('--sessions: expected a number of at least 1');
  return options;
}

function parseCall(option, next) {
  const tool = next(`the tool after ${option}`);
  const json = next(`the arguments after ${option} ${tool}`);
  const text = option === '--succeed' ? '' : next(`the text after ${option} ${tool} ${json}`);
  try {
    return { tool, args: JSON.parse(json), text, refused: option === '--refuse' };
  } catch (error) {
    return usageError(`${option} ${tool}: the arguments are not JSON: ${error.message}`);
  }
}

function usageError(message) {
  console.error(`${message}\n${usage}`);
  process.exit(2);
}

// The list names every tool that is called, no tool twice, and gives each a description and an object as input schema.
export function checkTools(tools, calls) {
  const names = tools.map((tool) => tool.name);
  console.log(`tools: ${names.join(', ')}`);
  expect(new Set(names).size === names.length, `a tool is listed twice: ${names.join(', ')}`);
  for (const tool of tools) {
    expect(tool.description, `${tool.name} has no description`);
    expect(tool.inputSchema?.type === 'object', `${tool.name}: the input schema is not of type object`);
  }
  for (const { tool } of calls) expect(names.includes(tool), `${tool} is not listed; listed are: ${names.join(', ')}`);
}

// The result succeeded or was refused as expected, and its text contains what was expected.
export function checkResult(call, result) {
  const blocks = result.content ?? [];
  const text = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
  const asked = `${call.tool} ${JSON.stringify(call.args)}`;
  console.log(`${asked} -> ${result.isError ? 'error: ' : ''}${shortened(text)}`);
  const wanted = call.refused ? 'an error' : 'success';
  expect(Boolean(result.isError) === call.refused, `${asked}: expected ${wanted}: ${text}`);
  expect(text.includes(call.text), `${asked}: expected the text to contain "${call.text}": ${text}`);
}

function shortened(text) {
  const limit = 300;
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

// Runs `session` as often as asked for at the same time; prints and returns how the runner ends through its exit code.
// A server that listens is started before, once, and its address is `options.url` meanwhile.
export async function runSessions(options, session) {
  try {
    const listening = options.http ? await startListening([options.command, ...options.args]) : undefined;
    try {
      options.url = listening?.url;
      await Promise.all(Array.from({ length: options.sessions }, () => session(options)));
    } finally {
      if (listening) await stopListening(listening);
    }
    console.log('as expected');
  } catch (error) {
    console.error(error instanceof Unexpected ? `UNEXPECTED: ${error.message}` : error);
    process.exitCode = 1;
  }
}
