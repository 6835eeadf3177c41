import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isJsonContentType, parseAccept } from '../../../lib/wire/headers.js';
import { cpuCostOf } from '../../support/cpu-cost.js';

describe('parseAccept', () => {
  const both = { json: true, sse: true };
  const json = { json: true, sse: false };
  const sse = { json: false, sse: true };
  const none = { json: false, sse: false };

  it.each<[string | undefined, { json: boolean; sse: boolean }]>([
    [undefined, both],
    ['', both],
    [' ', both],
    ['application/json, text/event-stream', both],
    ['text/event-stream,application/json', both],
    ['application/json', json],
    ['text/event-stream', sse],
    ['*/*', both],
    ['application/*', json],
    ['text/*', sse],
    ['text/html, */*;q=0.1', both],
    ['text/html', none],
    ['*', none],
    [',', none],
    ['application/jsonp, text/event-streams', none],
    ['xapplication/json', none],
    ['APPLICATION/JSON, Text/Event-Stream', both],
    [' application/json ;charset=utf-8 ; q=0.5', json],
    ['application/json;q=0', none],
    ['application/json;q=0.000, */*', sse],
    ['application/json;Q=0, */*', sse],
    ['*/*;q=0, application/json', json],
    ['text/*;q=0, text/event-stream;q=0.1', sse],
    ['text/*;q=0, */*', json],
    ['application/*;q=0, */*;q=1', sse],
    ['application/json;q=1, text/event-stream;q=0', json],
    ['application/json;q=0, application/json', json],
    ['application/json, application/json;q=0', json],
    ['application/json;q=oops', json],
    ['application/json;q=', json],
    ['application/json;q=-1', none],
    ['application/json; q = 0', none],
    ['application/json;q="0"', none],
    ['text/html;x="a, application/json", text/event-stream', sse],
    ['text/html;x="a\\", application/json", text/event-stream', sse],
    ['text/html;x="application/json', none],
    ['application/json;q=0.5;ext=1', json],
  ])('reads %p', (header, accepted) => {
    expect(parseAccept(header)).toEqual(accepted);
  });

  it('never throws', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('application/json', ',', ';', 'q=0', '"', '\\', '*/*', '='));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(Object.keys(parseAccept(pieces.join('')))).toEqual(['json', 'sse']);
      }),
    );
  });

  it.each(['application/json,', '"', '\\"', ';q=0', ' ', ';x="\\'])('reads a megabyte of %j in linear time', (unit) => {
    const costOf = (length: number): number => {
      const header = `a${unit.repeat(length / unit.length)}`;
      return cpuCostOf(() => {
        parseAccept(header);
        isJsonContentType(header);
      });
    };
    // 16 times the length: 16 times the cost when linear, 256 times when quadratic.
    expect(costOf(1_048_576)).toBeLessThan(Math.max(costOf(65_536), 3_000) * 100);
  });
});

describe('isJsonContentType', () => {
  it.each([
    'application/json',
    'Application/JSON',
    ' application/json ',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; charset=utf8',
    'application/json;',
    'application/json; profile="a;charset=latin1"',
    'application/json; x=1; y',
  ])('accepts %p', (value) => {
    expect(isJsonContentType(value)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'text/plain; application/json',
    'application/jsonx',
    'application/json-rpc',
    'application/vnd.api+json',
    'application/json, text/plain',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8, text/plain',
    'application/json; charset=latin1; charset=utf-8',
    'application/json; charset=',
    '*/*',
  ])('refuses %p', (value) => {
    expect(isJsonContentType(value)).toBe(false);
  });
});
