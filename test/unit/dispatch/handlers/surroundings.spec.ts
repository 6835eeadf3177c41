import { describe, expect, it } from '@jest/globals';

import { FoundEnhancers } from '../../../../lib/dispatch/handlers/handler.context.js';

/** Stands for one of Nest's creators, which asks itself. */
class Creator {
  constructor(public found: readonly unknown[]) {}

  create(): readonly unknown[] {
    return this.createContext();
  }

  createContext(): readonly unknown[] {
    return this.found;
  }
}

const LAYERS = ['guards', 'interceptors', 'pipes', 'filters'] as const;

describe('what is around a handler', () => {
  it('is there until it has been looked for', () => {
    const around = new FoundEnhancers();
    expect([around.isBare, around.hasPipes]).toEqual([false, true]);
    for (const layer of LAYERS) {
      expect(around.isBare).toBe(false);
      around.watch(new Creator([]), layer).create();
    }
    expect([around.isBare, around.hasPipes]).toEqual([true, false]);
  });

  it.each(LAYERS)('is something where there are %s alone', (found) => {
    const around = new FoundEnhancers();
    for (const layer of LAYERS) around.watch(new Creator(layer === found ? [1] : []), layer).create();
    expect([around.isBare, around.hasPipes]).toEqual([false, found === 'pipes']);
  });

  it('is what was found last', () => {
    const around = new FoundEnhancers();
    const creator = new Creator([]);
    const watched = around.watch(creator, 'pipes');
    watched.create();
    expect(around.hasPipes).toBe(false);
    creator.found = [1];
    watched.create();
    expect(around.hasPipes).toBe(true);
  });

  it('is seen where the creator asks itself, and leaves the creator alone', () => {
    const around = new FoundEnhancers();
    const creator = new Creator([]);
    const watched = around.watch(creator, 'filters', 'createContext');
    creator.create();
    expect(around.isBare).toBe(false);
    for (const layer of LAYERS.slice(0, 3)) around.watch(new Creator([]), layer).create();
    expect(around.isBare).toBe(false);
    watched.create();
    expect(around.isBare).toBe(true);
  });

  it('counts as there where a release of Nest has no such member', () => {
    const around = new FoundEnhancers();
    const other = { create: (): readonly unknown[] => [] };
    expect(around.watch(other, 'filters', 'createContext')).toBe(other);
    for (const layer of LAYERS.slice(0, 3)) around.watch(new Creator([]), layer).create();
    expect(around.isBare).toBe(false);
  });
});
