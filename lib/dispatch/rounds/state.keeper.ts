import type { OperationRequest } from '../../model/operation.js';
import { canonicalParams } from '../../request-state/canonical-params.js';
import type { StateBinding } from '../../request-state/state-binding.js';
import type { StateSealer } from '../../request-state/state-sealer.js';
import type { PrincipalReader } from './principal.js';
import { readMemory, writeMemory, type RoundMemory } from './round-memory.js';

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
