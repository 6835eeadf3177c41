import { describe, expect, it } from '@jest/globals';

import { type AcceptedJob, type Owner, Owners } from '../../../lib/execution/owners.js';

function enter(owners: Owners, name: unknown): Owner<AcceptedJob> {
  const owner = owners.get(name, false);
  owners.enter(owner);
  return owner;
}

describe('owners without jobs', () => {
  it('are not counted, and are reused when they return', () => {
    const owners = new Owners();
    const first = enter(owners, 'ada');
    expect(owners.count).toBe(1);
    owners.leave(first);
    expect(owners.count).toBe(0);
    expect(enter(owners, 'ada')).toBe(first);
    expect(owners.count).toBe(1);
  });

  it('are removed when there are many of them', () => {
    const owners = new Owners();
    for (let index = 0; index < 65; index += 1) owners.leave(enter(owners, index));
    for (let index = 0; index < 65; index += 1) expect(owners.find(index)).toBeUndefined();
    expect(owners.count).toBe(0);
  });

  it('are never many more than the owners with jobs', () => {
    const owners = new Owners();
    const busy = Array.from({ length: 200 }, (_, index) => enter(owners, `busy ${index}`));
    for (let index = 0; index < 5_000; index += 1) owners.leave(enter(owners, index));
    expect(owners.count).toBe(200);
    const known = Array.from({ length: 5_000 }, (_, index) => owners.find(index)).filter(Boolean);
    expect(known.length).toBeLessThanOrEqual(201);
    for (const [index, owner] of busy.entries()) expect(owners.find(`busy ${index}`)).toBe(owner);
  });

  it('may return after they were removed, and their jobs are counted', () => {
    const owners = new Owners();
    const ada = enter(owners, 'ada');
    owners.leave(ada);
    for (let index = 0; index < 64; index += 1) owners.leave(enter(owners, index));
    const again = enter(owners, 'ada');
    expect(again).not.toBe(ada);
    expect([owners.count, again.jobs, owners.find('ada')]).toEqual([1, 1, again]);
  });

  it('are not counted when the name is undefined', () => {
    const owners = new Owners();
    owners.leave(enter(owners, undefined));
    expect([owners.count, owners.find(undefined)]).toEqual([0, undefined]);
  });
});
