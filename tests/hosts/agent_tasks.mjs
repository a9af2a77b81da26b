// Ten tasks as people give them to an agent: find, understand, change, run the tests; for the workspace server and, where
// it has the tools, for @modelcontextprotocol/server-filesystem. Each is what a model does, without the model: a function
// that takes what it needs for a call from the answers before it. Who makes the calls is not told here: a client
// (workspace_tasks.mjs), or an agent that takes them from a model (tests/bench/workspace/agents).

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from './expect.mjs';

const headers = 'framework/include';
const python = 'bridge/runtimes/python';
const broken = `${python}/toolwire_runtime/permissions.py`;
const large = `${python}/toolwire_runtime/calls.py`;
const right = 'needed.startswith(granted.rstrip("/") + "/")';
const wrong = 'needed.startswith(granted)';
const tests = ['python3', '-m', 'unittest', 'tests.test_parts.PermissionsTest'];

// What `workspace` is started with behind --root.
export const workspaceOptions = [
  '--write', '--run', '--run-allow', tests.join(' '), '--run-env', 'PYTHONDONTWRITEBYTECODE=1'];

// A copy of two folders of the repository, committed, and in one of its files a fault that is not.
export class Project {
  constructor(repository) {
    this.root = mkdtempSync(join(tmpdir(), 'toolwire-agent-'));
    const isNotMade = (path) => !path.endsWith('__pycache__');
    for (const folder of [headers, python])
      cpSync(join(repository, folder), join(this.root, folder), { recursive: true, filter: isNotMade });
    this.#git('init', '--quiet');
    this.#git('add', '.');
    this.#git('-c', 'user.name=a', '-c', 'user.email=a@a.example', 'commit', '--quiet', '--message', 'all');
    writeFileSync(this.at(broken), this.read(broken).replace(right, wrong));
  }

  at(path) {
    return join(this.root, path);
  }

  read(path) {
    return readFileSync(this.at(path), 'utf8');
  }

  // The paths below a folder whose name ends so.
  files(folder, end) {
    const entries = readdirSync(this.at(folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(end));
    return files.map((entry) => relative(this.root, join(entry.parentPath, entry.name))).sort();
  }

  // "path:line" of each line below a folder in which the expression matches.
  places(folder, end, expression) {
    return this.files(folder, end).flatMap((path) => placesIn(path, this.read(path), expression));
  }

  // How many lines each file differs by from what was committed: {path: count}.
  changed() {
    const lines = this.#git('diff', '--numstat').split('\n').filter((line) => line !== '');
    return Object.fromEntries(lines.map((line) => line.split('\t')).map(([added, , path]) => [path, Number(added)]));
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }

  #git(...words) {
    return execFileSync('git', words, { cwd: this.root, encoding: 'utf8' });
  }
}

function placesIn(path, text, expression) {
  const lines = text.split('\n').map((line, index) => [line, `${path}:${index + 1}`]);
  return lines.filter(([line]) => expression.test(line)).map(([, place]) => place);
}

// The text between two others.
function between(text, before, behind) {
  const begin = text.indexOf(before);
  expect(begin >= 0, `expected ${before} in: ${text}`);
  return text.slice(begin, text.indexOf(behind, begin + before.length));
}

// What the official server's tools show, by paths relative to the project.
class Filesystem {
  constructor(call, project) {
    this.call = call;
    this.project = project;
  }

  async find(pattern, folder = '.') {
    const text = await this.call('search_files', { path: this.project.at(folder), pattern });
    return text.split('\n').filter((line) => line.startsWith('/')).map((path) => relative(this.project.root, path)).sort();
  }

  read(path) {
    return this.call('read_text_file', { path: this.project.at(path) });
  }

  // It has no search in files: all are read, some at a time as answers are cut by agents. {path: text}
  async readAll(paths) {
    const texts = {};
    for (let i = 0; i < paths.length; i += 10) {
      const some = paths.slice(i, i + 10);
      const text = await this.call('read_multiple_files', { paths: some.map((path) => this.project.at(path)) });
      for (const path of some) {
        const begin = text.indexOf(`${this.project.at(path)}:\n`) + this.project.at(path).length + 2;
        const end = text.indexOf('\n---\n', begin);
        texts[path] = text.slice(begin, end < 0 ? text.length : end);
      }
    }
    return texts;
  }

  edit(path, edits) {
    return this.call('edit_file', { path: this.project.at(path), edits });
  }
}

