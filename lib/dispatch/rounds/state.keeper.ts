import type { OperationRequest } from '../../model/operation.js';
import { canonicalParams } from '../../request-state/canonical-params.js';
import type { StateBinding } from '../../request-state/state-token.js';
import type { StateSealer } from '../../request-state/state-sealer.js';
import type { PrincipalReader } from '../caller-identity.js';
import { isFields } from '../../model/fields.js';

/** What the states of one server are sealed with. */
export interface StateKeeperOptions {
  readonly sealer: StateSealer;
  /** Name that clients see. */
  readonly name: string;
  /** Name among the servers of the app. */
  readonly server: string;
  readonly principalOf: PrincipalReader;
  /** Told of the first state that is sealed. */
  readonly onFirstUse?: () => void;
}

/** Gives a call's memory to its client, and takes it back only for the same call of the same caller. */
export class StateKeeper {
  private isUsed = false;

  constructor(private readonly options: StateKeeperOptions) {}

  /** @throws McpError when it is too large, or nobody can tell whose it is. */
  seal(memory: RoundMemory, request: OperationRequest): string {
    const token = this.options.sealer.seal(writeMemory(memory), this.bindingOf(request));
    if (!this.isUsed) this.options.onFirstUse?.();
    this.isUsed = true;
    return token;
  }

  /** `undefined` for whatever is wrong with it; rejects when a store of used states fails. */
  async open(token: string, request: OperationRequest): Promise<RoundMemory | undefined> {
    // The parameters of a large message take long to compare, and anybody can invent a token.
    const opened = await this.options.sealer.redeem(token, () => this.bindingOf(request));
    return opened && readMemory(opened.payload);
  }

  private bindingOf({ operation, body = '', caller }: OperationRequest): StateBinding {
    const { name, server, principalOf } = this.options;
    const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
    return {
      name,
      server,
      method: operation.kind,
      params: canonicalParams(text),
      principal: principalOf(caller.auth()),
    };
  }
}

/** What a call remembers from one round to the next. */
export interface RoundMemory {
  /** What the client answered so far, as it came. */
  readonly answers: ReadonlyMap<string, unknown>;
  /** Values of `once()` as JSON; `undefined` for what is none. */
  readonly values: ReadonlyMap<string, string | undefined>;
  /** What was asked last; other answers were not asked for. */
  readonly asked: readonly string[];
  /** What the author keeps. */
  readonly state: unknown;
}

interface Written {
  readonly a?: readonly (readonly [string, unknown])[];
  readonly o?: readonly (readonly [string, string?])[];
  readonly q?: readonly string[];
  readonly s?: unknown;
}

/** Short, since it travels with every round. */
export function writeMemory({ answers, values, asked, state }: RoundMemory): string {
  const written: Written = {
    ...(answers.size === 0 ? {} : { a: [...answers] }),
    ...(values.size === 0 ? {} : { o: [...values].map(([key, json]) => (json === undefined ? [key] : [key, json])) }),
    ...(asked.length === 0 ? {} : { q: asked }),
    ...(state === undefined ? {} : { s: state }),
  };
  return JSON.stringify(written);
}

/** `undefined` for what `writeMemory` never wrote; another release of this library may have. */
export function readMemory(text: string): RoundMemory | undefined {
  const { a = [], o = [], q = [], s } = parse(text);
  if (!isEntries(a) || !isEntries(o) || !isTexts(q)) return undefined;
  const values = new Map<string, string | undefined>();
  for (const [key, json] of o) {
    if (json !== undefined && typeof json !== 'string') return undefined;
    values.set(key, json);
  }
  return { answers: new Map(a), values, asked: q, state: s };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return { ...value };
  } catch {
    // Nothing that was written here.
  }
  return FOREIGN;
}

/** Fits nothing below. */
const FOREIGN = Object.freeze({ q: 'foreign' });

const isEntries = (value: unknown): value is [string, unknown][] =>
  Array.isArray(value) && value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string');

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
