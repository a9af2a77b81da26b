// A session of a real MCP client, the TypeScript SDK v2, with the workspace server: what an editor does, made readable.
// demo.sh builds the server, installs the client and calls this: node demo.mjs WORKSPACE ROOT

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, root] = process.argv.slice(2);
const args = ['--root', root];

function title(text) {
  console.log(`\n== ${text}`);
}

// Prints the first lines of a text and says how many more there are.
function show(text, most) {
  const lines = text.split('\n');
  for (const line of lines.slice(0, most)) console.log(`   ${line}`);
  if (lines.length > most) console.log(`   … ${lines.length - most} more lines`);
}

function firstSentence(text) {
  return text.split(/(?<=\.)\s/)[0];
}

async function call(client, tool, toolArguments) {
  title(`${tool} ${JSON.stringify(toolArguments)}`);
  const result = await client.callTool({ name: tool, arguments: toolArguments });
  return { refused: Boolean(result.isError), text: result.content.map((block) => block.text).join('\n') };
}

async function answerOf(client, tool, toolArguments, mostLines) {
  const { refused, text } = await call(client, tool, toolArguments);
  show(text, mostLines);
  if (refused) throw new Error(`${tool} was expected to succeed`);
  return text;
}

async function listTools(client) {
  title('tools/list');
  for (const tool of (await client.listTools()).tools) {
    const effect = tool.annotations?.readOnlyHint ? 'only reads' : 'may write';
    console.log(`   ${tool.name} (${effect}): ${firstSentence(tool.description)}`);
  }
}

// Searches the sources, then reads the file the first match is in.
async function searchAndRead(client) {
  const matches = await answerOf(client, 'search_text', { pattern: '^class Transport ', path: 'framework' }, 8);
  const path = /^([^:\n]+):\d+:/.exec(matches)?.[1];
  if (!path) throw new Error('the search was expected to begin with "path:line: text"');
  await answerOf(client, 'read_file', { path }, 20);
}

async function stayInside(client) {
  const { refused, text } = await call(client, 'read_file', { path: '../../etc/passwd' });
  if (!refused) throw new Error('a path outside the root was expected to be refused');
  console.log(`   refused: ${text}`);
}

function printSettings() {
  title('to use it in an editor, paste this line into its MCP settings (VS Code names the outer key "servers")');
  console.log(JSON.stringify({ mcpServers: { 'workspace-server': { command, args } } }));  // Claude Code keeps "workspace" for itself
}

const client = new Client({ name: 'toolwire-demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
try {
  title(`${command} ${args.join(' ')}`);
  await client.connect(new StdioClientTransport({ command, args }));
  const { name, version } = client.getServerVersion();
  console.log(`   connected to ${name} ${version}, MCP revision ${client.getNegotiatedProtocolVersion()}`);
  await listTools(client);
  await searchAndRead(client);
  await stayInside(client);
  printSettings();
} catch (error) {
  console.error(`the demonstration failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await client.close();
}