// Each resolves to what the model would say, which `check` judges; `filesystem` is missing where that server cannot do it.
export const tasks = [
  {
    name: 'find where a class is defined',
    async workspace(call) {
      const text = await call('find_symbol', { name: 'Transport', kinds: 'class' });
      return /^(\S+:\d+)-\d+: class Transport /m.exec(text)?.[1];
    },
    async filesystem(call, project) {
      const server = new Filesystem(call, project);
      const texts = await server.readAll(await server.find('**/*transport*'));
      return Object.entries(texts).flatMap(([path, text]) => placesIn(path, text, /^class Transport \{/)).join();
    },
    check: (said, project) => expect(said === project.places(headers, '.hpp', /^class Transport \{/).join(), `said ${said}`),
  },
  {
    name: 'find every use of a name',
    async workspace(call) {
      const text = await call('search_text', { pattern: '\\bToolError\\b', path: headers });
      return [...text.matchAll(/^([^\s:]+:\d+): /gm)].map(([, place]) => place);
    },
    async filesystem(call, project) {
      const server = new Filesystem(call, project);
      const texts = await server.readAll(await server.find('**/*.hpp', headers));
      return Object.entries(texts).flatMap(([path, text]) => placesIn(path, text, /\bToolError\b/));
    },
    check(said, project) {
      expect(said.join() === project.places(headers, '.hpp', /\bToolError\b/).join(), `said ${said}`);
    },
  },
  {
    name: 'find the files of the tests',
    workspace: async (call) => (await call('find_files', { pattern: 'test_*.py' })).split('\n'),
    filesystem: (call, project) => new Filesystem(call, project).find('**/test_*.py'),
    check(said, project) {
      const files = project.files(python, '.py').filter((path) => path.includes('/test_'));
      expect(said.join() === files.join(), `said ${said}`);
    },
  },
  {
    name: 'see what a folder holds',
    async workspace(call) {
      const text = await call('list_files', { path: headers, depth: 9, glob: '*.hpp' });
      return text.split('\n').filter((line) => line.endsWith('.hpp')).length;
    },
    async filesystem(call, project) {
      const text = await call('directory_tree', { path: project.at(headers) });
      return [...text.matchAll(/"name": "[^"]+\.hpp"/g)].length;
    },
    check: (said, project) => expect(said === project.files(headers, '.hpp').length, `said ${said}`),
  },
  {
    name: 'read one function of a large file',
    async workspace(call) {
      const text = await call('outline', { path: large });
      const [, first, last] = /^(\d+)-(\d+): function failure_of\(/m.exec(text) ?? [];
      const shown = await call('read_file', { path: large, offset: Number(first), limit: last - first + 1 });
      return between(`${shown}\n`, 'def failure_of(', '\n[').trimEnd();
    },
    async filesystem(call, project) {
      return between(await new Filesystem(call, project).read(large), 'def failure_of(', '\n\n\n');
    },
    check: (said, project) => expect(said === between(project.read(large), 'def failure_of(', '\n\n\n'), `said ${said}`),
  },
  {
    name: 'say what is not committed',
    async workspace(call) {
      const text = await call('git_diff', {});
      return [/^\+\+\+ b\/(.*)$/m.exec(text)?.[1], /^\+ {4}(.*)$/m.exec(text)?.[1]].join(': ');
    },
    check: (said) => expect(said === `${broken}: return needed == granted or ${wrong}`, `said ${said}`),
  },
  {
    name: 'mend a line',
    async workspace(call) {
      const found = await call('search_text', { pattern: 'startswith\\(granted\\)', path: python });
      const [, path] = /^([^\s:]+):\d+: /m.exec(found) ?? [];
      return call('edit_file', { path, oldText: wrong, newText: right });
    },
    async filesystem(call, project) {
      const server = new Filesystem(call, project);
      const [path] = await server.find('**/permissions.py');
      expect((await server.read(path)).includes(wrong), 'the fault is not shown');
      return server.edit(path, [{ oldText: wrong, newText: right }]);
    },
    check: (said, project) => expect(Object.keys(project.changed()).length === 0, `changed: ${said}`),
  },
  {
    name: 'give a name another one everywhere',
    async workspace(call) {
      const change = { pattern: '\\bToolError\\b', replacement: 'ToolFailure', path: headers };
      const preview = await call('replace_text', change);
      expect(preview.includes('ToolFailure'), `expected the difference, got: ${preview}`);
      return call('replace_text', { ...change, dryRun: false });
    },
    async filesystem(call, project) {
      const server = new Filesystem(call, project);
      const texts = await server.readAll(await server.find('**/*.hpp', headers));
      for (const [path, text] of Object.entries(texts)) {
        const lines = text.split('\n').filter((line) => /\bToolError\b/.test(line));
        const edits = lines.map((line) => ({ oldText: line, newText: line.replaceAll(/\bToolError\b/g, 'ToolFailure') }));
        if (edits.length > 0) await server.edit(path, edits);
      }
    },
    check(said, project) {
      expect(project.places(headers, '.hpp', /\bToolError\b/).length === 0, `left: ${said}`);
      expect(Object.keys(project.changed()).length === 6, `expected five files and the fault: ${said}`);
    },
  },
  {
    name: 'change a file, and take that back',
    async workspace(call) {
      await call('edit_file', { path: large, oldText: 'class Batch', newText: 'class Bundle', dryRun: false });
      return call('undo', {});
    },
    async filesystem(call, project) {
      const server = new Filesystem(call, project);
      await server.edit(large, [{ oldText: 'class Batch', newText: 'class Bundle' }]);
      return server.edit(large, [{ oldText: 'class Bundle', newText: 'class Batch' }]);
    },
    check: (said, project) => expect(Object.keys(project.changed()).join() === broken, `changed: ${said}`),
  },
  {
    name: 'run the tests, mend what fails, run them',
    async workspace(call) {
      const run = { argv: tests, directory: python };
      expect((await call('run_command', run)).includes('FAIL: test_nothing_else_is'), 'expected a test to fail');
      const source = await call('read_file', { path: broken, offset: 30, limit: 10 });
      expect(source.includes(wrong), `expected the fault in: ${source}`);
      await call('edit_file', { path: broken, oldText: wrong, newText: right });
      return call('run_command', run);
    },
    check: (said) => expect(/^OK$/m.test(said) && said.includes('[exit status 0'), `said ${said}`),
  },
];
