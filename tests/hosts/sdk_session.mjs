// One session of a TypeScript SDK client with a server: connect, list, call, close. Both major versions of the SDK have
// the same methods for this, so v1_client.mjs and v2_client.mjs share it; what differs they check in `onConnected`.

import { fileURLToPath } from 'node:url';
import { checkResult, checkTools, expect } from './expectations.mjs';
import { checkFeatures } from './features.mjs';
import { isLateProgressComplaint, watchProgress } from './progress_watch.mjs';
import { WatchedCommand } from './watched_command.mjs';

const mcpRemoteProgram = fileURLToPath(new URL('node_modules/mcp-remote/dist/proxy.js', import.meta.url));

// `makeClient()` gives an unconnected client, `makeTransport(parameters)` its stdio transport, `makeHttpTransport(url)` the
// one for a server that listens, `call(client, parameters, options)` calls a tool; `starts` is how many processes this
// client starts for one session.
export async function runSdkSession(options, { makeClient, makeTransport, makeHttpTransport, call, starts, onConnected }) {
  const watched = watchedCommand(options);
  const client = makeClient();
  const complaints = [];
  client.onerror = (error) => {
    if (!isLateProgressComplaint(error)) complaints.push(error);
  };
  try {
    const keptIn = options.mcpRemote && 'MCP_REMOTE_CONFIG_DIR';
    const transport = watched ? makeTransport({ ...watched.asParameters(keptIn), stderr: 'inherit' })
      : makeHttpTransport(new URL(options.url));
    await client.connect(transport);
    const violations = watchProgress(transport);
    await onConnected(client);
    checkTools((await client.listTools()).tools, options.calls);
    const onprogress = ({ message }) => console.log(`progress: ${message}`);
    for (const expected of options.calls) {
      checkResult(expected, await call(client, { name: expected.tool, arguments: expected.args }, { onprogress }));
    }
    if (options.features) await checkFeatures(client, call);
    await checkUnknownTool(client);
    if (watched) await checkClosing(client, transport);
    expect(violations.length === 0, violations.join('; '));
    expect(complaints.length === 0, `the client complained: ${complaints.join('; ')}`);
    if (watched) checkProcesses(watched, starts);
  } finally {
    await client.close();
    watched?.forget();
  }
}

// What the client starts; nothing if it reaches a server that listens.
function watchedCommand({ command, args, http, mcpRemote, url }) {
  if (!http) return new WatchedCommand(command, args);
  return mcpRemote ? new WatchedCommand(process.execPath, [mcpRemoteProgram, url, '--transport', 'http-only']) : undefined;
}

function checkProcesses(watched, starts) {
  const seen = watched.starts().length;
  expect(seen === starts, `expected ${starts} starts of the server, saw ${seen}`);
  expect(watched.survivors().length === 0, `still running: ${watched.survivors().join(', ')}`);
}

async function checkUnknownTool(client) {
  const name = 'no-such-tool';
  const error = await client.callTool({ name, arguments: {} }).then(() => undefined, (reason) => reason);
  expect(error?.code === -32602, `calling ${name}: expected the protocol error -32602, got ${error ?? 'a result'}`);
}

// Closing sends end of input and kills what stays: the server must have ended by itself, with exit code 0. The child
// process is a private member of both (pinned) versions of the transport; nothing public tells how the server ended.
async function checkClosing(client, transport) {
  const server = transport._process;
  await client.close();
  expect(server.exitCode === 0, `expected the server to exit with 0 at end of input; code ${server.exitCode}, ` +
      `signal ${server.signalCode}`);
}
