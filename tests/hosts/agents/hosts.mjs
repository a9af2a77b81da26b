// The hosts that npm carries: by the names that `toolwire install` knows them by, what each has in its home before (`files`,
// `before`), how it lists its servers, and how it holds a conversation with a model at a URL without a person. `server` is how it
// knows `workspace`, if by another name; `edited` is the file that is edited where it has no command of its own for that.

import { chat, gemini, messages, responses } from './dialects.mjs';

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const model = 'scripted';

export const hosts = {
  'claude-code': {
    dialect: messages,
    server: 'workspace-server',  // it keeps "workspace" for itself
    list: ['claude', 'mcp', 'list'],
    talk: ['claude', '-p', 'Go on.', '--model', model, '--allowedTools', 'mcp__workspace-server,mcp__plugin_toolwire-workspace_workspace,mcp__results'],
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', ENABLE_TOOL_SEARCH: 'false', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }),
    // `folder` has the folders of the plugins.
    plugin: (folder) => [['claude', 'plugin', 'validate', `${folder}/claude-code/toolwire-workspace`],
      ['claude', 'plugin', 'marketplace', 'add', `${folder}/claude-code`], ['claude', 'plugin', 'install', 'toolwire-workspace@toolwire']],
  },
  codex: {
    dialect: responses,
    files: (url) => ({ '.codex/config.toml': `# mine
model = "${model}"
model_provider = "${model}"
approval_policy = "never"
sandbox_mode = "read-only"

[model_providers.${model}]
name = "${model}"
base_url = "${url}/v1"
wire_api = "responses"
` }),
    list: ['codex', 'mcp', 'list'],
    talk: ['codex', 'exec', '--skip-git-repo-check', 'Go on.'],
  },
  'gemini-cli': {
    dialect: gemini,
    files: () => ({ '.gemini/settings.json': json({
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false }, telemetry: { enabled: false }, general: { enableAutoUpdate: false } }) }),
    list: ['gemini', 'mcp', 'list'],
    talk: ['gemini', '--prompt', 'Go on.', '--model', model, '--approval-mode', 'yolo'],
    environment: (url) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url }),
    plugin: (folder) => [['gemini', 'extensions', 'validate', `${folder}/gemini-cli/toolwire-workspace`],
      ['gemini', 'extensions', 'install', `${folder}/gemini-cli/toolwire-workspace`, '--consent']],
  },
  opencode: {
    dialect: chat,
    edited: '.config/opencode/opencode.json',
    files: (url) => ({ '.config/opencode/opencode.json': json({
      $schema: 'https://opencode.ai/config.json', autoupdate: false, share: 'disabled', model: `${model}/${model}`,
      provider: { [model]: { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1`, apiKey: 'none' }, models: { [model]: {} } } } }) }),
    list: ['opencode', 'mcp', 'list'],
    talk: ['opencode', 'run', 'Go on.'],
    environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
  },
  'copilot-cli': {
    dialect: chat,
    list: ['copilot', 'mcp', 'list'],
    talk: ['copilot', '-p', 'Go on.', '--allow-all-tools'],
    environment: (url) => ({ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_MODEL: model, COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false' }),
  },
  'cline-cli': {
    dialect: chat,
    edited: '.cline/data/settings/cline_mcp_settings.json',
    before: (url) => ['cline', 'auth', '-p', 'openai', '-k', 'none', '-m', model, '-b', `${url}/v1`],
    talk: ['cline', '-P', 'openai', '-m', model, 'Go on.'],
  },
  continue: {
    dialect: chat,
    bare: true,  // a tool has the server's name for it alone
    edited: '.continue/config.yaml',  // by the reader, with the text that is printed
    files: (url) => ({ '.continue/config.yaml': `name: mine
version: 1.0.0
schema: v1
models:
  - name: ${model}
    provider: openai
    model: ${model}
    apiBase: ${url}/v1
    apiKey: none
    roles: [chat]
    capabilities: [tool_use]
` }),
    talk: ['cn', '-p', 'Go on.', '--auto'],
  },
  mcporter: {  // the call itself, without a model
    edited: '.mcporter/mcporter.json',
    list: ['mcporter', 'list', 'workspace'],
    talk: ['mcporter', 'call', 'workspace.read_file', 'path=note.txt'],
  },
};
