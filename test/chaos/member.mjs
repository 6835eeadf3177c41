import { Agent } from 'node:http';
import { Answer } from './answer.mjs';
import { LIMITS } from './limits.mjs';
import { toolCall } from './requests.mjs';

/** One client among many: who it is, what it may choose from, and what it has seen. */
export class Member {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #nextId;

  constructor(name, origin, random, tally) {
    this.name = name;
    this.origin = origin;
    this.random = random;
    this.tally = tally;
    this.#nextId = random.between(0, 3);
    /** Calls of one device can be cancelled by notification. */
    this.headers = { 'x-caller': name, 'x-device': `device of ${name}` };
  }

  id() {
    this.#nextId += 1;
    return this.random.chance(0.5) ? this.#nextId : `id ${this.#nextId}`;
  }

  rest(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  /** Sends a request on the connection of the last one. */
  send(posted, options) {
    return Answer.open(this.origin, posted, { agent: this.#agent, ...options });
  }

  /** Sends a request on a connection of its own, as clients do that stop listening. */
  sendAlone(posted) {
    return Answer.open(this.origin, posted);
  }

  call(name, args, options) {
    return toolCall(name, args, { headers: this.headers, ...options });
  }

  /** Whether the server had no place, or none in time; says so with status, code and id as agreed, or it is wrong. */
  isRefused(answer, id) {
    const { status, message } = answer;
    if (status !== 503 && !isLate(answer)) return false;
    expect(message?.error?.code === -32603 && message.id === id, `a ${status} with ${brief(message)}`);
    this.tally.count(status === 503 ? 'refused' : 'too late');
    return true;
  }

  leave() {
    this.#agent.destroy();
  }
}

/** Waiting for a place counts, so any call may meet its deadline; but not before. */
export function isLate({ status, message, tookMs }) {
  const failed = status === 504 || (status === 200 && message?.error?.code === -32603);
  return failed && tookMs > LIMITS.requestTimeoutMs * 0.9;
}

/** Fails with a reason that is the same for the same fault, so that faults can be counted. */
export function expect(holds, reason) {
  if (!holds) throw new Error(reason);
}

/** What identifies a message to a reader; digits and long texts differ from case to case. */
export function brief(message) {
  const text = JSON.stringify(message) ?? 'nothing';
  return text.replaceAll(/\d+/g, 'n').slice(0, 160);
}

export const textOf = (message) => message?.result?.content?.[0]?.text;

/** Whether an answer is this text, for this id, and whole. */
export function expectText({ status, complete, message }, id, text) {
  expect(complete, 'an answer was cut off');
  expect(status === 200, `status ${status} with ${brief(message)}`);
  expect(message?.id === id, `an answer to somebody else: ${brief(message)}`);
  expect(textOf(message) === text, `not the text that was asked for: ${brief(message)}`);
}
