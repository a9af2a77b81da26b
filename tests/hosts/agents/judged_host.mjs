// One host that npm carries, for toolwire-conformance to judge as a client: puts the server it is given into the host, has the
// scripted model call one of its tools, shows what the host showed the model, and ends with the host. run.sh installs what this
// needs beside it.
//
// usage: judged_host.mjs HOST --programs FOLDER [--tool NAME --arguments JSON] -- SERVER [argument]...
//   toolwire-conformance client --profile judged_host.json -- node judged_host.mjs codex --programs FOLDER {call} -- {server}

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hosts } from './hosts.mjs';
import { Trial } from './trial.mjs';

const words = process.argv.slice(2);
const server = words.splice(words.indexOf('--')).slice(1);
const { values: { programs, tool, arguments: text = '{}' }, positionals: [name] } = parseArgs({
  args: words, allowPositionals: true,
  options: { programs: { type: 'string' }, tool: { type: 'string' }, arguments: { type: 'string' } } });
if (!hosts[name]?.dialect || !programs || server.length === 0) {
  console.error('usage: judged_host.mjs HOST --programs FOLDER [--tool NAME --arguments JSON] -- SERVER [argument]...');
  process.exit(2);
}

// A host whose server has no tools, or not that one, holds its conversation without a call.
const trial = await Trial.begin(name, resolve(programs), 'judged', { whole: true, alone: 1500 });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => {
    trial.end();
    process.exit(1);
  });
}
try {
  if (trial.host.before) await trial.run(trial.host.before(trial.model.url));
  await trial.install(server, ['--name', 'judged', '--no-start']);
  trial.model.play(async (call) => { if (tool) console.log(await call(tool, JSON.parse(text))); });
  console.log(await trial.run(trial.host.talk));
} finally {
  trial.end();
}
