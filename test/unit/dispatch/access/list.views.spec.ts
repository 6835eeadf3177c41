import { describe, expect, it } from '@jest/globals';

import { RequireScopes } from '../../../../lib/decorators/access.decorator.js';
import { AccessRules, type PolicyGate, type PolicyVerdict } from '../../../../lib/dispatch/access/access.rules.js';
import type { ListGuards } from '../../../../lib/dispatch/access/list.guards.js';
import type { GuardVerdict } from '../../../../lib/dispatch/access/guard.round.js';
import { ListViews } from '../../../../lib/dispatch/access/list.views.js';
import { Deliberation } from '../../../../lib/dispatch/access/deliberation.js';
import type { PolicyQuestion } from '../../../../lib/dispatch/access/mcp-policy.js';
import type { OperationRequest } from '../../../../lib/model/operation.js';
import { ComponentRegistry } from '../../../../lib/registry/component.registry.js';
import type { ListPage, PageLookup } from '../../../../lib/registry/list-page.js';
import type {
  ComponentHost,
  RegisteredComponent,
  ToolComponent,
} from '../../../../lib/registry/registered-component.js';

const MAX_VIEWS = 64;
const REFUSED = { kind: 'forbidden', message: 'no' } as const;

class Office {
  open(): void {}

  @RequireScopes('read')
  closed(): void {}
}

const tool = (name: string, method = 'open'): ToolComponent => {
  const host = { prototype: Office.prototype, method, owner: name } as unknown as ComponentHost;
  return { kind: 'tool', definition: { name, inputSchema: {} }, host } as unknown as ToolComponent;
};

type List = Extract<OperationRequest['operation'], { kind: 'list' }>;

/** The rights of a caller: the names of the tools that guards show, and the scopes. */
interface Who {
  readonly shown?: string;
  readonly scope?: string;
}

const requestOf = (auth: Who | undefined, cursor?: string): OperationRequest<List> => ({
  operation: { kind: 'list', of: 'tool', ...(cursor === undefined ? {} : { cursor }) },
  id: 1,
  client: { protocolVersion: 'x', capabilities: {} },
  meta: {},
  caller: { auth: () => auth },
});

interface Plan {
  readonly tools: readonly ToolComponent[];
  readonly pageSize?: number;
  readonly ask?: (name: string, who: Who | undefined) => GuardVerdict | Promise<GuardVerdict>;
  readonly decide?: (question: PolicyQuestion) => PolicyVerdict;
}

/** The views of a list, with a record of the calls to guards and to the policy. */
class Gallery {
  readonly registry: ComponentRegistry;
  readonly views: ListViews;
  readonly asked: string[] = [];
  readonly questions: string[] = [];

  constructor({ tools, pageSize = 10, ask, decide }: Plan) {
    this.registry = new ComponentRegistry(pageSize);
    for (const component of tools) this.registry.add(component);
    const guards: Pick<ListGuards, 'ask' | 'hasListed'> = {
      hasListed: () => ask !== undefined,
      ask: (component: RegisteredComponent, { request }) => {
        const { owner } = component.host;
        this.asked.push(owner);
        return ask?.(owner, request.caller.auth() as Who | undefined);
      },
    };
    const policy: Pick<PolicyGate, 'ask' | 'isPresent'> = {
      isPresent: decide !== undefined,
      ask: async (questions) => {
        this.questions.push(...questions.map(({ component }) => component.name));
        return Promise.resolve(questions.map((question) => decide?.(question)));
      },
    };
    this.views = new ListViews(this.registry, new AccessRules(), guards as ListGuards, policy as PolicyGate);
  }

  look(who?: Who, cursor?: string): PageLookup | Promise<PageLookup> {
    const deliberation = new Deliberation({ started: () => undefined, opened: () => undefined, send: () => undefined });
    return this.views.page(requestOf(who, cursor), deliberation);
  }
}

/** Returns a page that is available without a promise. */
function now(page: PageLookup | Promise<PageLookup>): ListPage {
  if (page instanceof Promise || typeof page === 'string') throw new Error('There is no page now.');
  return page;
}

const namesOn = (page: PageLookup): string | readonly string[] =>
  typeof page === 'string' ? page : page.items.map(({ name }) => name);

const byName = (name: string, who: Who | undefined): GuardVerdict =>
  who?.shown?.includes(name) === true ? undefined : REFUSED;

const TOOLS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => tool(name));

/** Returns a different selection of tools for each number. */
const selection = (number: number): Who => ({
  shown: TOOLS.map(({ definition }) => definition.name)
    .filter((_name, index) => (number >> index) % 2 === 1)
    .join(''),
});

