// What a new user does with the workspace server and a real client: find a symbol in this repository, read around it,
// see what a change would be, make it, undo it. Everything a step needs is taken from the text of the answer before it,
// as a model would. The files are a scratch copy of the framework's public headers.
//
// usage: node workspace_flow.mjs CLIENT WORKSPACE REPOSITORY     CLIENT: v1, v2, inspector or ai-sdk

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, Unexpected } from './expectations.mjs';
import { clients } from './flow_clients.mjs';

const headers = 'framework/include';
const trash = '.workspace-trash';

// The files below a folder, without the trash: a map from path to bytes (as latin1, which can be compared).
function filesBelow(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const kept = paths.filter((path) => !path.startsWith(trash));
  return new Map(kept.map((path) => [path, readFileSync(join(root, path), 'latin1')]));
}

// The paths whose content differs between two such maps.
function changedPaths(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

// The text of a call's result, which has to be a success.
async function answerOf(client, tool, args) {
  const result = await client.call(tool, args);
  const text = (result.content ?? []).map((block) => block.text).join('\n');
  console.log(`\n> ${tool} ${JSON.stringify(args)}\n${text}`);
  expect(!result.isError, `${tool}: expected success: ${text}`);
  return text;
}

async function findSymbol(client) {
  const text = await answerOf(client, 'search_text', { pattern: 'class Transport \\{', glob: '*.hpp' });
  const [, path, line, found] = /^([^:\n]+):(\d+): (.*)$/m.exec(text) ?? [];
  expect(found === 'class Transport {', `expected the answer "path:line: class Transport {", got: ${text}`);
  return { path, line: Number(line), found };
}

async function readAround(client, { path, line, found }) {
  const text = await answerOf(client, 'read_file', { path, offset: line - 2, limit: 6 });
  expect(text.split('\n')[2] === found, `expected line ${line} as the third, got: ${text}`);
  expect(text.includes(`[Lines ${line - 2} to ${line + 3} shown, more follow. Continue with offset ${line + 4}.]`),
         `expected to hear which lines these are, got: ${text}`);
}

// The tool and the arguments an answer names behind "To undo".
function undoOf(text) {
  const [, tool, args] = /^\[To undo: (\w+) (\{.*\})\]$/m.exec(text) ?? [];
  expect(tool, `expected the answer to say how to undo, got: ${text}`);
  return [tool, JSON.parse(args)];
}

async function flow(client, root) {
  const original = filesBelow(root);
  const symbol = await findSymbol(client);
  await readAround(client, symbol);

  const added = '// Tried by a new user: čárka, 漢字.';
  const edit = { path: symbol.path, oldText: symbol.found, newText: `${added}\n${symbol.found}` };
  const preview = await answerOf(client, 'edit_file', { ...edit, dryRun: true });
  expect(preview.includes(`\n+${added}\n ${symbol.found}\n`), `expected the diff, got: ${preview}`);
  expect(changedPaths(original, filesBelow(root)).length === 0, 'a dry run changed a file');
  expect(!existsSync(join(root, trash)), 'a dry run left something in the trash');

  const undo = undoOf(await answerOf(client, 'edit_file', edit));
  const edited = filesBelow(root);
  expect(changedPaths(original, edited).join() === symbol.path, 'expected the edited file to change, and no other');
  const wanted = Buffer.from(original.get(symbol.path), 'latin1').toString().replace(edit.oldText, edit.newText);
  expect(Buffer.from(edited.get(symbol.path), 'latin1').toString() === wanted, 'the file holds something else');

  const redo = undoOf(await answerOf(client, ...undo));
  expect(changedPaths(original, filesBelow(root)).length === 0, 'undoing did not bring every byte back');
  await answerOf(client, ...redo);
  expect(changedPaths(edited, filesBelow(root)).length === 0, 'undoing the undoing did not bring the edit back');
}

const [which, command, repository] = process.argv.slice(2);
if (!clients[which] || !repository) {
  console.error(`usage: node workspace_flow.mjs ${Object.keys(clients).join('|')} WORKSPACE REPOSITORY`);
  process.exit(2);
}
const root = mkdtempSync(join(tmpdir(), 'toolwire-flow-'));
let client;
try {
  cpSync(join(repository, headers), join(root, headers), { recursive: true });
  client = await clients[which](command, ['--root', root, '--write']);
  console.log(`${which}: ${client.speaks}`);
  await flow(client, root);
  console.log('\nas expected');
} catch (error) {
  console.error(error instanceof Unexpected ? `UNEXPECTED: ${error.message}` : error);
  process.exitCode = 1;
} finally {
  await client?.close();
  rmSync(root, { recursive: true, force: true });
}
