// A model of a service on this machine that follows a script: what it calls comes from a function, and what the agent
// says a tool has answered goes back to it. It knows no agent; how requests and answers are written is a dialect's.

import { createServer } from 'node:http';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

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

export class ScriptedModel {
  static async start(dialect) {
    const model = new ScriptedModel(dialect);
    await new Promise((listening) => model.server.listen(0, '127.0.0.1', listening));
    model.url = `http://127.0.0.1:${model.server.address().port}`;
    return model;
  }

  constructor(dialect) {
    this.dialect = dialect;
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
    const tools = body ? this.dialect.tools(body) : undefined;
    if (!tools?.length) return response.writeHead(404).end();  // what agents ask besides: lists of models, titles
    const answer = this.#seen(body);
    this.counts.tools = countTokens(JSON.stringify(tools));
    const call = await this.current.next(answer);
    if (call) this.#called(call);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(this.dialect.write(call, tools));
    this.begun = call && performance.now();
  }

  // What the agent passes on of the last call's answer.
  #seen(body) {
    if (this.begun === undefined) return undefined;
    this.counts.milliseconds += performance.now() - this.begun;
    const shown = this.dialect.lastAnswer(body);
    this.counts.tokens += countTokens(shown);
    return this.dialect.textOf(shown);
  }

  #called({ args }) {
    ++this.counts.calls;
    this.counts.tokens += countTokens(JSON.stringify(args));
  }
}
