// One host that npm carries, in a home and a project of its own, with a model on this machine that follows a script: a server is put
// into it with `toolwire install`, listed, called and taken out again. run.sh installs what this needs beside it.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from './expect.mjs';
import { hosts } from './hosts.mjs';
import { ScriptedModel } from './scripted_model.mjs';

const limit = 120_000;  // milliseconds that a host may take for one thing
export class Trial {
  // `programs`: the folder of `toolwire`; `server`: how the host is to know the server; `seen`: options of the model.
  static async begin(name, programs, server, seen = {}) {
    const host = hosts[name];
    const model = await ScriptedModel.start(host.dialect, host.bare ? '' : server, seen);
    return new Trial(name, host, programs, model, server);
  }

  constructor(name, host, programs, model, server) {
    Object.assign(this, { name, host, programs, model, server });
    this.home = mkdtempSync(join(tmpdir(), 'toolwire-host-home-'));
    this.project = mkdtempSync(join(tmpdir(), 'toolwire-host-project-'));
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

  // `words`: what stands before the command, as a user types it.
  async install(command, words = []) {
    const isLeft = this.name === 'continue';
    const said = await this.toolwire(['install', this.name, ...words, '--', ...command], isLeft ? 3 : 0);
    expect(!said.includes(' refuses '), `a tool is refused: ${said}`);
    if (isLeft) writeFileSync(join(this.home, this.host.edited), this.edited() + said.slice(said.indexOf('mcpServers:')).split('\n\n')[0] + '\n');
    return said;
  }

  async list() {
    if (!this.host.list) return;
    const listed = await this.run(this.host.list);
    expect(listed.includes(this.server) && !/failed|✗|disconnected/i.test(listed), `the host does not list it as it should: ${listed}`);
  }

  // What `script` has come to: it is given a function that calls a tool with arguments, and becomes what the host shows its model.
  async talk(script) {
    const played = this.model.play(script);
    const written = await this.run(this.host.talk);
    const { said, error } = await Promise.race([played, { error: new Error(`the model was offered no tool of the server, or not asked again: ${written}`) }]);
    if (error) throw error;
    return said;
  }

  async uninstall() {
    const isLeft = this.name === 'continue';
    await this.toolwire(['uninstall', this.name, '--name', this.server], isLeft ? 3 : 0);
    const said = await this.toolwire(['list', this.name]);
    expect(!said.includes(`${this.server}: `), `it is still there: ${said}`);
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
