// The page of `toolwire inspect` in chromium: a server is tried by hand, as it were, and a hostile one shown.
//   node inspect_page.mjs --toolwire PROGRAM --server PROGRAM [--pictures FOLDER]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Browser, Page } from './browser.mjs';

const { values: options } = parseArgs({
  options: { toolwire: { type: 'string' }, server: { type: 'string' }, pictures: { type: 'string' } },
});

/** The inspector's page. */
class InspectorPage extends Page {
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
  /** As when another tab is chosen, or this one again. */
  hide(isHidden) {
    return this.value(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'))`);
  }
  async picture(name) {
    if (options.pictures) await this.pictures(options.pictures, name);
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
  const page = await browser.open(url, InspectorPage);
  await page.choose('echo');
  assert.ok(!(await page.value(`[...document.querySelectorAll('#detail .tag')].map((one) => one.innerText)`)).includes('echo'), 'a name is said once');
  assert.equal(await page.value('location.hash'), '', 'the ticket does not stay in the address');
  await page.fill('#detail', 'message', 'hello from a page');
  await page.press('#detail', 'Call');
  await page.shown('#detail .output', 'hello from a page');
  await page.picture('tool');

  await page.choose('test_echo_json'); // what a number of JavaScript would round
  await page.fill('#detail', 'value', '{"id": 9007199254740993}');
  await page.press('#detail', 'Call');
  await page.shown('#detail .output', '9007199254740993');
  assert.ok(!(await page.value(`document.querySelector('#detail .output').textContent`)).includes('9007199254740992'));

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
  const lines = await page.value(`[...document.querySelectorAll('#messages summary')].map((one) => [one.innerText, one.clientHeight])`);
  for (const words of ['→ initialize', '← answer to initialize', '→ tools/call echo', '← answer to tools/call echo', '← elicitation/create', '→ answer to elicitation/create']) {
    assert.ok(lines.some(([text]) => text.includes(words)), `a message that says "${words}"`);
  }
  assert.ok(lines.every(([, height]) => height < 30), 'each message is one line until it is opened');
  await page.picture('messages');
  await page.view('server');
  await page.shown('#detail', 'capabilities');

  await page.send('Page.reload'); // the same session goes on
  await page.choose('echo');
  const network = (offline) => page.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  await network(true); // as when the machine sleeps
  await page.shown('#about', 'does not answer');
  await network(false);
  await page.fill('#detail', 'message', 'hello again');
  await page.press('#detail', 'Call');
  await page.shown('#detail .output', 'hello again');
  await page.until(`!document.querySelector('#about').innerText.includes('does not answer')`);
  const second = await browser.open(url, InspectorPage); // the address was for one page
  await second.shown('#about', 'was used already');
  const third = await browser.open(await inspector.url(), InspectorPage);
  await third.choose('echo');
  await attackFromElsewhere(browser, url);
  await inspector.end();
}

/** More tabs than a browser has connections to one address. */
async function openManyTabs(browser) {
  const inspector = new Inspector(options.server);
  const pages = [];
  for (let n = 0; n < 10; ++n) {
    const page = await browser.open(await inspector.url(), InspectorPage);
    await page.choose('echo');
    await page.hide(true);
    pages.push(page);
  }
  const [first, last] = [pages[0], pages.at(-1)];
  await last.hide(false);
  await last.fill('#detail', 'message', 'from the last');
  await last.press('#detail', 'Call');
  await last.shown('#detail .output', 'from the last');
  await first.view('messages');
  await first.hide(false); // it sees what has happened meanwhile
  await first.shown('#messages', 'from the last');
  await inspector.end();
}

/** A page of another address asks, and takes the inspector into a frame. */
async function attackFromElsewhere(browser, url) {
  const { origin } = new URL(url);
  const other = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(`<iframe src="${origin}/"></iframe>`)).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const page = await browser.open(`http://127.0.0.1:${other.address().port}/`, InspectorPage);
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
  const page = await browser.open(await inspector.url(), InspectorPage);
  await page.until(`document.querySelectorAll('#list button').length === 1`);
  for (const view of ['tools', 'resources', 'prompts']) {
    await page.view(view);
    await page.until(`document.querySelectorAll('#list button').length === 1`);
    await page.value(`document.querySelector('#list button').click()`);
    await page.press('#detail', { tools: 'Call', resources: 'Read', prompts: 'Get' }[view]);
    await page.until(`document.querySelector('#detail .output')?.innerText.includes('onerror')`);
    assert.equal(await page.beyondPhone(), 0, view);
    if (view === 'tools') await page.picture('hostile');
  }
  await page.until(`document.querySelectorAll('#questions form').length === 4`);
  assert.equal(await page.beyondPhone(), 0, 'questions');
  await page.view('messages');
  await page.shown('#messages', 'onerror');
  assert.equal(await page.beyondPhone(), 0, 'messages');
  await page.view('server');
  assert.equal(await page.beyondPhone(), 0, 'server');

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
  await openManyTabs(browser);
  await showHostile(browser);
  console.log('the page does what it should');
} catch (error) {
  console.error(error);
  status = 1;
}
await browser.close();
process.exit(status); // also if an inspector is still there
