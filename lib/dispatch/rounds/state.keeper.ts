import type { OperationRequest } from '../../model/operation.js';
import { canonicalParams } from '../../request-state/canonical-params.js';
import type { StateBinding } from '../../request-state/state-token.js';
import type { StateSealer } from '../../request-state/state-sealer.js';
import type { PrincipalReader } from '../caller-identity.js';
import { isFields } from '../../model/fields.js';

/** Options for sealing the states of one server. */
export interface StateKeeperOptions {
  readonly sealer: StateSealer;
  /** Name of the server as clients see it. */
  readonly name: string;
  /** Name of the server within the app. */
  readonly server: string;
  readonly principalOf: PrincipalReader;
  /** Called when the first state is sealed. */
  readonly onFirstUse?: () => void;
}

/** Seals a call's memory into a token for its client, and opens the token only for the same call of the same caller. */
export class StateKeeper {
  private isUsed = false;

  constructor(private readonly options: StateKeeperOptions) {}

  /** @throws McpError when the memory is too large, or the caller cannot be identified. */
  seal(memory: RoundMemory, request: OperationRequest): string {
    const token = this.options.sealer.seal(writeMemory(memory), this.bindingOf(request));
    if (!this.isUsed) this.options.onFirstUse?.();
    this.isUsed = true;
    return token;
  }

  /** Resolves to `undefined` for any invalid token; rejects when the store of used states fails. */
  async open(token: string, request: OperationRequest): Promise<RoundMemory | undefined> {
    // The binding is computed lazily: large parameters take long to read, and anyone can send an invented token.
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

/** The data that a call keeps from one round to the next. */
export interface RoundMemory {
  /** Answers of the client so far, as received. */
  readonly answers: ReadonlyMap<string, unknown>;
  /** Values of `once()` as JSON; `undefined` for values that JSON cannot encode. */
  readonly values: ReadonlyMap<string, string | undefined>;
  /** Keys of the questions of the last round; answers to other keys are ignored. */
  readonly asked: readonly string[];
  /** State that the author passed to `inputRequired()`. */
  readonly state: unknown;
}

interface Written {
  readonly a?: readonly (readonly [string, unknown])[];
  readonly o?: readonly (readonly [string, string?])[];
  readonly q?: readonly string[];
  readonly s?: unknown;
}

/** Encodes the memory in a short form, since it is sent with every round. */
export function writeMemory({ answers, values, asked, state }: RoundMemory): string {
  const written: Written = {
    ...(answers.size === 0 ? {} : { a: [...answers] }),
    ...(values.size === 0 ? {} : { o: [...values].map(([key, json]) => (json === undefined ? [key] : [key, json])) }),
    ...(asked.length === 0 ? {} : { q: asked }),
    ...(state === undefined ? {} : { s: state }),
  };
  return JSON.stringify(written);
}

/** Returns `undefined` for text in another format, which another release of this library may have written. */
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
    // Not written by this release.
  }
  return FOREIGN;
}

/** Matches no valid memory. */
const FOREIGN = Object.freeze({ q: 'foreign' });

const isEntries = (value: unknown): value is [string, unknown][] =>
  Array.isArray(value) && value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string');

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
