// A model of a service on this machine that follows a script: what it calls comes from a function, and what the agent
// says a tool has answered goes back to it. It knows no agent; how requests and answers are written is a dialect's.

import { createServer } from 'node:http';

// A script whose calls are asked for one by one.
class Play {
  #take = undefined;
  #step = new Promise((take) => { this.#take = take; });
  #give = undefined;

  constructor(script) {
    this.done = script((tool, args) => this.#call(tool, args)).then((said) => ({ said }), (error) => ({ error }));
    this.done.then(() => this.#take(undefined));
  }

  // The next call {tool, args}, or undefined when the script has ended; `answer` is that of the call before, if any.
  async next(answer) {
    if (answer !== undefined) {
      const give = this.#give;
      this.#step = new Promise((take) => { this.#take = take; });
      give(answer);
    }
    return this.#step;
  }

  #call(tool, args) {
    this.#take({ tool, args });
    return new Promise((give) => { this.#give = give; });
  }
}

// Of a tool's name an agent makes one of its own, with the server's in front.
const isOf = (server, { space = '', name }) => (space + name).includes(server);
const isTool = (wanted, { name }) => name === wanted || (name.endsWith(wanted) && /[_-]$/.test(name.slice(0, -wanted.length)));
const toolOf = (tools, wanted) => tools.filter((tool) => isTool(wanted, tool)).sort((one, other) => one.name.length - other.name.length)[0];

export class ScriptedModel {
  // `server`: how the agent knows the server whose tools are called. `countTokens`: of a text; `textOf`: what the script gets of
  // the text that the agent shows of an answer; `whole`: it gets all that is shown instead, as JSON; `alone`: milliseconds after which
  // it answers an agent that has no tool of the server, whose conversation is over then.
  static async start(dialect, server, { countTokens = () => 0, textOf = (shown) => shown, whole = false, alone } = {}) {
    const model = new ScriptedModel(dialect, server, countTokens, textOf, whole);
    model.alone = alone;
    await new Promise((listening) => model.server.listen(0, '127.0.0.1', listening));
    model.url = `http://127.0.0.1:${model.server.address().port}`;
    return model;
  }

  constructor(dialect, server, countTokens, textOf, whole) {
    Object.assign(this, { dialect, name: server, countTokens, textOf, whole });
    this.server = createServer((request, response) => this.#take(request, response));
  }

  // Plays this from the next request on. What it takes is counted in `counts` until it has ended.
  play(script) {
    this.current = new Play(script);
    this.counts = { calls: 0, tokens: 0, milliseconds: 0, tools: 0 };
    this.begun = undefined;
    return this.current.done;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }

  #take(request, response) {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => this.#answer(request, Buffer.concat(chunks).toString(), response).catch((error) => {
      console.error(error);
      response.destroy();
    }));
  }

  async #answer(request, text, response) {
    const body = request.method === 'POST' && this.dialect.isTurn(request.url) ? JSON.parse(text) : undefined;
    const tools = body ? this.dialect.tools(body).filter((tool) => isOf(this.name, tool)) : undefined;
    if (tools && this.alone && !tools.length) return this.#answerAlone(response);
    if (!tools?.length) return response.writeHead(404).end();  // what agents ask besides: lists of models, titles
    const answer = this.#seen(body);
    this.counts.tools = this.countTokens(JSON.stringify(tools));
    const call = await this.current.next(answer);
    if (call) this.#called(call);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const tool = call && toolOf(tools, call.tool);
    response.end(this.dialect.write(tool && call, tool));
    this.begun = call && performance.now();
  }

  async #answerAlone(response) {
    await new Promise((over) => { setTimeout(over, this.alone); });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(this.dialect.write());
  }

  // What the agent passes on of the last call's answer.
  #seen(body) {
    if (this.begun === undefined) return undefined;
    this.counts.milliseconds += performance.now() - this.begun;
    const shown = this.dialect.lastShown(body);
    const text = this.dialect.textOf(shown);
    this.counts.tokens += this.countTokens(text);
    return this.whole ? JSON.stringify(shown) : this.textOf(text);
  }

  #called({ args }) {
    ++this.counts.calls;
    this.counts.tokens += this.countTokens(JSON.stringify(args));
  }
}
