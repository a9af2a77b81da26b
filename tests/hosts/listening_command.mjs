// A server that listens on a port of its choice: started, and ended by SIGTERM. It is ready when it has said its address,
// on either output.

import { spawn } from 'node:child_process';
import { expect } from './expect.mjs';

// {url, process, ended}; rejects if the program ends before.
export async function startListening([command, ...args], environment = {}) {
  const process_ = spawn(command, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => process_.on('close', (code, signal) => resolve({ code, signal })));
  const url = new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [process_.stdout, process_.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        said += text;
        const found = said.match(/http:\/\/127\.0\.0\.1:\d+\S*(?=\s)/);
        if (found) resolve(found[0]);
      });
    }
    process_.on('error', reject);
    process_.on('close', () => reject(new Error(`${command} has ended before it listened: ${said}`)));
  });
  return { url: await url, process: process_, ended };
}

// It has to answer what it was asked and to exit with 0.
export async function stopListening({ process: process_, ended }) {
  process_.kill('SIGTERM');
  const { code, signal } = await ended;
  expect(code === 0, `expected the server to exit with 0 after SIGTERM; code ${code}, signal ${signal}`);
}
