// The page of `toolwire inspect`. What a server says is put into the page as text only, never as markup.

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; texts become text nodes. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** Characters that are not seen, or turn the text around, stand as their numbers. */
const visible = (text) =>
  String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu, (one) => `\\u{${one.codePointAt(0).toString(16).toUpperCase()}}`);
const pretty = (value) => visible(JSON.stringify(value, null, 2));

// Whole numbers that are too large for one of JavaScript stay as they are written, where the browser can do that.
const isRounded = (value) => Number.isInteger(value) && !Number.isSafeInteger(value) && JSON.rawJSON !== undefined;
const parse = (text) => JSON.parse(text, (_, value, context) => (isRounded(value) ? JSON.rawJSON(context.source) : value));

// -- What the page asks for --------------------------------------------------------------------------------------------

let session = sessionStorage.getItem('session');

async function post(name, body, secret = session, signal = undefined) {
  const answer = await fetch(`/api/${name}`, {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });
  const result = parse(await answer.text());
  if (!answer.ok) throw new Error(result.error);
  return result;
}

async function begin() {
  const ticket = location.hash.slice(1);
  history.replaceState(null, '', '/');
  if (ticket !== '') {
    session = (await post('session', {}, ticket)).session;
    sessionStorage.setItem('session', session);
  }
  if (session === null) throw new Error('open the address that the terminal shows');
}

// -- Forms made from schemas -------------------------------------------------------------------------------------------

const typeOf = (schema) => (Array.isArray(schema?.type) ? schema.type.find((type) => type !== 'null') : schema?.type);

function labelled(name, schema, isRequired, control) {
  const id = `field-${Math.random().toString(36).slice(2)}`;
  control.id = id;
  const kind = [typeOf(schema) ?? 'any', schema?.format, isRequired ? 'required' : undefined].filter(Boolean).join(', ');
  return make('div', { class: 'field' },
    make('label', { for: id }, visible(schema?.title ?? name), ' ', make('span', { class: 'kind' }, visible(kind))),
    control,
    schema?.description === undefined ? undefined : make('p', { class: 'hint' }, visible(schema.description)));
}

/** `{element, value()}`; `value` is undefined for what is left out, and throws an Error for what is not to be read. */
function field(name, schema, isRequired, initial = schema?.default) {
  if (schema?.const !== undefined) return { element: labelled(name, schema, isRequired, make('code', {}, pretty(schema.const))), value: () => schema.const };
  const choices = schema?.enum ?? schema?.oneOf?.map((one) => one.const);
  if (Array.isArray(choices) && choices.length > 0 && choices.every((one) => one !== undefined && typeof one !== 'object')) return choice(name, schema, isRequired, choices, initial);
  switch (typeOf(schema)) {
    case 'boolean': return yesOrNo(name, schema, isRequired, initial);
    case 'integer':
    case 'number': return numeric(name, schema, isRequired, initial);
    case 'string': return textual(name, schema, isRequired, initial);
    case 'object': if (schema.properties && Object.keys(schema.properties).length > 0) return group(name, schema, isRequired, initial);
  }
  return raw(name, schema, isRequired, initial);
}

function choice(name, schema, isRequired, choices, initial) {
  const titles = schema.enumNames ?? schema.oneOf?.map((one) => one.title) ?? [];
  const select = make('select', {}, make('option', { value: '' }, '—'));
  choices.forEach((one, index) => select.append(make('option', { value: String(index), selected: one === initial }, visible(titles[index] ?? one))));
  return {
    element: labelled(name, schema, isRequired, select),
    value: () => (select.value === '' ? undefined : choices[Number(select.value)]),
  };
}

function yesOrNo(name, schema, isRequired, initial) {
  return choice(name, schema, isRequired, [true, false], initial);
}

function numeric(name, schema, isRequired, initial) {
  const input = make('input', { type: 'text', inputmode: 'decimal', value: JSON.isRawJSON?.(initial) ? JSON.stringify(initial) : initial });
  return {
    element: labelled(name, schema, isRequired, input),
    value: () => {
      if (input.value.trim() === '') return undefined;
      const number = Number(input.value);
      if (!Number.isFinite(number)) throw new Error(`${name}: expected a number`);
      return isRounded(number) ? JSON.rawJSON(input.value.trim()) : number;
    },
  };
}

