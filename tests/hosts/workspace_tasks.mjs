// The ten tasks of agent_tasks.mjs, done by a client: that each of them can be done with the workspace server, and those
// that the official filesystem server can do with that.
//
// usage: node workspace_tasks.mjs CLIENT WORKSPACE REPOSITORY     CLIENT: v1, v2 or ai-sdk

import { join } from 'node:path';
import { Project, tasks, workspaceOptions } from './agent_tasks.mjs';
import { expect, Unexpected } from './expect.mjs';
import { clients } from './flow_clients.mjs';

const [which, command, repository] = process.argv.slice(2);
if (!clients[which] || !repository) {
  console.error(`usage: node workspace_tasks.mjs ${Object.keys(clients).join('|')} WORKSPACE REPOSITORY`);
  process.exit(2);
}
const official = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

const servers = {
  workspace: (root) => [command, ['--root', root, ...workspaceOptions]],
  filesystem: (root) => [process.execPath, [official, root]],
};

// The number of calls it took.
async function perform(task, server) {
  const project = new Project(repository);
  const client = await clients[which](...servers[server](project.root));
  let calls = 0;
  const call = async (tool, args) => {
    ++calls;
    const result = await client.call(tool, args);
    const text = (result.content ?? []).map((block) => block.text).join('\n');
    // A command that fails is an error of the result, and what it wrote is what is wanted.
    expect(!result.isError || tool === 'run_command', `${tool} ${JSON.stringify(args)}: expected success: ${text}`);
    return text;
  };
  try {
    task.check(await task[server](call, project), project);
    return calls;
  } finally {
    await client.close();
    project.remove();
  }
}

try {
  for (const task of tasks) {
    for (const server of Object.keys(servers).filter((name) => task[name]))
      console.log(`${task.name}: ${server}: ${await perform(task, server)} calls`);
  }
  console.log('as expected');
} catch (error) {
  console.error(error instanceof Unexpected ? `UNEXPECTED: ${error.message}` : error);
  process.exitCode = 1;
}
