// Chromium, spoken to with its DevTools protocol.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A browser with a profile of its own, spoken to with its DevTools protocol. */
export class Browser {
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
  async open(url, Kind = Page) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Kind(this, sessionId);
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

export class Page {
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
  /** How much of it is beyond the right edge of a phone, in pixels. */
  async beyondPhone() {
    await this.send('Emulation.setDeviceMetricsOverride', { width: 390, height: 844, deviceScaleFactor: 1, mobile: false });
    const beyond = await this.value('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    await this.send('Emulation.clearDeviceMetricsOverride', {});
    return beyond;
  }
  /** Light and dark, on a desk and on a phone, into `folder`. */
  async pictures(folder, name) {
    for (const [theme, width] of [['light', 1280], ['dark', 1280], ['light', 390], ['dark', 390]]) {
      await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] });
      await this.send('Emulation.setDeviceMetricsOverride', { width, height: 844, deviceScaleFactor: 1, mobile: width < 500 });
      const { data } = await this.send('Page.captureScreenshot', {});
      writeFileSync(join(folder, `${name}-${theme}-${width}.png`), Buffer.from(data, 'base64'));
    }
    await this.send('Emulation.clearDeviceMetricsOverride', {});
  }
}
