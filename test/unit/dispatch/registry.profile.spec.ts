import { describe, expect, it } from '@jest/globals';

import { RegistryProfile } from '../../../lib/dispatch/registry.profile.js';
import type { ListViews } from '../../../lib/dispatch/access/list.views.js';
import type { ComponentKind } from '../../../lib/model/component.js';
import type { CacheSubject } from '../../../lib/model/outcome.js';
import { ComponentRegistry } from '../../../lib/registry/component.registry.js';

const SUBJECTS: readonly CacheSubject[] = ['discover', 'tools', 'prompts', 'resources', 'templates', 'read'];

interface Plan {
  readonly personal?: ComponentKind;
  readonly guarded?: ComponentKind;
  readonly scope?: 'public' | 'private';
}

/** Returns the results that shared caches may store. */
function publicSubjects({ personal, guarded, scope = 'public' }: Plan): CacheSubject[] {
  const views: Pick<ListViews, 'isPersonal' | 'isGuarded'> = {
    isPersonal: (kind) => kind === personal,
    isGuarded: (kind) => kind === personal || kind === guarded,
  };
  const cache = Object.fromEntries(SUBJECTS.map((subject) => [subject, { scope, ttlMs: 1_000 }]));
  const options = { identity: { name: 'a', version: '1' }, cache, subscriptions: false };
  const profile = new RegistryProfile(options, new ComponentRegistry(1), views as ListViews);
  return SUBJECTS.filter((subject) => profile.cacheHint(subject).scope === 'public');
}

const without = (...subjects: readonly CacheSubject[]): CacheSubject[] =>
  SUBJECTS.filter((subject) => !subjects.includes(subject));

describe('the cache hints of a server', () => {
  it('are the hints of the options when all callers see the same components', () => {
    expect(publicSubjects({})).toEqual(SUBJECTS);
    expect(publicSubjects({ scope: 'private' })).toEqual([]);
  });

  it.each([
    ['tool', ['tools']],
    ['prompt', ['prompts']],
    ['resource', ['resources', 'read']],
    ['template', ['templates', 'read']],
  ] as const)(
    'are private for results that depend on a %s that is not visible to all callers',
    (personal, subjects) => {
      expect(publicSubjects({ personal })).toEqual(without(...subjects));
    },
  );

  it.each([
    ['tool', []],
    ['prompt', []],
    ['resource', ['read']],
    ['template', ['read']],
  ] as const)(
    'are private for results that need a guard, even when all callers see the component: a %s',
    (guarded, subjects) => {
      expect(publicSubjects({ guarded })).toEqual(without(...subjects));
    },
  );

  it('keep the time of the options', () => {
    const views = { isPersonal: () => true, isGuarded: () => true } as unknown as ListViews;
    const cache = { tools: { scope: 'public', ttlMs: 9 } } as const;
    const options = { identity: { name: 'a', version: '1' }, cache, subscriptions: false };
    const profile = new RegistryProfile(options, new ComponentRegistry(1), views);
    expect(profile.cacheHint('tools')).toEqual({ scope: 'private', ttlMs: 9 });
  });
});
