import type { ComponentKind } from '../../model/component.js';

/**
 * The component that a policy is asked about.
 *
 * @publicApi
 */
export interface PolicyComponent {
  readonly kind: ComponentKind;
  readonly name: string;
  /** The URI of a resource, or the source of a template. */
  readonly uri?: string;
  /** The requested URI in its normalised spelling, where a template is read or a resource is subscribed to. */
  readonly requestedUri?: string;
}

/**
 * Asks whether a caller may see a component in a list (`discovery`), or use it (`invocation`).
 *
 * @publicApi
 */
export interface PolicyQuestion {
  readonly phase: 'discovery' | 'invocation';
  readonly component: PolicyComponent;
  /** What a trusted guard or middleware has stored about the caller. */
  readonly auth: unknown;
  /** The HTTP request that the endpoint's guards saw; `undefined` without HTTP. */
  readonly request: unknown;
}

/**
 * `true`, `false`, or a refusal with a message and data for the client. Any other value counts as a failure.
 *
 * @publicApi
 */
export type PolicyDecision = boolean | { readonly refused: string; readonly data?: unknown };

/**
 * Decides which caller may see and use which component, in lists, calls, reads, prompts, completions and subscriptions.
 * Pass a subclass as `auth.policy`, or provide one under this class. An error fails the request; it never empties a list.
 *
 * @publicApi
 */
export abstract class McpPolicy {
  abstract decide(question: PolicyQuestion): PolicyDecision | Promise<PolicyDecision>;

  /** Answers all questions of one list, in order; override it if one look-up can answer many of them. */
  decideAll(questions: readonly PolicyQuestion[]): readonly PolicyDecision[] | Promise<readonly PolicyDecision[]> {
    return Promise.all(questions.map(async (question) => this.decide(question)));
  }
}
