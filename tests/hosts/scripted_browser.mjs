// A browser without a window, whose user says yes: it keeps cookies, follows redirects and fills in forms.

import { expect } from './expect.mjs';

const form = /<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/;
const inputs = /<input[^>]*name="([^"]+)"[^>]*>/g;

// From a URL to the page on which nothing more is asked: {url, status, text}. `typed`: what is typed into fields.
export async function browse(start, typed = {}) {
  const cookies = new Map();
  let request = { url: start };
  for (let step = 0; step < 20; ++step) {
    const answer = await fetch(request.url, {
      method: request.body ? 'POST' : 'GET', body: request.body, redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const one of answer.headers.getSetCookie()) {
      const [name, value] = one.split(';')[0].split(/=(.*)/s);
      cookies.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get('location');
    const found = text.match(form);
    if (location) {
      request = { url: new URL(location, request.url).href };
    } else if (found) {
      const fields = [...found[2].matchAll(inputs)].map(([tag, name]) => [name, typed[name] ?? tag.match(/value="([^"]*)"/)?.[1] ?? '']);
      request = { url: new URL(found[1], request.url).href, body: new URLSearchParams(fields) };
    } else {
      return { url: request.url, status: answer.status, text };
    }
  }
  expect(false, `${start} asks for more than twenty pages`);
}
