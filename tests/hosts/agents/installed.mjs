// Puts `workspace` into the hosts that npm carries, with `toolwire install` as a user would, into a home that has nothing else;
// has each list it and call it, as a model on this machine says; and takes it out again. With --plugins the hosts that have
// plugins install ours instead.
//
// usage: installed.mjs --programs FOLDER [--plugins FOLDER] [HOST...]     FOLDER: of toolwire and workspace, of the plugins
// run.sh installs what this needs beside it. Exit status: 0 all hosts did it, 1 one did not, 2 the usage

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { expect } from './expect.mjs';
import { hosts } from './hosts.mjs';
import { Trial } from './trial.mjs';

const note = 'the walrus has the key';

// What the tool has answered, as the host shows it to its model; one without a model calls it by itself.
function readNote(trial) {
  return trial.host.dialect ? trial.talk((call) => call('read_file', { path: 'note.txt' })) : trial.run(trial.host.talk);
}

async function installed(trial) {
  if (trial.host.before) await trial.run(trial.host.before(trial.model.url));
  const before = trial.edited();
  await trial.install([join(trial.programs, 'workspace'), '--root', trial.project]);
  await trial.list();
  const answer = await readNote(trial);
  expect(answer.includes(note), `expected the note in the answer, found ${answer}`);
  await trial.uninstall();
  if (trial.host.edited && trial.name !== 'continue') expect(trial.edited() === before, `expected its file as it was, found ${trial.edited()}`);
}

async function pluggedIn(trial, plugins) {
  for (const command of trial.host.plugin(plugins)) await trial.run(command, 0, 'y\n');  // one asks whether the source is trusted
  await trial.list();
  const answer = await readNote(trial);
  expect(answer.includes(note), `expected the note in the answer, found ${answer}`);
}

async function tried(name, programs, plugins) {
  const trial = await Trial.begin(name, programs, 'workspace');
  writeFileSync(join(trial.project, 'note.txt'), `${note}\n`);
  if (!plugins) trial.server = hosts[name].server ?? trial.server;
  try {
    if (plugins) await pluggedIn(trial, plugins);
    else await installed(trial);
    console.log(`${name}: ${plugins ? 'plugin installed' : 'installed'}, ${trial.host.list ? 'listed, ' : ''}called${plugins ? '' : ', taken out'}`);
    return true;
  } catch (error) {
    console.log(`${name}: FAILED: ${error.message}`);
    return false;
  } finally {
    trial.end();
  }
}

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true, options: { programs: { type: 'string' }, plugins: { type: 'string' } } });
const names = wanted.length > 0 ? wanted : Object.keys(hosts).filter((name) => !options.plugins || hosts[name].plugin);
if (!options.programs || names.some((name) => !hosts[name] || (options.plugins && !hosts[name].plugin))) {
  console.error(`usage: installed.mjs --programs FOLDER [--plugins FOLDER] [HOST...], of ${Object.keys(hosts).join(', ')}`);
  process.exit(2);
}
let failed = 0;
for (const name of names) failed += (await tried(name, options.programs, options.plugins)) ? 0 : 1;
process.exit(failed > 0 ? 1 : 0);
