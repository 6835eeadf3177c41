import type { ComponentKind } from '../../model/component.js';

/**
 * The component that a policy is asked about.
 *
 * @publicApi
 */
export interface PolicyComponent {
  readonly kind: ComponentKind;
  readonly name: string;
  /** Of a resource its URI, of a template its source. */
  readonly uri?: string;
  /** The URI that the caller wants, in its one spelling, where a template is read or a resource watched. */
  readonly requestedUri?: string;
}

/**
 * Whether a caller may see a component in a list (`discovery`), or use it (`invocation`).
 *
 * @publicApi
 */
export interface PolicyQuestion {
  readonly phase: 'discovery' | 'invocation';
  readonly component: PolicyComponent;
  /** What a trusted guard or middleware left about the caller. */
  readonly auth: unknown;
  /** The HTTP request that the endpoint's guards saw; `undefined` off HTTP. */
  readonly request: unknown;
}

/**
 * `true`, `false`, or a refusal in words, with data for the client. Anything else counts as a failure.
 *
 * @publicApi
 */
export type PolicyDecision = boolean | { readonly refused: string; readonly data?: unknown };

/**
 * Decides who sees and uses which component: of lists, calls, reads, prompts, completions and subscriptions alike. Pass a
 * subclass as `auth.policy`, or provide one under this class. What it throws fails the request, and never empties a list.
 *
 * @publicApi
 */
export abstract class McpPolicy {
  abstract decide(question: PolicyQuestion): PolicyDecision | Promise<PolicyDecision>;

  /** Answers all questions of one list, in their order; override it where one look-up can answer many. */
  decideAll(questions: readonly PolicyQuestion[]): readonly PolicyDecision[] | Promise<readonly PolicyDecision[]> {
    return Promise.all(questions.map(async (question) => this.decide(question)));
  }
}
