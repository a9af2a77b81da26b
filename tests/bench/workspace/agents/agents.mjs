// Two agents: how each is started without a person, with one server and with a model at a URL; the dialect in which it
// speaks with its model, and what it makes of an answer.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gemini, responses } from './dialects.mjs';

const programs = join(import.meta.dirname, 'node_modules/.bin');

// The text in the official server's structured content.
function unwrapped(text) {
  try {
    return JSON.parse(text).content ?? text;
  } catch {
    return text;
  }
}

// What the script gets of what an agent shows of an answer.
const textOf = {
  // Behind a line that says how long it took; structured content in the place of text where there is any.
  codex: (shown) => unwrapped(shown.replace(/^Wall time: .*\nOutput:\n/, '')),
  // Between two lines that say whose it is.
  gemini: (shown) => unwrapped(shown.replace(/^<untrusted_context>\n/, '').replace(/\n<\/untrusted_context>$/, '')),
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
    textOf: textOf.codex,
    run: (folder, server, url) => inHome('.codex/config.toml', codexSettings(url, server), (home) => (
      run(join(programs, 'codex'), ['exec', '--skip-git-repo-check', 'Go on.'], folder, { HOME: home, CODEX_HOME: join(home, '.codex') }))),
  },
  gemini: {
    dialect: gemini,
    textOf: textOf.gemini,
    run: (folder, server, url) => inHome('.gemini/settings.json', geminiSettings(server), (home) => (
      run(process.execPath, [join(programs, 'gemini'), '--prompt', 'Go on.', '--model', 'scripted', '--approval-mode', 'yolo'], folder,
          { HOME: home, GEMINI_CLI_HOME: home, GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url }))),
  },
};
