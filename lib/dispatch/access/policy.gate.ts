import type { OnModuleInit } from '@nestjs/common';

import { InvalidOptionsError } from '../../errors/invalid-options.error.js';
import { McpError } from '../../errors/mcp.error.js';
import type { McpPolicy, PolicyDecision, PolicyQuestion } from './mcp-policy.js';

/** Where the policy of an app comes from. */
export interface PolicySource {
  /** Looks for it once, at the start; tells whether there is one. */
  resolve(): Promise<boolean>;
  of(request: unknown): McpPolicy | Promise<McpPolicy>;
}

export interface PolicyGateOptions {
  /** In milliseconds. */
  readonly policyTimeoutMs: number;
  /** Results that shared caches may keep, by the user's word. */
  readonly publicResults: readonly string[];
}

/** What a policy refused, in its own words where it has any. */
export interface PolicyRefusal {
  readonly message: string;
  readonly data?: unknown;
}

/** `undefined` for what is allowed. */
export type PolicyVerdict = PolicyRefusal | undefined;

/** Asks the policy within its time, and takes nothing but plain answers. */
export class PolicyGate implements OnModuleInit {
  private present = false;

  constructor(
    private readonly source: PolicySource,
    private readonly options: PolicyGateOptions,
  ) {}

  /** Whether the app has a policy at all. */
  get isPresent(): boolean {
    return this.present;
  }

  /** @throws InvalidOptionsError when the policy cannot be used, or caches would undo it. */
  async onModuleInit(): Promise<void> {
    this.present = await this.source.resolve();
    const [exposed] = this.options.publicResults;
    if (!this.present || exposed === undefined) return;
    throw new InvalidOptionsError(
      `cache.${exposed}.scope`,
      'it is "public", but a policy decides who sees what, and shared caches would show it to anyone. Leave it out.',
    );
  }

  /** One verdict for each question; rejects when the policy fails, takes too long or answers anything else. */
  async ask(questions: readonly PolicyQuestion[], request: unknown): Promise<readonly PolicyVerdict[]> {
    if (questions.length === 0) return [];
    const decisions = await this.inTime(this.decide(questions, request));
    if (!Array.isArray(decisions) || decisions.length !== questions.length) {
      throw new McpError('MCP_POLICY_ANSWER', 'decideAll() of the policy must answer each question, in order.');
    }
    // Unlike map(), it does not pass over the gaps of an array, which would count as allowed.
    return Array.from(decisions, (decision) => verdictOf(decision));
  }

  private async decide(questions: readonly PolicyQuestion[], request: unknown): Promise<readonly PolicyDecision[]> {
    const policy = await this.source.of(request);
    const [question, ...others] = questions;
    return question !== undefined && others.length === 0
      ? [await policy.decide(question)]
      : policy.decideAll(questions);
  }

  private inTime<T>(pending: Promise<T>): Promise<T> {
    const { policyTimeoutMs } = this.options;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new McpError('MCP_POLICY_TIMEOUT', `The policy took longer than ${policyTimeoutMs} ms.`));
      }, policyTimeoutMs).unref();
      pending.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

function verdictOf(decision: unknown): PolicyVerdict {
  if (decision === true) return undefined;
  if (decision === false) return { message: 'Refused by the policy of this server' };
  const { refused, data } = (decision ?? {}) as { readonly refused?: unknown; readonly data?: unknown };
  if (typeof refused !== 'string') {
    throw new McpError('MCP_POLICY_ANSWER', 'The policy must answer true, false or { refused: "..." }.');
  }
  return { message: refused, ...(data === undefined ? {} : { data }) };
}