describe('the views of a list', () => {
  it('are returned without a promise when no guard answers later', () => {
    const gallery = new Gallery({ tools: TOOLS, ask: byName });
    expect(namesOn(now(gallery.look({ shown: 'bd' })))).toEqual(['b', 'd']);
    expect(namesOn(now(gallery.look()))).toEqual([]);
  });

  it.each<readonly [string, Plan['ask']]>([
    ['at once', byName],
    ['later', async (name, who) => Promise.resolve(byName(name, who))],
  ])('are shared by callers who see the same tools, when guards answer %s', async (_name, ask) => {
    const gallery = new Gallery({ tools: TOOLS, ask });
    const [one, other, third] = await Promise.all([
      gallery.look({ shown: 'ab' }),
      gallery.look({ shown: 'ba', scope: 'other' }),
      gallery.look({ shown: 'abc' }),
    ]);
    expect(other).toBe(one);
    expect(third).not.toBe(one);
  });

  it('keep the order of the list when guards answer in another order', async () => {
    const ask: Plan['ask'] = (name) =>
      'bdf'.includes(name) ? undefined : new Promise((resolve) => setImmediate(() => resolve(undefined)));
    const gallery = new Gallery({ tools: TOOLS, ask });
    expect(namesOn(await gallery.look())).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it(`keep the ${MAX_VIEWS} most recently used views`, () => {
    const gallery = new Gallery({ tools: TOOLS, ask: byName });
    const first = gallery.look(selection(0));
    const second = gallery.look(selection(1));
    for (let number = 2; number < MAX_VIEWS; number += 1) now(gallery.look(selection(number)));
    // All views are still kept, and now the first view is the most recently used.
    expect(gallery.look(selection(0))).toBe(first);
    now(gallery.look(selection(MAX_VIEWS)));
    expect(gallery.look(selection(0))).toBe(first);
    expect(gallery.look(selection(1))).not.toBe(second);
    // The view that was dropped is created again with equal content.
    expect(gallery.look(selection(1))).toEqual(second);
  });

  it('are created again when the list changes', () => {
    const gallery = new Gallery({ tools: TOOLS, ask: byName });
    const before = gallery.look({ shown: 'ab' });
    gallery.registry.add(tool('h'));
    expect(gallery.look({ shown: 'ab' })).not.toBe(before);
    expect(namesOn(now(gallery.look({ shown: 'ah' })))).toEqual(['a', 'h']);
  });

  it('accept only their own cursors', () => {
    const gallery = new Gallery({ tools: TOOLS, pageSize: 1, ask: byName });
    const { nextCursor: cursor } = now(gallery.look({ shown: 'ab' }));
    expect(namesOn(now(gallery.look({ shown: 'ab' }, cursor)))).toEqual(['b']);
    for (const shown of ['ac', 'abc', 'b', '']) expect(gallery.look({ shown }, cursor)).toBe('expired');
    expect(gallery.look({ shown: 'ab' }, 'nonsense')).toBe('invalid');
    // The cursor of the complete list, which a caller with all rights may have.
    const whole = gallery.registry.page('tool', undefined) as ListPage;
    expect(gallery.look({ shown: 'ab' }, whole.nextCursor)).toBe('expired');
  });

  it('ask about each component on every page, since a right may be withdrawn between pages', () => {
    const gallery = new Gallery({ tools: TOOLS, pageSize: 1, ask: byName });
    const { nextCursor: cursor } = now(gallery.look({ shown: 'ab' }));
    gallery.asked.length = 0;
    expect(gallery.look({ shown: 'a' }, cursor)).toBe('expired');
    expect(gallery.asked).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('check scopes, then the policy, then guards, and do not ask about components that are already hidden', async () => {
    const gallery = new Gallery({
      tools: [tool('a', 'closed'), tool('b'), tool('c'), tool('d')],
      decide: ({ component }) => (component.name === 'b' ? { message: 'no' } : undefined),
      ask: (name) => (name === 'c' ? REFUSED : undefined),
    });
    expect(namesOn(await gallery.look({ scope: 'other' }))).toEqual(['d']);
    expect([gallery.questions, gallery.asked]).toEqual([
      ['b', 'c', 'd'],
      ['c', 'd'],
    ]);
    expect(namesOn(await gallery.look({ scope: 'read' }))).toEqual(['a', 'd']);
  });

  it.each<readonly [string, Partial<Plan>]>([
    [
      'a guard throws',
      {
        ask: () => {
          throw new Error('broken');
        },
      },
    ],
    ['a guard rejects', { ask: () => Promise.reject(new Error('broken')) }],
    [
      'a policy fails',
      {
        decide: () => {
          throw new Error('broken');
        },
      },
    ],
  ])('fail as a whole when %s', async (_name, plan) => {
    const gallery = new Gallery({ tools: TOOLS, ...plan });
    await expect((async () => gallery.look())()).rejects.toThrow('broken');
  });
});

describe('a kind of components', () => {
  const isOf = (plan: Plan): boolean[] => {
    const { views } = new Gallery(plan);
    return [views.isPersonal('tool'), views.isGuarded('tool'), views.isPersonal('prompt')];
  };

  it('is personal when scopes, guards or a policy decide', () => {
    expect(isOf({ tools: TOOLS })).toEqual([false, false, false]);
    expect(isOf({ tools: [...TOOLS, tool('h', 'closed')] })).toEqual([true, true, false]);
    expect(isOf({ tools: TOOLS, ask: byName })).toEqual([true, true, false]);
    expect(isOf({ tools: TOOLS, decide: () => undefined })).toEqual([true, true, true]);
  });
});
