// Puts `workspace` into the hosts that npm carries, with `toolwire install` as a user would, into a home that has nothing else;
// has each list it and call it, as a model on this machine says; and takes it out again. With --plugins the hosts that have
// plugins install ours instead.
//
// usage: installed.mjs --programs FOLDER [--plugins FOLDER] [HOST...]     FOLDER: of toolwire and workspace, of the plugins
// run.sh installs what this needs beside it. Exit status: 0 all hosts did it, 1 one did not, 2 the usage

import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { expect } from './expect.mjs';
import { hosts } from './hosts.mjs';
import { ScriptedModel } from './scripted_model.mjs';

const limit = 120_000;  // milliseconds that a host may take for one thing
const note = 'the walrus has the key';

// A home and a project of its own for one host, with a model that it finds at a URL.
class Trial {
  static async begin(name, programs) {
    const host = hosts[name];
    const model = await ScriptedModel.start(host.dialect, host.bare ? '' : 'workspace');
    return new Trial(name, host, programs, model);
  }

  constructor(name, host, programs, model) {
    Object.assign(this, { name, host, programs, model, server: host.server ?? 'workspace' });
    this.home = mkdtempSync(join(tmpdir(), 'toolwire-host-home-'));
    this.project = mkdtempSync(join(tmpdir(), 'toolwire-host-project-'));
    writeFileSync(join(this.project, 'note.txt'), `${note}\n`);
    for (const [file, text] of Object.entries(host.files?.(model.url) ?? {})) {
      mkdirSync(dirname(join(this.home, file)), { recursive: true });
      writeFileSync(join(this.home, file), text);
    }
  }

  // What a program has written, once it has ended as it should. `typed` is what somebody types.
  async run([command, ...args], expected = 0, typed = undefined) {
    const path = [join(import.meta.dirname, 'bin'), join(import.meta.dirname, 'node_modules/.bin'), '/usr/bin', '/bin'].join(':');
    const child = spawn(command, args, {
      cwd: this.project, stdio: [typed ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      env: { PATH: path, HOME: this.home, LANG: 'C.UTF-8', SHELL: '/bin/sh', ...this.host.environment?.(this.model.url) } });
    child.stdin?.on('error', () => {});  // it has ended without reading
    child.stdin?.end(typed);
    let written = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => { written += chunk; });
    const over = setTimeout(() => child.kill('SIGKILL'), limit);
    const status = await new Promise((ended, failed) => child.on('error', failed).on('exit', ended));
    clearTimeout(over);
    expect(status === expected, `${command} ${args.join(' ')}: ended with ${status}\n${written.slice(-3000)}`);
    return written;
  }

  toolwire(words, expected) {
    return this.run([join(this.programs, 'toolwire'), ...words], expected);
  }

  edited() {
    const file = this.host.edited && join(this.home, this.host.edited);
    return file && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  async install() {
    const isLeft = this.name === 'continue';
    const said = await this.toolwire(['install', this.name, '--', join(this.programs, 'workspace'), '--root', this.project], isLeft ? 3 : 0);
    expect(!said.includes(' refuses '), `a tool is refused: ${said}`);
    if (isLeft) writeFileSync(join(this.home, this.host.edited), this.edited() + said.slice(said.indexOf('mcpServers:')).split('\n\n')[0] + '\n');
    return said;
  }

  async list() {
    if (!this.host.list) return;
    const listed = await this.run(this.host.list);
    expect(listed.includes(this.server) && !/failed|✗|disconnected/i.test(listed), `the host does not list it as it should: ${listed}`);
  }

  // What the tool has answered, as the host shows it to its model.
  async talk() {
    if (!this.host.dialect) return this.run(this.host.talk);
    const played = this.model.play((call) => call('read_file', { path: 'note.txt' }));
    const written = await this.run(this.host.talk);
    const { said, error } = await Promise.race([played, { error: new Error(`the model was offered no tool of the server, or not asked again: ${written}`) }]);
    if (error) throw error;
    return said;
  }

  async uninstall() {
    const isLeft = this.name === 'continue';
    await this.toolwire(['uninstall', this.name, '--name', this.server], isLeft ? 3 : 0);
    const said = await this.toolwire(['list', this.name]);
    expect(!said.includes('note.txt') && !said.includes(`${this.server}: `), `it is still there: ${said}`);
  }

  // Daemons that the host has left go, too.
  end() {
    this.model.close();
    for (const process of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (readFileSync(`/proc/${process}/environ`, 'utf8').split('\0').includes(`HOME=${this.home}`)) globalThis.process.kill(Number(process), 'SIGKILL');
      } catch {
        continue;  // it has ended, or belongs to somebody else
      }
    }
    for (const folder of [this.home, this.project]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function installed(trial) {
  if (trial.host.before) await trial.run(trial.host.before(trial.model.url));
  const before = trial.edited();
  await trial.install();
  await trial.list();
  const answer = await trial.talk();
  expect(answer.includes(note), `expected the note in the answer, found ${answer}`);
  await trial.uninstall();
  if (trial.host.edited && trial.name !== 'continue') expect(trial.edited() === before, `expected its file as it was, found ${trial.edited()}`);
}

async function pluggedIn(trial, plugins) {
  trial.server = 'workspace';
  for (const command of trial.host.plugin(plugins)) await trial.run(command, 0, 'y\n');  // one asks whether the source is trusted
  await trial.list();
  const answer = await trial.talk();
  expect(answer.includes(note), `expected the note in the answer, found ${answer}`);
}

async function tried(name, programs, plugins) {
  const trial = await Trial.begin(name, programs);
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