function textual(name, schema, isRequired, initial) {
  const isLong = (schema.maxLength ?? 1000) > 200 && schema.format === undefined;
  const input = isLong ? make('textarea', { rows: 2 }) : make('input', { type: 'text' });
  if (initial !== undefined) input.value = visible(initial);
  const isGiven = make('input', { type: 'checkbox', 'aria-label': `${name} is empty` });
  const empty = make('label', { class: 'hint' }, isGiven, ' empty text');
  const element = labelled(name, schema, isRequired, input);
  if (!isRequired) element.append(empty);
  return { element, value: () => (input.value !== '' || isRequired || isGiven.checked ? input.value : undefined) };
}

function raw(name, schema, isRequired, initial) {
  const input = make('textarea', { rows: 3, placeholder: 'JSON' });
  if (initial !== undefined) input.value = JSON.stringify(initial, null, 2);
  return {
    element: labelled(name, schema, isRequired, input),
    value: () => {
      if (input.value.trim() === '') return undefined;
      try {
        return parse(input.value);
      } catch (error) {
        throw new Error(`${name}: expected JSON (${error.message})`);
      }
    },
  };
}

function group(name, schema, isRequired, initial) {
  const fields = Object.entries(schema.properties).map(([key, one]) => [key, field(key, one, schema.required?.includes(key), initial?.[key])]);
  const element = make('fieldset', {}, name === '' ? undefined : make('legend', {}, visible(name)), ...fields.map(([, one]) => one.element));
  return {
    element,
    value: () => {
      const given = fields.map(([key, one]) => [key, one.value()]).filter(([, value]) => value !== undefined);
      return given.length === 0 && !isRequired ? undefined : Object.fromEntries(given);
    },
  };
}

/** Undefined for a schema that no form can be made from. */
function formOf(schema) {
  try {
    return group('', schema, true);
  } catch {
    return undefined;
  }
}

/** A form for arguments, with their JSON as another way to give them. */
function argumentsForm(schema) {
  const hasFields = schema?.properties && Object.keys(schema.properties).length > 0;
  const fields = hasFields ? formOf(schema) : undefined;
  const text = make('textarea', { rows: 6, 'aria-label': 'Arguments as JSON' });
  text.value = '{}';
  const asJson = make('input', { type: 'checkbox' });
  const json = make('div', { hidden: true }, text);
  asJson.addEventListener('change', () => {
    if (asJson.checked) {
      try {
        text.value = JSON.stringify(fields.value(), null, 2);
      } catch { /* what is in the fields is no JSON yet */ }
    }
    json.hidden = !asJson.checked;
    fields.element.hidden = asJson.checked;
  });
  if (!fields) json.hidden = false;
  return {
    elements: [fields?.element, fields && make('label', { class: 'hint' }, asJson, ' as JSON'), json],
    value: () => (fields && !asJson.checked ? fields.value() : parse(text.value)),
  };
}

// -- What a server says ------------------------------------------------------------------------------------------------

function block(content) {
  switch (content?.type) {
    case 'text': return make('pre', {}, visible(content.text));
    case 'image': return picture(content);
    case 'resource': return make('div', {}, make('p', {}, visible(content.resource?.uri)), contents(content.resource));
    case 'resource_link': return make('p', {}, visible(`${content.name ?? ''} ${content.uri}`));
    default: return make('pre', {}, pretty(content));
  }
}

function picture({ mimeType, data }) {
  const known = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
  if (!known.includes(mimeType)) return make('p', {}, visible(`${mimeType}, ${data?.length ?? 0} characters of Base64`));
  return make('img', { src: `data:${mimeType};base64,${data}`, alt: 'an image of the server' });
}

const contents = (resource) =>
  resource?.text !== undefined ? make('pre', {}, visible(resource.text)) : resource?.blob !== undefined ? picture({ mimeType: resource.mimeType, data: resource.blob }) : make('pre', {}, pretty(resource));

