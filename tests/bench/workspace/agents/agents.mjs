// Two agents: how each is started without a person, with one server and with a model at a URL; and the dialect in which
// it speaks with its model.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const programs = join(import.meta.dirname, 'node_modules/.bin');
const events = (all) => all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

// The text in the official server's structured content.
function unwrapped(text) {
  try {
    return JSON.parse(text).content ?? text;
  } catch {
    return text;
  }
}

// What OpenAI calls Responses.
const responses = {
  isTurn: (url) => url.endsWith('/responses'),
  tools: ({ tools = [] }) => tools.filter(({ name }) => name?.startsWith('mcp__')).flatMap((space) => (
    (space.tools ?? [space]).map((tool) => ({ ...tool, space: space.tools && space.name })))),
  lastAnswer({ input }) {
    const { output } = input.findLast(({ type }) => type === 'function_call_output');
    return typeof output === 'string' ? output : output.map(({ text }) => text).join('\n');
  },
  // Behind a line that says how long it took; structured content in the place of text where there is any.
  textOf: (shown) => unwrapped(shown.replace(/^Wall time: .*\nOutput:\n/, '')),
  write(call, tools) {
    const id = `call_${Math.random()}`;
    const item = call ? { type: 'function_call', id, call_id: id, arguments: JSON.stringify(call.args), ...this.named(call.tool, tools) }
      : { type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return events([
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'r', usage, output: [item] } }]);
  },
  named(name, tools) {
    const tool = tools.find((one) => one.name === name || one.name.endsWith(`__${name}`));
    return { name: tool.name, ...(tool.space && { namespace: tool.space }) };
  },
};

// What Google calls streamGenerateContent.
const gemini = {
  isTurn: (url) => url.includes(':streamGenerateContent'),
  tools: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
    .filter(({ name }) => name.startsWith('mcp_measured_')),
  lastAnswer({ contents }) {
    const parts = contents.flatMap((content) => content.parts).filter((part) => part.functionResponse);
    const { output, error } = parts.at(-1).functionResponse.response;
    return output ?? error;
  },
  // Between two lines that say whose it is.
  textOf: (shown) => unwrapped(shown.replace(/^<untrusted_context>\n/, '').replace(/\n<\/untrusted_context>$/, '')),
  write(call) {
    const part = call ? { functionCall: { name: `mcp_measured_${call.tool}`, args: call.args } } : { text: 'Done.' };
    return events([{ candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }]);
  },
};

// Runs a program in the folder; resolves to its exit status and the last of what it wrote.
function run(command, args, folder, environment) {
  const child = spawn(command, args, { cwd: folder, env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => { written = (written + chunk).slice(-10_000); });
  const over = setTimeout(() => child.kill('SIGKILL'), 120_000);
  return new Promise((ended) => child.on('close', (status) => {
    clearTimeout(over);
    ended({ status, written });
  }));
}

// A home of its own for one run, with one file in it.
async function inHome(file, content, act) {
  const home = mkdtempSync(join(tmpdir(), 'toolwire-agent-home-'));
  try {
    mkdirSync(join(home, file, '..'), { recursive: true });
    writeFileSync(join(home, file), content);
    return await act(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const codexSettings = (url, { command, args }) => `
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "read-only"
tool_output_token_limit = 100000

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"

[mcp_servers.measured]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
required = true
default_tools_approval_mode = "approve"
`;

const geminiSettings = (server) => JSON.stringify({
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
  tools: { truncateToolOutputThreshold: 400_000 },
  mcpServers: { measured: { ...server, trust: true } },
});

// `run(folder, server, url)`: one conversation in a folder, with a server {command, args} and a model.
export const agents = {
  codex: {
    dialect: responses,
    run: (folder, server, url) => inHome('.codex/config.toml', codexSettings(url, server), (home) => (
      run(join(programs, 'codex'), ['exec', '--skip-git-repo-check', 'Go on.'], folder, { HOME: home, CODEX_HOME: join(home, '.codex') }))),
  },
  gemini: {
    dialect: gemini,
    run: (folder, server, url) => inHome('.gemini/settings.json', geminiSettings(server), (home) => (
      run(process.execPath, [join(programs, 'gemini'), '--prompt', 'Go on.', '--model', 'scripted', '--approval-mode', 'yolo'], folder,
          { HOME: home, GEMINI_CLI_HOME: home, GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url }))),
  },
};
