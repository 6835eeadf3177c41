import { request } from 'node:http';

/** One request and its answer, which may be looked at, paused or left while it comes. */
export class Answer {
  messages = [];
  comments = 0;
  text = '';
  #outgoing;
  #incoming;
  #started;
  #ended;
  #rest = '';
  #over = false;
  #wake = [];

  constructor(outgoing, incoming, started) {
    this.#started = started;
    this.#outgoing = outgoing;
    this.#incoming = incoming;
    incoming.setEncoding('utf8').on('data', (piece) => this.#take(piece));
    // A cut shows in `complete`.
    incoming.on('error', () => undefined);
    incoming.once('close', () => this.#end());
  }

  /** Resolves when the head of the answer is there. */
  static open(origin, { headers, body }, { agent = false, method = 'POST', path = '/mcp' } = {}) {
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(`${origin}${path}`, { method, headers, agent });
      outgoing.on('error', reject);
      outgoing.once('response', (incoming) => resolve(new Answer(outgoing, incoming, started)));
      outgoing.end(body);
    });
  }

  get status() {
    return this.#incoming.statusCode;
  }

  get streams() {
    return this.#incoming.headers['content-type']?.startsWith('text/event-stream') === true;
  }

  get over() {
    return this.#over;
  }

  /** Time since the request was sent, until the end of its answer. */
  get tookMs() {
    return (this.#ended ?? performance.now()) - this.#started;
  }

  /** Whether all of it came. */
  get complete() {
    return this.#incoming.complete;
  }

  get message() {
    return this.messages.at(-1);
  }

  /** Waits until this holds, or nothing more will come; tells which. */
  async until(holds) {
    while (!holds(this)) {
      if (this.#over) return false;
      await new Promise((resolve) => this.#wake.push(resolve));
    }
    return true;
  }

  async end() {
    await this.until(() => this.#over);
    return this;
  }

  pause() {
    this.#incoming.pause();
  }

  resume() {
    this.#incoming.resume();
  }

  destroy() {
    this.#outgoing.destroy();
  }

  /** Leaves with a reset in place of a farewell. */
  reset() {
    this.#incoming.socket.resetAndDestroy();
  }

  #take(piece) {
    if (this.streams) {
      const events = (this.#rest + piece).split('\n\n');
      this.#rest = events.pop();
      for (const event of events) this.#read(event);
    } else {
      this.text += piece;
    }
    this.#notify();
  }

  #read(event) {
    for (const line of event.split('\n')) {
      if (line.startsWith(':')) this.comments += 1;
      if (line.startsWith('data:')) this.messages.push(JSON.parse(line.slice('data:'.length)));
    }
  }

  #end() {
    this.#over = true;
    this.#ended = performance.now();
    const isJson = this.#incoming.headers['content-type']?.includes('json') === true;
    if (isJson && this.complete && this.text !== '') this.messages.push(JSON.parse(this.text));
    this.#notify();
  }

  #notify() {
    for (const resolve of this.#wake.splice(0)) resolve();
  }
}