function shownResult(result) {
  const parts = [make('p', { class: result.isError ? 'bad' : 'good' }, result.isError ? 'The tool says that it failed' : 'Done')];
  for (const content of [result.content ?? []].flat()) parts.push(block(content));
  if (result.structuredContent !== undefined) parts.push(make('h3', {}, 'structuredContent'), make('pre', {}, pretty(result.structuredContent)));
  parts.push(make('details', {}, make('summary', {}, 'the whole result'), make('pre', {}, pretty(result))));
  return parts;
}

// -- Views -------------------------------------------------------------------------------------------------------------

const lists = { tools: [], resources: [], prompts: [] };
const messages = [];
const runs = new Map(); // what shows a call, by its number
let view = 'tools';
let chosen;
let description = {};

const keyOf = (item) => item.uri ?? item.uriTemplate ?? item.name;

async function load(kind) {
  lists[kind] = [];
  try {
    const listed = kind === 'resources' ? [...(await post('list', { kind })), ...(await post('list', { kind: 'templates' }))] : await post('list', { kind });
    lists[kind] = listed.filter((one) => typeof one === 'object' && one !== null);
    if (lists[kind].length < listed.length) throw new Error(`the server lists ${kind} that are no objects`);
  } catch (error) {
    show(make('p', { class: 'bad' }, visible(error.message)));
  }
  if (view === kind) drawList();
}

function drawList() {
  const wanted = byId('filter').value.toLowerCase();
  const fits = (item) => `${keyOf(item)} ${item.name ?? ''} ${item.title ?? ''} ${item.description ?? ''}`.toLowerCase().includes(wanted);
  byId('list').replaceChildren(...(lists[view] ?? []).filter(fits).map((item) =>
    make('li', {}, make('button', { type: 'button', 'aria-current': String(keyOf(item) === chosen), onclick: () => choose(item) },
      visible(item.title ?? item.name ?? keyOf(item)), (item.title ?? item.name) === keyOf(item) ? undefined : make('small', {}, visible(keyOf(item)))))));
}

function show(...elements) {
  byId('detail').replaceChildren(...elements.filter((element) => element !== undefined));
}

function choose(item) {
  chosen = keyOf(item);
  drawList();
  try {
    ({ tools: showTool, resources: showResource, prompts: showPrompt })[view](item);
  } catch (error) {
    show(make('p', { class: 'bad' }, visible(`This cannot be shown: ${error.message}`)), make('pre', {}, pretty(item)));
  }
}

const tags = (values) => make('p', {}, ...values.filter(Boolean).map((text) => make('span', { class: 'tag' }, visible(text))));

function showTool(tool) {
  const form = argumentsForm(tool.inputSchema);
  const output = make('div', { class: 'output' });
  const problem = make('p', { class: 'bad', role: 'alert' });
  const hints = Object.entries(tool.annotations ?? {}).filter(([, value]) => typeof value !== 'object').map(([key, value]) => `${key}: ${value}`);
  const submit = async (event) => {
    event.preventDefault();
    problem.textContent = '';
    try {
      const { call } = await post('call', { tool: tool.name, arguments: form.value() });
      const run = runOf(call);
      output.prepend(run.element);
    } catch (error) {
      problem.textContent = visible(error.message);
    }
  };
  show(make('h2', {}, visible(tool.title ?? tool.name)), tags([tool.title === undefined ? '' : tool.name, ...hints]), make('p', {}, visible(tool.description ?? '')),
    make('form', { onsubmit: submit, novalidate: true }, ...form.elements.filter(Boolean), problem, make('div', { class: 'row' }, make('button', { class: 'main' }, 'Call'))),
    output, ...findings(tool),
    make('details', {}, make('summary', {}, 'as the server lists it'), make('pre', {}, pretty(tool))));
}

/** A call on the page, from its first event or from its answer, whichever comes first. */
function runOf(number) {
  if (runs.has(number)) return runs.get(number);
  const bar = make('progress', {});
  const words = make('span', {}, 'running…');
  const stop = make('button', { type: 'button', onclick: () => post('cancel', { call: number }).catch(() => {}) }, 'Cancel');
  const row = make('div', { class: 'row' }, bar, words, stop);
  const result = make('div', {});
  const run = { element: make('section', { 'data-call': number }, make('h3', {}, `call ${number}`), row, result), bar, words, row, result };
  runs.set(number, run);
  return run;
}

