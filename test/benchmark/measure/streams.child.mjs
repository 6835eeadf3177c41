import { once } from 'node:events';
import { connect } from 'node:net';
import { monotonicMs } from './clock.mjs';

const AT_ONCE = 50;
const PATIENCE_MS = 20_000;
const ACKNOWLEDGED = '"notifications/subscriptions/acknowledged"';
const CHANGED = '"notifications/tools/list_changed"';

/** Streams by the URL of their server. Bare sockets: nothing here may cost more than a server does. */
const holders = new Map();

const QUESTIONS = {
  async open({ url, count, ...request }) {
    const holder = { streams: new Set(), arrival: undefined };
    holders.set(url, holder);
    for (let opened = 0; opened < count; opened += AT_ONCE) {
      const next = Array.from({ length: Math.min(AT_ONCE, count - opened) }, () => new Stream(url, request));
      for (const stream of next) holder.streams.add(stream);
      await allOf(next, ACKNOWLEDGED);
    }
  },

  /** Answers before the last frame can have come, so that it is asked before anything is published. */
  expect({ url }) {
    const holder = holders.get(url);
    holder.arrival = allOf([...holder.streams], CHANGED).then(
      (at) => ({ at }),
      (error) => ({ error }),
    );
  },

  async arrived({ url }) {
    const { at, error } = await holders.get(url).arrival;
    if (error !== undefined) throw error;
    return at;
  },

  async close({ url }) {
    await Promise.all([...holders.get(url).streams].map((stream) => stream.close()));
    holders.delete(url);
  },
};

process.on('message', ({ question, id, options }) => {
  Promise.resolve()
    .then(() => QUESTIONS[question](options))
    .then(
      (answer) => process.send({ id, answer }),
      (error) => process.send({ id, failure: error.message }),
    );
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });

class Stream {
  #socket;
  #text = '';
  #awaited;

  constructor(url, { headers, body }) {
    const { hostname, port, pathname } = new URL(url);
    const fields = { host: `${hostname}:${port}`, 'content-length': Buffer.byteLength(body), ...headers };
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setEncoding('utf8');
    this.#socket.write(`POST ${pathname} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
    this.#socket.on('data', (text) => this.#take(text));
    this.#socket.on('error', ({ message }) => this.#fail(message));
    this.#socket.on('close', () => this.#fail('closed'));
  }

  /** Calls back once, when the next `words` have come. */
  await(words, arrived, failed) {
    this.#awaited = { words, arrived, failed };
    this.#take('');
  }

  async close() {
    if (this.#socket.closed) return;
    this.#awaited = undefined;
    const closed = once(this.#socket, 'close');
    this.#socket.destroy();
    await closed;
  }

  #take(text) {
    this.#text += text;
    if (this.#awaited === undefined) return;
    const { words, arrived } = this.#awaited;
    const place = this.#text.indexOf(words);
    if (place === -1) return;
    this.#text = this.#text.slice(place + words.length);
    this.#awaited = undefined;
    arrived();
  }

  #fail(why) {
    const { words, failed } = this.#awaited ?? {};
    this.#awaited = undefined;
    failed?.(new Error(`a stream without ${words} is ${why}: ${this.#text.slice(0, 300)}`));
  }
}

/** When the last of them had the words. */
function allOf(streams, words) {
  return new Promise((resolve, reject) => {
    let missing = streams.length;
    const timer = setTimeout(() => {
      reject(new Error(`${missing} of ${streams.length} streams never saw ${words}`));
    }, PATIENCE_MS);
    const settle = (finish, value) => {
      clearTimeout(timer);
      finish(value);
    };
    const arrived = () => {
      missing -= 1;
      if (missing === 0) settle(resolve, monotonicMs());
    };
    for (const stream of streams) stream.await(words, arrived, (error) => settle(reject, error));
  });
}
