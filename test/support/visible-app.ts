import {
  Injectable,
  Module,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type Provider,
} from '@nestjs/common';

import {
  McpModule,
  McpPolicy,
  type McpModuleOptions,
  type PolicyDecision,
  type PolicyQuestion,
} from '../../lib/index.js';
import type { RequestParts } from './mcp-request.js';
import type { ServedApp } from './served-app.js';

/** The HTTP request, as guards see it that a test puts behind the door. */
export interface WebRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  mcpAuth?: unknown;
}

/** What the test says in a header becomes what a trusted guard knows. */
@Injectable()
class Door implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<WebRequest>();
    const { 'x-auth': auth } = request.headers;
    if (auth !== undefined) request.mcpAuth = JSON.parse(auth) as unknown;
    return true;
  }
}

/** Has a request come from this caller; from nobody without one. */
export const as = (auth?: unknown): RequestParts =>
  auth === undefined ? {} : { headers: { 'x-auth': JSON.stringify(auth) } };

/** An app whose callers are who they say they are, a new module each time. */
export function visibleApp(providers: readonly Provider[], options: Partial<McpModuleOptions> = {}): DynamicModule {
  @Module({})
  class VisibleApp {}
  return {
    module: VisibleApp,
    imports: [McpModule.forRoot({ name: 'visible', version: '1.0.0', ...options, http: { guards: [Door] } })],
    providers: [...providers],
  };
}

const LISTS = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const;

/** The names that a caller finds in a list. */
export async function namesOf(app: ServedApp, list: keyof typeof LISTS, auth?: unknown): Promise<string[]> {
  const { message } = await app.send(LISTS[list], {}, as(auth));
  return (message.result[list] as unknown as { name: string }[]).map(({ name }) => name);
}

export type Decide = (question: PolicyQuestion) => PolicyDecision | Promise<PolicyDecision>;

export function policyOf(decide: Decide): McpPolicy {
  class TestPolicy extends McpPolicy {
    decide(question: PolicyQuestion): PolicyDecision | Promise<PolicyDecision> {
      return decide(question);
    }
  }
  return new TestPolicy();
}