/** What hosts may not take. */
function findings(tool) {
  const found = [];
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(tool.name)) found.push('the name has more than 64 characters, or others than letters, digits, "_", "-" and "."');
  if (tool.name.length > 50) found.push('with the prefixes of hosts the name may be longer than the 64 characters they take');
  if (!tool.description) found.push('there is no description: models choose by it');
  if (tool.inputSchema?.type !== 'object') found.push('inputSchema: "type" must be "object"');
  for (const [key, schema] of Object.entries(tool.inputSchema?.properties ?? {})) {
    if (schema?.description === undefined) found.push(`the argument "${key}" has no description`);
  }
  if (visible(JSON.stringify(tool)) !== JSON.stringify(tool)) found.push('there are characters in it that nobody sees');
  return found.length === 0 ? [] : [make('h3', {}, 'Findings'), make('ul', {}, ...found.map((text) => make('li', {}, visible(text))))];
}

function showResource(resource) {
  const template = resource.uriTemplate;
  const input = make('input', { type: 'text', 'aria-label': 'URI' });
  input.value = template ?? resource.uri;
  const output = make('div', { class: 'output' });
  const submit = async (event) => {
    event.preventDefault();
    try {
      const result = await post('read', { uri: input.value });
      output.replaceChildren(...(result.contents ?? []).map((one) => make('div', {}, make('h3', {}, visible(`${one.uri} ${one.mimeType ?? ''}`)), contents(one))));
    } catch (error) {
      output.replaceChildren(make('p', { class: 'bad' }, visible(error.message)));
    }
  };
  show(make('h2', {}, visible(resource.title ?? resource.name)), tags([resource.mimeType]), make('p', {}, visible(resource.description ?? '')),
    make('form', { onsubmit: submit }, make('div', { class: 'field' }, input), template ? make('p', { class: 'hint' }, 'Put values in the places of {…}.') : undefined, make('button', { class: 'main' }, 'Read')),
    output, make('details', {}, make('summary', {}, 'as the server lists it'), make('pre', {}, pretty(resource))));
}

function showPrompt(prompt) {
  const fields = (prompt.arguments ?? []).map((one) => {
    const suggestions = make('datalist', {});
    suggestions.id = `suggestions-${Math.random().toString(36).slice(2)}`;
    const input = make('input', { type: 'text', list: suggestions.id });
    input.addEventListener('input', async () => {
      if (!description.capabilities?.completions) return;
      const context = Object.fromEntries(fields.filter((field) => field.name !== one.name && field.input.value !== '').map((field) => [field.name, field.input.value]));
      try {
        const { completion } = await post('complete', { ref: { type: 'ref/prompt', name: prompt.name }, argument: one.name, value: input.value, context });
        suggestions.replaceChildren(...(completion?.values ?? []).map((value) => make('option', { value })));
      } catch { /* no suggestions */ }
    });
    return { name: one.name, input, element: make('div', {}, labelled(one.name, { type: 'string', ...one }, one.required, input), suggestions) };
  });
  const output = make('div', { class: 'output' });
  const submit = async (event) => {
    event.preventDefault();
    try {
      const result = await post('prompt', { name: prompt.name, arguments: Object.fromEntries(fields.filter((field) => field.input.value !== '').map((field) => [field.name, field.input.value])) });
      output.replaceChildren(...(result.messages ?? []).flatMap((message) => [make('h3', {}, visible(message.role)), block(message.content)]));
    } catch (error) {
      output.replaceChildren(make('p', { class: 'bad' }, visible(error.message)));
    }
  };
  show(make('h2', {}, visible(prompt.title ?? prompt.name)), make('p', {}, visible(prompt.description ?? '')),
    make('form', { onsubmit: submit }, ...fields.map((field) => field.element), make('button', { class: 'main' }, 'Get')), output);
}

const asked = new Map(); // what each request without an answer asks for, by who answers and its id

