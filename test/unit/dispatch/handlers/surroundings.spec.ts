import { describe, expect, it } from '@jest/globals';

import { FoundEnhancers } from '../../../../lib/dispatch/handlers/handler.context.js';

/** Imitates a creator of Nest, which calls its own method. */
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

describe('FoundEnhancers', () => {
  it('assumes enhancers until every kind has been looked up', () => {
    const around = new FoundEnhancers();
    expect([around.isBare, around.hasPipes]).toEqual([false, true]);
    for (const layer of LAYERS) {
      expect(around.isBare).toBe(false);
      around.watch(new Creator([]), layer).create();
    }
    expect([around.isBare, around.hasPipes]).toEqual([true, false]);
  });

  it.each(LAYERS)('reports enhancers when there are only %s', (found) => {
    const around = new FoundEnhancers();
    for (const layer of LAYERS) around.watch(new Creator(layer === found ? [1] : []), layer).create();
    expect([around.isBare, around.hasPipes]).toEqual([false, found === 'pipes']);
  });

  it('reports the result of the last lookup', () => {
    const around = new FoundEnhancers();
    const creator = new Creator([]);
    const watched = around.watch(creator, 'pipes');
    watched.create();
    expect(around.hasPipes).toBe(false);
    creator.found = [1];
    watched.create();
    expect(around.hasPipes).toBe(true);
  });

  it('watches the calls that a creator makes to itself, and does not change the creator', () => {
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

  it('assumes enhancers when a release of Nest lacks the watched member', () => {
    const around = new FoundEnhancers();
    const other = { create: (): readonly unknown[] => [] };
    expect(around.watch(other, 'filters', 'createContext')).toBe(other);
    for (const layer of LAYERS.slice(0, 3)) around.watch(new Creator([]), layer).create();
    expect(around.isBare).toBe(false);
  });
});
