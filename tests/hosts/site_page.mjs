// The documentation site in chromium, from its folder: the search finds what is asked for without a server, and no page is
// wider than a phone.
//   node site_page.mjs --site FOLDER [--pictures FOLDER]

import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { Browser } from './browser.mjs';

const { values: options } = parseArgs({ options: { site: { type: 'string' }, pictures: { type: 'string' } } });
const pages = ['index', 'first-server', 'errors', 'engine', 'conformance', 'comparison', 'reference/server', 'repository/framework/README'];

const address = (page) => pathToFileURL(join(resolve(options.site), `${page}.html`)).href;

async function opened(browser, page) {
  const tab = await browser.open(address(page));
  await tab.until(`document.readyState === 'complete' && location.href === ${JSON.stringify(address(page))}`);
  return tab;
}

async function found(tab, words) {
  await tab.value(`(() => {
    const input = document.querySelector('.search input');
    input.focus();
    input.value = ${JSON.stringify(words)};
    input.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await tab.until(`!document.querySelector('.found').hidden && document.querySelector('.found').childElementCount > 0`);
  return tab.value(`[...document.querySelectorAll('.found a')].map((link) => link.getAttribute('href'))`);
}

async function search(browser) {
  const tab = await opened(browser, 'reference/server');
  const first = await found(tab, 'ToolError');
  assert.ok(first.slice(0, 3).some((link) => link.startsWith('../reference/error.html#')), `ToolError: ${first}`);
  const asked = await found(tab, 'question user');
  assert.ok(asked.slice(0, 5).some((link) => link.startsWith('../asking.html')), `question user: ${asked}`);
  if (options.pictures) await tab.pictures(options.pictures, 'search');
  assert.deepEqual(await found(tab, 'nobodyhaswrittenthis'), []);
  await found(tab, 'ToolError');
  await tab.value(`document.querySelector('.search').requestSubmit()`);
  await tab.until(`location.href.includes('reference/error.html#')`);
}

/** A phone: nothing but code and tables, which scroll by themselves, is wider; and the list of pages is closed. */
async function narrow(browser, page) {
  const tab = await opened(browser, page);
  await tab.send('Emulation.setDeviceMetricsOverride', { width: 390, height: 844, deviceScaleFactor: 1, mobile: true });
  await tab.send('Page.reload');
  await tab.until(`document.readyState === 'complete' && document.querySelector('.way')?.open === false`);
  const wide = await tab.value(`[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > 390
    && !one.closest('pre, .table')).map((one) => one.outerHTML.slice(0, 200))`);
  assert.deepEqual(wide, [], `${page}: too wide for a phone`);
  await tab.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 844, deviceScaleFactor: 1, mobile: false });
  await tab.until(`document.querySelector('.way').open`); // a phone that is turned, a window that is widened
  await tab.send('Emulation.clearDeviceMetricsOverride', {});
  if (options.pictures) await tab.pictures(options.pictures, page.replaceAll('/', '-'));
  const said = tab.heard.filter(({ method }) => method === 'Log.entryAdded' || method === 'Runtime.exceptionThrown');
  assert.deepEqual(said, [], page);
}

const browser = await Browser.start();
try {
  await search(browser);
  for (const page of pages) await narrow(browser, page);
  console.log('searched, and looked at on a phone');
} finally {
  await browser.close();
}