/** What a message is, in a few words: its method and what that is about, or what it answers. */
function gist(message, to) {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return '';
  if (typeof message.method === 'string') {
    const subject = message.params?.name ?? message.params?.uri;
    const words = typeof subject === 'string' ? `${message.method} ${subject}` : message.method;
    if (message.id !== undefined) asked.set(`${to} ${message.id}`, words);
    return words;
  }
  const request = `${to === 'server' ? 'client' : 'server'} ${message.id}`;
  const words = asked.get(request) ?? 'an earlier request';
  asked.delete(request);
  return message.error ? `error ${message.error.code} to ${words}` : `answer to ${words}`;
}

function line(event) {
  if (event.type === 'gone') return make('p', { class: 'hint' }, 'Earlier messages are not kept any more.');
  if (event.type === 'malformed') return make('details', {}, make('summary', { class: 'bad' }, visible(`no message: ${event.reason}`)), make('pre', {}, visible(event.line)));
  const arrow = event.to === 'server' ? '→' : '←';
  const seconds = (event.ms / 1000).toFixed(3);
  let message = event.line;
  let words = '';
  try {
    const parsed = parse(event.line);
    message = JSON.stringify(parsed, null, 2);
    words = gist(parsed, event.to === 'server' ? 'server' : 'client');
  } catch { /* cut off, or no JSON */ }
  const more = event.size > event.line.length ? ` … (${event.size} bytes)` : '';
  const summary = make('summary', {}, `${seconds} ${arrow} `, make('b', {}, visible(words)), ' ',
    make('span', { class: 'hint' }, visible(event.line.slice(0, 160))));
  return make('details', {}, summary, make('pre', {}, visible(message) + more));
}

function showMessages() {
  const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
  const select = make('select', { 'aria-label': 'Log level' }, make('option', { value: '' }, 'log level'), ...levels.map((level) => make('option', { value: level }, level)));
  select.addEventListener('change', () => select.value && post('log_level', { level: select.value }).catch((error) => alert(error.message)));
  show(make('div', { class: 'row' }, make('h2', {}, 'Messages'), description.capabilities?.logging ? select : undefined),
    make('div', { id: 'messages' }, ...messages.map(line)));
}

function showServer() {
  show(make('h2', {}, visible(description.name ?? '')), make('p', {}, visible(description.instructions ?? '')),
    make('h3', {}, 'started with'), make('pre', {}, visible((description.command ?? []).join(' '))), make('h3', {}, 'capabilities'), make('pre', {}, pretty(description.capabilities)));
}

function go(to) {
  view = to;
  chosen = undefined;
  for (const button of document.querySelectorAll('nav button')) button.setAttribute('aria-current', String(button.dataset.view === to));
  document.querySelector('main').classList.toggle('wide', !(to in lists));
  show(to in lists ? make('p', {}, lists[to].length === 0 ? 'The server lists none.' : 'Choose one.') : undefined);
  drawList();
  if (to === 'messages') showMessages();
  if (to === 'server') showServer();
}

// -- Questions of the server -------------------------------------------------------------------------------------------

function ask(event) {
  const { method, params, question } = event;
  const reply = (result) => post('answer', { question, ...(result === undefined ? {} : { result }) }).catch(() => {});
  const button = (text, result) => make('button', { type: 'button', onclick: () => reply(result()) }, text);
  const decline = button('Decline', () => ({ action: 'decline' }));
  const isElicitation = method === 'elicitation/create';
  const schema = params?.requestedSchema;
  const parts = [make('h2', {}, 'The server asks'), make('p', {}, visible(params?.message ?? method))];
  const problem = make('p', { class: 'bad', role: 'alert' });
  let value = () => undefined;
  if (isElicitation && params?.mode === 'url') {
    parts.push(make('p', {}, 'It wants you to open this address, which it has chosen:'), make('pre', {}, visible(params.url)));
    value = () => ({ action: 'accept' });
  } else if (isElicitation) {
    const fields = formOf({ properties: {}, ...schema }) ?? raw('content', {}, true);
    parts.push(fields.element);
    value = () => ({ action: 'accept', content: fields.value() ?? {} });
  } else if (method === 'sampling/createMessage') {
    const answer = make('textarea', { rows: 4, 'aria-label': 'Answer of the model' });
    parts.push(make('p', {}, 'It wants a model to answer. Be the model:'), make('pre', {}, pretty(params?.messages)), answer);
    value = () => ({ role: 'assistant', content: { type: 'text', text: answer.value }, model: 'a person', stopReason: 'endTurn' });
  } else {
    parts.push(make('pre', {}, pretty(params)));
    value = () => ({});
  }
  const submit = (submitted) => {
    submitted.preventDefault();
    try {
      reply(value());
    } catch (error) {
      problem.textContent = visible(error.message);
    }
  };
  byId('questions').append(make('form', { 'data-question': question, novalidate: true, onsubmit: submit }, ...parts, problem,
    make('div', { class: 'row' }, make('button', { class: 'main' }, 'Answer'), isElicitation ? decline : button('Refuse', () => undefined))));
}

