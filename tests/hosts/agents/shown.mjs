// What the hosts that npm carries show their models of each kind of result, as a table: of a server that makes them by hand, or, with
// --bridged, of the same behind toolwire-bridge, which knows what some hosts get wrong.
//
// usage: shown.mjs --programs FOLDER [--bridged] [HOST...]     FOLDER: of toolwire and toolwire-bridge
// run.sh installs what this needs beside it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hosts } from './hosts.mjs';
import { Trial } from './trial.mjs';

// Of each tool of results_server.mjs, by which words what is looked for is recognised in what a host shows.
const kinds = {
  text: { text: /plain words/ },
  two_texts: { both: /first words.*[^s]second words/, joined: /first wordssecond words/ },
  nothing: { 'a note': /no output/ },
  text_and_structure: { text: /words for people/, structure: /value\W+7/ },
  structure_alone: { structure: /value\W+7/ },
  text_that_is_json: { text: /1,\s*2/, refused: /error/i },
  link: { address: /test:\/\/linked/ },
  text_and_link: { text: /plain words/, address: /test:\/\/linked/ },
  embedded_text: { text: /embedded words/, address: /test:\/\/embedded/ },
  embedded_bytes: { bytes: /AAH\//, address: /test:\/\/bytes/, 'a note': /resource|saved to/i },
  image: { image: /iVBOR/, 'a note': /image/i },
  audio: { audio: /UklGR/, 'a note': /audio/i },
  error: { text: /what went wrong/ },
  error_and_structure: { text: /what went wrong/, structure: /value\W+7/ },
};

const seen = (shown, words) => Object.keys(words).filter((one) => words[one].test(shown)).join(', ') || '–';

async function shownBy(name, programs, bridged) {
  const trial = await Trial.begin(name, programs, 'results', { whole: true });
  const server = [process.execPath, join(import.meta.dirname, 'results_server.mjs')];
  const file = join(trial.project, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { made: { command: server[0], args: server.slice(1) } } }));
  try {
    if (trial.host.before) await trial.run(trial.host.before(trial.model.url));
    await trial.install(bridged ? [join(programs, 'toolwire-bridge'), 'serve', file] : server, ['--name', 'results']);
    return await trial.talk(async (call) => {
      const found = {};
      for (const [tool, words] of Object.entries(kinds)) found[tool] = seen(await call(tool, {}), words);
      return found;
    });
  } finally {
    trial.end();
  }
}

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true, options: { programs: { type: 'string' }, bridged: { type: 'boolean' } } });
const names = (wanted.length > 0 ? wanted : Object.keys(hosts)).filter((name) => hosts[name]?.dialect);
if (!options.programs || names.length === 0) {
  console.error('usage: shown.mjs --programs FOLDER [--bridged] [HOST...]');
  process.exit(2);
}
const columns = [];
for (const name of names) columns.push(await shownBy(name, options.programs, options.bridged));
console.log(`| result | ${names.join(' | ')} |\n|---|${'---|'.repeat(names.length)}`);
for (const kind of Object.keys(kinds)) console.log(`| ${kind.replaceAll('_', ' ')} | ${columns.map((column) => column[kind]).join(' | ')} |`);
