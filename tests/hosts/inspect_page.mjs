// The page of `toolwire inspect` in chromium: a server is tried by hand, as it were, and a hostile one shown.
//   node inspect_page.mjs --toolwire PROGRAM --server PROGRAM [--pictures FOLDER]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { toolwire: { type: 'string' }, server: { type: 'string' }, pictures: { type: 'string' } },
});

/** A browser with a profile of its own, spoken to with its DevTools protocol. */
class Browser {
  static async start() {
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), 'toolwire-browser-'));
    browser.process = spawn('chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-extensions',
      '--disable-dev-shm-usage', '--remote-debugging-port=0', `--user-data-dir=${browser.folder}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
    let address;
    for await (const line of createInterface({ input: browser.process.stderr })) {
      address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address) break;
    }
    browser.process.stderr.resume();
    browser.socket = new WebSocket(address);
    await once(browser.socket, 'open');
    browser.socket.addEventListener('message', ({ data }) => browser.take(JSON.parse(data)));
    return browser;
  }
  waiting = new Map();
  pages = new Map();
  next = 0;

  take({ id, sessionId, method, params, result, error }) {
    if (id === undefined) return this.pages.get(sessionId)?.heard.push({ method, params });
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }
  send(method, params = {}, sessionId = undefined) {
    const id = ++this.next;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  }
  async open(url) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId);
    this.pages.set(sessionId, page);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    await page.send('Page.navigate', { url });
    return page;
  }
  async close() {
    const ended = once(this.process, 'exit');
    this.send('Browser.close').catch(() => {});
    const late = setTimeout(() => this.process.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(late);
    this.process.stderr.destroy();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }); // helpers of it write for a moment
  }
}

class Page {
  heard = [];
  constructor(browser, sessionId) {
    Object.assign(this, { browser, sessionId });
  }
  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }
  async value(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }
  /** Waits until it is true. */
  async until(expression) {
    for (const begun = Date.now(); !(await this.value(expression).catch(() => false));) {
      if (Date.now() - begun > 30_000) throw new Error(`never true: ${expression}\n${await this.value('document.body.innerText')}`);
      await this.value('new Promise((done) => setTimeout(done, 20))').catch(() => {});
    }
  }
  view(name) {
    return this.value(`document.querySelector('nav [data-view="${name}"]').click()`);
  }
  async choose(text) {
    const found = `[...document.querySelectorAll('#list button')].find((one) => one.innerText.split('\\n').includes(${JSON.stringify(text)}))`;
    await this.until(`${found} !== undefined`);
    await this.value(`${found}.click()`);
  }
  /** As a person types: into the field of that label. */
  fill(where, label, text) {
    return this.value(`(() => {
      const field = [...document.querySelectorAll('${where} .field')].find((one) => one.querySelector('label').innerText.startsWith(${JSON.stringify(label)}));
      const control = field.querySelector('input, select, textarea');
      control.value = ${JSON.stringify(text)};
      control.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
  }
  press(where, text) {
    return this.value(`[...document.querySelectorAll('${where} button')].find((one) => one.innerText === ${JSON.stringify(text)}).click()`);
  }
  shown(where, text) {
    return this.until(`document.querySelector(${JSON.stringify(where)})?.innerText.includes(${JSON.stringify(text)})`);
  }
  async picture(name) {
    if (!options.pictures) return;
    for (const [theme, width] of [['light', 1200], ['dark', 1200], ['light', 390], ['dark', 390]]) {
      await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] });
      await this.send('Emulation.setDeviceMetricsOverride', { width, height: 844, deviceScaleFactor: 1, mobile: width < 500 });
      const { data } = await this.send('Page.captureScreenshot', {});
      writeFileSync(join(options.pictures, `${name}-${theme}-${width}.png`), Buffer.from(data, 'base64'));
    }
    await this.send('Emulation.clearDeviceMetricsOverride', {});
  }
}