// -- Events ------------------------------------------------------------------------------------------------------------

const take = {
  malformed: (event) => take.message(event),
  message(event) {
    messages.push(event);
    if (messages.length > 5000) messages.shift();
    byId('messages')?.append(line(event));
  },
  call: (event) => void runOf(event.call),
  progress({ call, progress, total, message }) {
    const { bar, words } = runOf(call);
    if (total !== undefined) Object.assign(bar, { max: total, value: progress });
    words.textContent = visible(message || (total === undefined ? progress : `${progress} of ${total}`));
  },
  result(event) {
    const { row, result } = runOf(event.call);
    row.remove();
    result.replaceChildren(...(event.error === undefined ? shownResult(event.result) : [make('p', { class: 'bad' }, visible(event.error))]));
  },
  question: ask,
  answered: ({ question }) => document.querySelector(`[data-question="${Number(question)}"]`)?.remove(),
  withdrawn: (event) => take.answered(event),
  notification({ method }) {
    const changed = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method);
    if (changed) load(changed[1]);
  },
  lost({ reason }) {
    byId('questions').replaceChildren();
    byId('about').classList.add('bad');
    byId('about').textContent = visible(`The server is gone: ${reason}`);
  },
};

let waiting; // what ends the wait for events

/** Once the page is seen. All pages of a browser share a few connections, which those that nobody sees leave to the others. */
async function seen() {
  while (document.hidden) await new Promise((done) => document.addEventListener('visibilitychange', done, { once: true }));
}
document.addEventListener('visibilitychange', () => document.hidden && waiting?.abort());

/** The next events. A machine that has slept has lost the connection, and makes another. */
async function eventsAfter(after) {
  const about = byId('about');
  for (let before; ; await new Promise((done) => setTimeout(done, 500))) {
    await seen();
    waiting = new AbortController();
    try {
      const answer = await post('events', { after }, session, waiting.signal);
      if (before !== undefined) about.textContent = before;
      return answer;
    } catch (error) {
      if (error.name === 'AbortError') continue;
      if (!(error instanceof TypeError)) throw error; // it has answered, and refuses
      before ??= about.textContent;
      about.textContent = 'The inspector does not answer. It is asked again and again.';
    }
  }
}

async function listen() {
  for (let after = 0; ;) {
    const { events, last, lost } = await eventsAfter(after);
    if (lost) take.message({ type: 'gone' });
    for (const event of events) {
      try {
        take[event.type]?.(event);
      } catch (error) { // the next ones are shown all the same
        take.malformed({ type: 'malformed', reason: `the page cannot show it: ${error.message}`, line: JSON.stringify(event) });
      }
    }
    after = last;
  }
}

async function main() {
  try {
    await begin();
    description = await post('describe', {});
    document.title = visible(`${description.name} – toolwire inspect`);
    byId('server').textContent = visible(`${description.name} ${description.version}`);
    byId('about').textContent = visible(`revision ${description.revision} · ${description.command.join(' ')}`);
    for (const button of document.querySelectorAll('nav button')) button.addEventListener('click', () => go(button.dataset.view));
    byId('filter').addEventListener('input', drawList);
    go('tools');
    await Promise.all(Object.keys(lists).map(load));
    if (chosen === undefined) go(view); // the lists are there now
    await listen();
  } catch (error) {
    byId('about').classList.add('bad');
    byId('about').textContent = visible(error.message);
  }
}

main();
