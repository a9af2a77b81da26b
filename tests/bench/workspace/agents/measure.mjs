// What ten tasks cost in two agents with the workspace server, and with the official filesystem server where it can do
// them: calls; tokens (o200k) of what the model writes to call and of what it is shown of the answers; and the time from
// the model's call until the agent comes back with the answer. A model on this machine follows a script, so that none
// of it depends on what a model would choose. Figures are medians of the runs; a task that fails ends this.
//
// usage: measure.mjs WORKSPACE REPOSITORY [--runs N] [--agent NAME]      run.sh installs what it needs beside it

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { agents } from './agents.mjs';
import { Project, tasks, workspaceOptions } from './agent_tasks.mjs';
import { ScriptedModel } from './scripted_model.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true, options: { runs: { type: 'string', default: '3' }, agent: { type: 'string' } } });
const [workspace, repository] = positionals;
const runs = Number(options.runs);
if (!repository || !(runs >= 1) || (options.agent && !agents[options.agent])) {
  console.error(`usage: measure.mjs WORKSPACE REPOSITORY [--runs N] [--agent ${Object.keys(agents).join('|')}]`);
  process.exit(2);
}

const official = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const servers = {
  workspace: (root) => ({ command: workspace, args: ['--root', root, ...workspaceOptions] }),
  filesystem: (root) => ({ command: process.execPath, args: [official, root] }),
};

async function perform(agent, server, task, model) {
  const project = new Project(repository);
  try {
    const played = model.play((call) => task[server](call, project));
    const { status, written } = await agent.run(project.root, servers[server](project.root), model.url);
    const { said, error } = await Promise.race([played, { error: new Error(`the agent ended with ${status}: ${written}`) }]);
    if (error) throw error;
    task.check(said, project);
    return model.counts;
  } finally {
    project.remove();
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function measure(agent, server, task, model) {
  const all = [];
  for (let i = 0; i < runs; ++i) all.push(await perform(agent, server, task, model));
  return Object.fromEntries(Object.keys(all[0]).map((key) => [key, median(all.map((counts) => counts[key]))]));
}

const number = (value) => Math.round(value).toLocaleString('en').replaceAll(',', ' ');
const cells = (counts) => (counts ? `${counts.calls}, ${number(counts.tokens)}, ${number(counts.milliseconds)}` : 'cannot');
const row = (texts) => console.log(`| ${texts.join(' | ')} |`);

async function table(name, agent) {
  const model = await ScriptedModel.start(agent.dialect, 'measured', { countTokens, textOf: agent.textOf });
  const sums = Object.fromEntries(Object.keys(servers).map((server) => [server, { calls: 0, tokens: 0, milliseconds: 0 }]));
  const listed = {};
  row([`${name}: calls, tokens, ms`, ...Object.keys(servers)]);
  row(['---', ...Object.keys(servers).map(() => '---')]);
  for (const task of tasks) {
    const counts = {};
    for (const server of Object.keys(servers).filter((one) => task[one])) {
      counts[server] = await measure(agent, server, task, model);
      listed[server] = counts[server].tools;
    }
    row([task.name, ...Object.keys(servers).map((server) => cells(counts[server]))]);
    if (counts.filesystem) {
      for (const server of Object.keys(servers))
        for (const key of Object.keys(sums[server])) sums[server][key] += counts[server][key];
    }
  }
  row(['those that both can do', ...Object.values(sums).map(cells)]);
  row(['descriptions of the tools, tokens', ...Object.keys(servers).map((server) => number(listed[server]))]);
  console.log();
  model.close();
}

for (const [name, agent] of Object.entries(agents)) {
  if (!options.agent || options.agent === name) await table(name, agent);
}