/** The program before a server; `url()` is the next address that it shows. */
class Inspector {
  constructor(...server) {
    this.process = spawn(options.toolwire, ['inspect', '--revision', '2025-11-25', '--', ...server], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }
  async url() {
    return (await this.lines.next()).value.replace(/^open /, '');
  }
  async end() {
    this.process.kill('SIGINT');
    const [status] = await once(this.process, 'exit');
    assert.equal(status, 0);
  }
}

async function tryServer(browser) {
  const inspector = new Inspector(options.server);
  const url = await inspector.url();
  const page = await browser.open(url);
  await page.choose('echo');
  assert.equal(await page.value('location.hash'), '', 'the ticket does not stay in the address');
  await page.fill('#detail', 'message', 'hello from a page');
  await page.press('#detail', 'Call');
  await page.shown('#detail .output', 'hello from a page');
  await page.picture('tool');

  await page.choose('test_elicitation');
  await page.fill('#detail', 'message', 'Who are you?');
  await page.press('#detail', 'Call');
  await page.shown('#questions', 'Who are you?');
  await page.picture('question');
  await page.fill('#questions', 'response', 'a person');
  await page.press('#questions', 'Answer');
  await page.until(`document.querySelectorAll('#questions form').length === 0`);
  await page.shown('#detail .output', 'a person');

  await page.choose('test_slow');
  await page.fill('#detail', 'seconds', '100');
  await page.press('#detail', 'Call');
  await page.until(`document.querySelector('#detail .output progress') !== null`);
  await page.press('#detail .output', 'Cancel');
  await page.shown('#detail .output', 'cancel');

  await page.view('resources');
  await page.until(`document.querySelectorAll('#list button').length > 1`);
  await page.value(`document.querySelector('#list button').click()`);
  await page.press('#detail', 'Read');
  await page.until(`document.querySelector('#detail .output')?.innerText.length > 0`);
  await page.view('prompts');
  await page.until(`document.querySelectorAll('#list button').length > 0`);
  await page.view('messages');
  await page.shown('#messages', 'tools/call');
  await page.picture('messages');
  await page.view('server');
  await page.shown('#detail', 'capabilities');

  await page.send('Page.reload'); // the same session goes on
  await page.choose('echo');
  const second = await browser.open(url); // the address was for one page
  await second.shown('#about', 'was used already');
  const third = await browser.open(await inspector.url());
  await third.choose('echo');
  await attackFromElsewhere(browser, url);
  await inspector.end();
}

/** A page of another address asks, and takes the inspector into a frame. */
async function attackFromElsewhere(browser, url) {
  const { origin } = new URL(url);
  const other = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(`<iframe src="${origin}/"></iframe>`)).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const page = await browser.open(`http://127.0.0.1:${other.address().port}/`);
  await page.until(`document.querySelector('iframe') !== null`);
  const asked = await page.value(`fetch('${origin}/api/describe', { method: 'POST', body: '{}' }).then((answer) => answer.status, (error) => error.name)`);
  assert.equal(asked, 'TypeError');
  const simple = await page.value(`fetch('${origin}/api/describe', { method: 'POST', mode: 'no-cors', body: '{}' }).then((answer) => answer.type, (error) => error.name)`);
  assert.ok(['opaque', 'TypeError'].includes(simple), simple);
  await page.until(`document.querySelector('iframe').contentDocument === null`); // an error page, of nobody
  other.close();
  other.closeAllConnections();
}

async function showHostile(browser) {
  const inspector = new Inspector(process.execPath, fileURLToPath(new URL('inspected_server.mjs', import.meta.url)));
  const page = await browser.open(await inspector.url());
  await page.until(`document.querySelectorAll('#list button').length === 1`);
  for (const view of ['tools', 'resources', 'prompts']) {
    await page.view(view);
    await page.until(`document.querySelectorAll('#list button').length === 1`);
    await page.value(`document.querySelector('#list button').click()`);
    await page.press('#detail', { tools: 'Call', resources: 'Read', prompts: 'Get' }[view]);
    await page.until(`document.querySelector('#detail .output')?.innerText.includes('onerror')`);
    if (view === 'tools') await page.picture('hostile');
  }
  await page.until(`document.querySelectorAll('#questions form').length === 3`);
  await page.view('messages');
  await page.shown('#messages', 'onerror');
  await page.view('server');

  assert.equal(await page.value('window.pwned'), undefined);
  assert.equal(await page.value(`document.querySelectorAll('script').length`), 1);
  assert.equal(await page.value(`[...document.querySelectorAll('a, iframe, object, embed')].length`), 0);
  assert.equal(await page.value(`/[\\u202a-\\u202e\\u200b-\\u200f]|[\\u{e0000}-\\u{e0fff}]/u.test(document.documentElement.innerText)`), false);
  const requested = page.heard.filter(({ method }) => method === 'Network.requestWillBeSent').map(({ params }) => params.request.url);
  const origin = await page.value('location.origin');
  assert.deepEqual(requested.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:image/png')), []);
  const thrown = page.heard.filter(({ method }) => method === 'Runtime.exceptionThrown');
  assert.deepEqual(thrown, []);
  await inspector.end();
}

const browser = await Browser.start();
let status = 0;
try {
  await tryServer(browser);
  await showHostile(browser);
  console.log('the page does what it should');
} catch (error) {
  console.error(error);
  status = 1;
}
await browser.close();
process.exit(status); // also if an inspector is still there
