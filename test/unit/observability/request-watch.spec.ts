import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { Fault } from '../../../lib/model/fault.js';
import type { Operation, OperationRequest } from '../../../lib/model/operation.js';
import type { Outcome } from '../../../lib/model/outcome.js';
import { RequestLog, RequestWatch, RequestMeter } from '../../../lib/observability/request.watch.js';
import { ManualClock } from '../../support/manual-clock.js';

const EXECUTOR = {
  ...{ running: 1, queued: 2, controlRunning: 0, controlQueued: 0, abandoned: 0, owners: 1, slots: {} },
  ...{ maxConcurrency: 4, maxQueue: 8 },
};
const SUBSCRIPTIONS = { listeners: 1, uris: 0, delivered: 3, coalesced: 0, dropped: 0 };

const COMPONENTS = {
  findTool: (name: string) => (name === 'search' ? { definition: { name } } : undefined),
  findPrompt: (name: string) => (name === 'greet' ? { definition: { name } } : undefined),
  findResource: (uri: string) => (uri === 'notes://all' ? { definition: { uri } } : undefined),
  matchTemplate: (uri: string) =>
    uri.startsWith('notes://') ? { component: { definition: { uriTemplate: 'notes://{id}' } } } : undefined,
} as never;

const requestOf = (operation: Operation): OperationRequest => ({
  operation,
  id: 'secret id',
  client: { capabilities: {}, protocolVersion: '2026-07-28' },
  meta: { secret: true },
  caller: { auth: () => 'secret token' },
});

const search = requestOf({ kind: 'call-tool', name: 'search', arguments: { query: 'secret' } });
const faulty = (fault: Fault): Outcome => ({ kind: 'fault', fault });

const warnings: unknown[] = [];

