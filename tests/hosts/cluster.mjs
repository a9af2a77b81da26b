// Three replicas of toolwire-cluster behind nginx, with a Redis and a NATS of their own, in front of one server. What is of
// one session goes to one replica, as bridge/examples/cluster has it, and all else to each in turn.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startListening, stopListening } from './listening_command.mjs';

const replicaCount = 3;

// That nobody has now.
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

// What it says goes to this program's standard error only if it ends by itself.
function start(command, environment = {}) {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, ...environment };
  const started = spawn(command[0], command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [started.stdout, started.stderr]) stream.setEncoding('utf8').on('data', (text) => { said += text; });
  const ended = new Promise((resolve) => started.on('close', (code, signal) => resolve({ code, signal })));
  started.on('error', (error) => { said += error; });
  return { process: started, ended, said: () => said };
}

async function eventually(what, condition) {
  for (let i = 0; i < 600; ++i) {
    if (await condition()) return;
    await pause(50);
  }
  throw new Error(`this did not come true in 30 s: ${what}`);
}

const answers = (url) => fetch(url).then((answer) => answer.ok, () => false);

function nginxConfiguration(folder, port, replicas, hasSessions) {
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/nginx-${kind};`);
  return `daemon off; error_log ${folder}/nginx.log; pid ${folder}/nginx.pid; events {}
    http { access_log off; ${own.join(' ')}
      map $http_mcp_session_id $whose { "" $request_id; default $http_mcp_session_id; }
      upstream replicas { ${hasSessions ? 'hash $whose consistent;' : ''} ${replicas.map((one) => `server 127.0.0.1:${one};`).join(' ')} }
      server { listen 127.0.0.1:${port};
        location / {
          proxy_pass http://replicas; proxy_http_version 1.1; proxy_buffering off; proxy_read_timeout 1h;
          proxy_set_header Host $http_host; proxy_set_header Connection "";
        } } }`;
}

async function startNats(folder) {
  const ports = join(folder, 'nats');
  mkdirSync(ports);
  const configuration = join(folder, 'nats.conf');
  writeFileSync(configuration, `listen: "127.0.0.1:-1"\nports_file_dir: "${ports}"\n`);
  const nats = start(['nats-server', '-c', configuration]);
  const written = () => readdirSync(ports).map((one) => readFileSync(join(ports, one), 'utf8')).find((text) => text.includes('}'));
  await eventually('nats-server listens', written);
  return { ...nats, address: written().match(/127\.0\.0\.1:\d+/)[0] };
}

// {url, stop}; `server` says its address when it listens. `hasSessions`: of a revision with a handshake.
export async function startCluster(folder, cluster, server, hasSessions) {
  const behind = await startListening(server, { XDG_STATE_HOME: folder });
  const redis = start(['redis-server', '--port', '0', '--unixsocket', `${folder}/redis.sock`, '--save', '', '--dir', folder]);
  const nats = await startNats(folder);
  const toolwire = {
    servers: { everything: { on_change: 'accept' } },
    redis: { address: `unix:${folder}/redis.sock` }, nats: { address: nats.address },
  };
  const configuration = join(folder, 'mcp.json');
  writeFileSync(configuration, JSON.stringify({ mcpServers: { everything: { type: 'http', url: behind.url } }, toolwire }));
  const port = await freePort();
  const ports = [];
  const replicas = [];
  for (let i = 0; i < replicaCount; ++i) {
    ports.push(await freePort());
    const words = ['serve', configuration, '--listen', `http://127.0.0.1:${ports[i]}/mcp`, '--host', `127.0.0.1:${port}`];
    replicas.push(start([cluster, ...words], { XDG_STATE_HOME: join(folder, `replica-${i}`), TOOLWIRE_STATE_KEY: 'a key for the official suite' }));
  }
  const nginxFile = join(folder, 'nginx.conf');
  writeFileSync(nginxFile, nginxConfiguration(folder, port, ports, hasSessions));
  const nginx = start(['nginx', '-p', folder, '-e', join(folder, 'nginx.log'), '-c', nginxFile]);
  for (const one of ports) await eventually(`a replica listens at ${one}`, () => answers(`http://127.0.0.1:${one}/health`));
  await eventually('nginx listens', () => answers(`http://127.0.0.1:${port}/health`));
  const stop = async () => {
    for (const one of [...replicas, nginx]) one.process.kill('SIGTERM');
    const ends = await Promise.all(replicas.map((one) => one.ended));
    await nginx.ended;
    await stopListening(behind);
    for (const one of [redis, nats]) one.process.kill('SIGKILL');
    await Promise.all([redis.ended, nats.ended]);
    for (const [i, { code, signal }] of ends.entries()) {
      if (code !== 0) throw new Error(`a replica has ended with ${code ?? signal}: ${replicas[i].said()}`);
    }
  };
  return { url: `http://127.0.0.1:${port}/mcp`, stop };
}
