import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { taskOf } from './child.mjs';

const NEWLINE = 0x0a;
/** A response says its id within so many bytes of its begin, or of its end. */
const EDGE_BYTES = 64;

/** Servers by their names. */
const servers = new Map();

const QUESTIONS = {
  async serve({ name, file, core }) {
    const server = new Server(file, core);
    servers.set(name, server);
    await server.ready;
  },

  answer: ({ name, body }) => servers.get(name).answer(body),

  run: ({ name, ...options }) => servers.get(name).run(options),
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
process.on('exit', () => {
  for (const server of servers.values()) server.kill();
});
process.send({ ready: true });

/** A server on a pipe. Nothing here may cost more than it does, so answers are counted and not parsed. */
class Server {
  #child;
  #asked = new Map();
  #take = () => undefined;

  constructor(file, core) {
    const [command, args] = taskOf(file, core);
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
    this.#child.stdout.on('data', (chunk) => this.#take(chunk));
    this.ready = new Promise((resolve, reject) => {
      this.#child.once('exit', (code) => reject(new Error(`${file} ended with code ${code}`)));
      this.#child.on('message', ({ id, answer }) => {
        if (id === undefined) resolve();
        else this.#asked.get(id)(answer);
      });
    });
  }

  answer(body) {
    return new Promise((resolve) => {
      const chunks = [];
      this.#take = (chunk) => {
        chunks.push(chunk);
        if (chunk.at(-1) === NEWLINE) resolve(Buffer.concat(chunks).toString());
      };
      this.#child.stdin.write(`${body}\n`);
    });
  }

  /** Asks again with an id as soon as it was answered, for some `seconds` or an `amount` of answers. */
  async run({ body, outstanding, seconds = Infinity, amount = Infinity }) {
    const before = await this.#usage();
    const load = performance.eventLoopUtilization();
    const started = performance.now();
    const { latencies, elapsedMs } = await new Promise((resolve) => {
      const run = new Run({ body, outstanding, endsAt: started + seconds * 1_000, amount }, (lines) => {
        this.#child.stdin.write(lines);
      });
      this.#take = (chunk) => {
        if (run.take(chunk)) resolve({ latencies: run.latencies, elapsedMs: performance.now() - started });
      };
      run.begin();
    });
    const clientBusy = performance.eventLoopUtilization(load).utilization;
    const after = await this.#usage();
    const count = latencies.length;
    return {
      count,
      perSecond: (count / elapsedMs) * 1_000,
      p50: latencies.sort((a, b) => a - b)[Math.floor(count / 2)],
      clientBusy,
      serverBusy: (after.activeMs - before.activeMs) / elapsedMs,
      cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / count,
    };
  }

  kill() {
    this.#child.kill('SIGKILL');
  }

  #usage() {
    const id = this.#asked.size + 1;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#child.send({ question: 'usage', id });
    });
  }
}

/** One slice. Each of the ids is outstanding once, and over when its last answer came. */
class Run {
  latencies = [];
  #lines = new Map();
  #since = new Map();
  #head = '';
  #tail = '';
  #open = 0;

  constructor({ body, outstanding, endsAt, amount }, send) {
    for (let id = 1; id <= outstanding; id += 1) this.#lines.set(id, `${body.replace(/"id":\d+/, `"id":${id}`)}\n`);
    this.endsAt = endsAt;
    this.amount = amount;
    this.send = send;
  }

  begin() {
    this.#open = this.#lines.size;
    const now = performance.now();
    for (const id of this.#lines.keys()) this.#since.set(id, now);
    this.send([...this.#lines.values()].join(''));
  }

  /** Whether that was the last of it. */
  take(chunk) {
    const now = performance.now();
    let next = '';
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#look(chunk, start, end);
      const id = this.#answered(now);
      if (now < this.endsAt && this.latencies.length + this.#open <= this.amount) {
        next += this.#lines.get(id);
        this.#since.set(id, now);
      } else {
        this.#open -= 1;
      }
      start = end + 1;
    }
    this.#look(chunk, start, chunk.length);
    if (next !== '') this.send(next);
    return this.#open === 0;
  }

  #look(chunk, start, end) {
    const missing = EDGE_BYTES - this.#head.length;
    if (missing > 0) this.#head += chunk.latin1Slice(start, Math.min(end, start + missing));
    this.#tail = (this.#tail + chunk.latin1Slice(Math.max(start, end - EDGE_BYTES), end)).slice(-EDGE_BYTES);
  }

  #answered(now) {
    const id = Number((/"id":(\d+)/.exec(this.#head) ?? /"id":(\d+)/.exec(this.#tail))?.[1]);
    if (!this.#lines.has(id)) throw new Error(`Not an answer: ${this.#head}`);
    this.#head = '';
    this.#tail = '';
    this.latencies.push(now - this.#since.get(id));
    return id;
  }
}