describe('RequestWatch', () => {
  beforeEach(() => {
    warnings.length = 0;
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => void warnings.push(message));
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  function watchOf(clock = new ManualClock()): { readonly watch: RequestWatch; readonly meter: RequestMeter } {
    const meter = new RequestMeter({ stats: () => EXECUTOR }, { stats: () => SUBSCRIPTIONS });
    return { watch: new RequestWatch(meter, new RequestLog(COMPONENTS, clock)), meter };
  }

  describe('metrics', () => {
    it('are empty before the first request', () => {
      expect(watchOf().meter.snapshot()).toEqual({
        requests: {},
        refused: {},
        executor: EXECUTOR,
        subscriptions: SUBSCRIPTIONS,
      });
    });

    it('count every end by kind of operation', () => {
      const { watch, meter } = watchOf();
      const ends: Outcome[] = [
        { kind: 'complete', result: {} },
        { kind: 'complete', result: { isError: false } },
        { kind: 'complete', result: { isError: true } },
        { kind: 'input-required' },
        { kind: 'cancelled' },
        faulty({ kind: 'overloaded' }),
        faulty({ kind: 'overloaded' }),
        faulty({ kind: 'internal' }),
      ];
      for (const end of ends) watch.ended(search, end, 1);
      watch.ended(
        requestOf({ kind: 'listen', filter: { tools: true, prompts: false, resources: false, uris: [] } }),
        { kind: 'unsubscribed' },
        90_000,
      );
      const { requests } = meter.snapshot();
      expect(requests).toMatchObject({
        'call-tool': {
          ...{ completed: 2, toolErrors: 1, inputRequired: 1, cancelled: 1 },
          faults: { overloaded: 2, internal: 1 },
          durations: { count: 8, sumMs: 8, maxMs: 1 },
        },
        listen: { completed: 1, durations: { count: 1, maxMs: 90_000 } },
      });
      expect(Object.keys(requests)).toEqual(['call-tool', 'listen']);
    });

    it('count requests that were refused before they were decoded, by status', () => {
      const { watch, meter } = watchOf();
      for (const status of [400, 403, 400]) watch.refused(status);
      expect(meter.snapshot().refused).toEqual({ 400: 2, 403: 1 });
    });

    it('sort durations into buckets, each of which holds the shorter ones too', () => {
      const { watch, meter } = watchOf();
      for (const ms of [0.5, 5, 5.1, 40, 31_000]) watch.ended(search, { kind: 'complete', result: {} }, ms);
      const durations = meter.snapshot().requests['call-tool']?.durations;
      expect(durations).toMatchObject({ count: 5, maxMs: 31_000, buckets: { 5: 2, 10: 3, 25: 3, 50: 4, 30_000: 4 } });
      expect(durations?.sumMs).toBeCloseTo(31_050.6);
    });

    it('of before do not change', () => {
      const { watch, meter } = watchOf();
      watch.ended(search, faulty({ kind: 'internal' }), 1);
      const before = meter.snapshot();
      const text = JSON.stringify(before);
      watch.ended(search, faulty({ kind: 'internal' }), 1);
      watch.refused(400);
      expect(JSON.stringify(before)).toBe(text);
    });
  });

  describe('the log of requests', () => {
    it.each([
      [search, { kind: 'overloaded' }, 'call-tool "search": overloaded after 12 ms'],
      [search, { kind: 'internal', reference: 'r-1' }, 'call-tool "search": internal after 12 ms [r-1]'],
      [search, { kind: 'internal' }, 'call-tool "search": internal after 12 ms'],
      [search, { kind: 'protocol', code: 429, message: 'secret' }, 'call-tool "search": protocol 429 after 12 ms'],
      [
        requestOf({ kind: 'get-prompt', name: 'greet', arguments: { name: 'secret' } }),
        { kind: 'invalid-params', message: 'secret' },
        'get-prompt "greet": invalid-params after 12 ms',
      ],
      [
        requestOf({ kind: 'read-resource', uri: 'notes://all' }),
        { kind: 'deadline', timeoutMs: 5 },
        'read-resource "notes://all": deadline after 12 ms',
      ],
      [
        requestOf({ kind: 'read-resource', uri: 'notes://secret' }),
        { kind: 'internal' },
        'read-resource "notes://{id}": internal after 12 ms',
      ],
      [
        requestOf({ kind: 'read-resource', uri: 'secret://x' }),
        { kind: 'resource-not-found', message: '', uri: 'secret://x' },
        'read-resource: resource-not-found after 12 ms',
      ],
      [
        requestOf({ kind: 'call-tool', name: 'secret\n[Nest] forged', arguments: {} }),
        { kind: 'unknown-component', message: 'secret' },
        'call-tool: unknown-component after 12 ms',
      ],
      [requestOf({ kind: 'list', of: 'tool', cursor: 'secret' }), { kind: 'internal' }, 'list: internal after 12 ms'],
    ] as [OperationRequest, Fault, string][])(
      'has one line, without anything of the client (%#)',
      (request, fault, line) => {
        watchOf().watch.ended(request, faulty(fault), 12.4);
        expect(warnings).toEqual([line]);
      },
    );

    it('has a line for a request that was refused before it was decoded', () => {
      watchOf().watch.refused(413);
      expect(warnings).toEqual(['A request was refused with status 413']);
    });

    it('has no line for a successful request, or one that its client ended', () => {
      const { watch } = watchOf();
      const ends: Outcome[] = [
        { kind: 'complete', result: {} },
        { kind: 'complete', result: { isError: true } },
        { kind: 'input-required' },
        { kind: 'cancelled' },
        { kind: 'unsubscribed' },
      ];
      for (const end of ends) watch.ended(search, end, 1);
      expect(warnings).toEqual([]);
    });

    it('cannot be filled by clients', () => {
      const clock = new ManualClock();
      const { watch, meter } = watchOf(clock);
      for (let count = 0; count < 100; count += 1) watch.refused(400);
      expect(warnings).toHaveLength(60);
      clock.advance(59_999);
      watch.ended(search, faulty({ kind: 'overloaded' }), 1);
      expect(warnings).toHaveLength(60);
      clock.advance(1);
      watch.ended(search, faulty({ kind: 'overloaded' }), 1);
      expect(warnings.slice(60)).toEqual([
        '41 more requests were refused or failed before.',
        'call-tool "search": overloaded after 1 ms',
      ]);
      expect(meter.snapshot().refused).toEqual({ 400: 100 });
    });
  });
});
