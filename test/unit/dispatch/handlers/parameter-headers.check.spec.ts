import { describe, expect, it } from '@jest/globals';

import { MirrorCheck } from '../../../../lib/dispatch/handlers/parameter-headers.check.js';
import type { OperationRequest } from '../../../../lib/model/operation.js';
import { readHeaderMarks } from '../../../../lib/schema/header-marks.js';

const property = (type: string, name: string): object => ({ type, 'x-mcp-header': name });

const check = new MirrorCheck(
  readHeaderMarks({
    type: 'object',
    properties: {
      region: property('string', 'Region'),
      count: property('integer', 'X-Count'),
      sure: property('boolean', 'Sure'),
      deep: { type: 'object', properties: { er: property('string', 'Deep') } },
      ['__proto__']: property('string', 'Proto'),
      constructor: property('string', 'Constructor'),
    },
  }),
);

/** Creates a request as a dialect does for a message over HTTP. */
function request(args: string, headers: readonly string[] | undefined, asBytes = false): OperationRequest {
  const body = `{"params":{"name":"t","arguments":${args}}}`;
  const { params } = JSON.parse(body) as { params: { arguments: Record<string, unknown> } };
  return {
    operation: { kind: 'call-tool', name: 't', arguments: params.arguments },
    id: 1,
    client: { capabilities: {}, protocolVersion: '2026-07-28' },
    meta: {},
    caller: { auth: () => undefined },
    body: asBytes ? Buffer.from(body) : body,
    rawHeaders: headers,
  };
}

const find = (args: string, ...headers: string[]): unknown => check.findMismatch(request(args, headers));
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('headers that repeat their arguments', () => {
  it.each<[string, string, readonly string[]]>([
    ['a string', '{"region":"eu"}', ['Mcp-Param-Region', 'eu']],
    ['a header name in upper case', '{"region":"eu"}', ['MCP-PARAM-REGION', 'eu']],
    ['white space around the value', '{"region":"eu"}', ['mcp-param-region', ' \teu ']],
    ['an empty string', '{"region":""}', ['Mcp-Param-Region', '']],
    ['an encoded string', '{"region":"Zürich"}', ['Mcp-Param-Region', base64('Zürich')]],
    ['an encoded string that needs no encoding', '{"region":"eu"}', ['Mcp-Param-Region', base64('eu')]],
    ['a string that looks encoded', '{"region":"=?base64?eu"}', ['Mcp-Param-Region', '=?base64?eu']],
    ['a string with another marker', '{"region":"=?BASE64?ZXU=?="}', ['Mcp-Param-Region', '=?BASE64?ZXU=?=']],
    ['an integer', '{"count":42}', ['Mcp-Param-X-Count', '42']],
    ['an integer with a fraction of zeros', '{"count":42}', ['Mcp-Param-X-Count', '42.0']],
    ['an argument with a fraction of zeros', '{"count":42.0}', ['Mcp-Param-X-Count', '42']],
    ['a negative zero', '{"count":-0}', ['Mcp-Param-X-Count', '0']],
    ['an integer that JavaScript rounds', '{"count":9007199254740993}', ['Mcp-Param-X-Count', '9007199254740993']],
    ['a long negative integer', '{"count":-123456789012345678901}', ['Mcp-Param-X-Count', '-123456789012345678901']],
    ['a large integer with an exponent', '{"count":1e21}', ['Mcp-Param-X-Count', '1000000000000000000000']],
    ['true', '{"sure":true}', ['Mcp-Param-Sure', 'true']],
    ['false', '{"sure":false}', ['Mcp-Param-Sure', 'false']],
    ['a nested member', '{"deep":{"er":"x"}}', ['Mcp-Param-Deep', 'x']],
    ['a member called __proto__', '{"__proto__":"x"}', ['Mcp-Param-Proto', 'x']],
    ['the last of repeated keys', '{"region":"a","region":"b"}', ['Mcp-Param-Region', 'b']],
  ])('pass for %s', (_what, args, headers) => {
    expect(find(args, ...headers)).toBeUndefined();
  });

  it.each<[string, string, readonly string[], string]>([
    ['another string', '{"region":"us"}', ['Mcp-Param-Region', 'eu'], 'differs from "region"'],
    ['another case', '{"region":"EU"}', ['Mcp-Param-Region', 'eu'], 'differs from "region"'],
    ['a string instead of an empty string', '{"region":""}', ['Mcp-Param-Region', 'eu'], 'differs from "region"'],
    ['a missing header', '{"region":"eu"}', [], 'is missing; it repeats "region"'],
    ['no header for an empty string', '{"region":""}', [], 'is missing; it repeats "region"'],
    ['no header for false', '{"sure":false}', [], 'is missing; it repeats "sure"'],
    ['no header for zero', '{"count":0}', [], 'is missing; it repeats "count"'],
    ['missing padding', '{"region":"Hello"}', ['Mcp-Param-Region', '=?base64?SGVsbG8?='], 'is not properly encoded'],
    [
      'invalid characters in base64',
      '{"region":"Hello"}',
      ['Mcp-Param-Region', '=?base64?SGVs!!!bG8=?='],
      'is not properly encoded',
    ],
    ['invalid UTF-8', '{"region":"x"}', ['Mcp-Param-Region', '=?base64?/w==?='], 'is not properly encoded'],
    [
      'a repeated header',
      '{"region":"eu"}',
      ['Mcp-Param-Region', 'eu', 'mcp-param-region', 'eu'],
      'occurs more than once',
    ],
    ['another integer', '{"count":42}', ['Mcp-Param-X-Count', '43'], 'differs from "count"'],
    ['an integer with extra characters', '{"count":42}', ['Mcp-Param-X-Count', '42abc'], 'differs from "count"'],
    ['an integer with a plus sign', '{"count":42}', ['Mcp-Param-X-Count', '+42'], 'differs from "count"'],
    ['an empty header for zero', '{"count":0}', ['Mcp-Param-X-Count', ''], 'differs from "count"'],
    [
      'an integer that is equal only after rounding',
      '{"count":9007199254740993}',
      ['Mcp-Param-X-Count', '9007199254740992'],
      'differs from "count"',
    ],
    ['a boolean with a capital letter', '{"sure":true}', ['Mcp-Param-Sure', 'True'], 'differs from "sure"'],
    ['a number instead of a boolean', '{"sure":true}', ['Mcp-Param-Sure', '1'], 'differs from "sure"'],
    ['another value of a nested member', '{"deep":{"er":"x"}}', ['Mcp-Param-Deep', 'y'], 'differs from "deep.er"'],
    ['no header for a member called __proto__', '{"__proto__":"x"}', [], 'is missing; it repeats "__proto__"'],
  ])('fail for %s', (_what, args, headers, words) => {
    expect(find(args, ...headers)).toMatchObject({
      kind: 'header-mismatch',
      message: expect.stringMatching(/^The header Mcp-Param-[\w-]+ /),
    });
    expect(find(args, ...headers)).toHaveProperty('message', expect.stringContaining(words));
  });

  it('report both different values with all digits', () => {
    expect(find('{"count":9007199254740993}', 'Mcp-Param-X-Count', base64('eu'))).toEqual({
      kind: 'header-mismatch',
      message: 'The header Mcp-Param-X-Count differs from "count"',
      header: 'eu',
      body: '9007199254740993',
    });
  });

  it('are compared with exact digits from bytes, too', () => {
    const big = request('{"count":9007199254740993}', ['Mcp-Param-X-Count', '9007199254740993'], true);
    expect(check.findMismatch(big)).toBeUndefined();
  });
});

describe('headers are not compared', () => {
  it.each([
    ['an absent argument', '{}'],
    ['null', '{"region":null,"count":null,"sure":null,"deep":null}'],
    ['a string in the path', '{"deep":"text"}'],
    ['a list in the path', '{"deep":[{"er":"x"}]}'],
    ['a number in the path', '{"deep":5}'],
    ['values that no header can contain', '{"region":{"a":1},"count":[1],"sure":{}}'],
    ['a missing nested member', '{"deep":{}}'],
  ])('for %s', (_what, args) => {
    expect(find(args)).toBeUndefined();
    expect(find(args, 'Mcp-Param-Region', 'eu', 'Mcp-Param-Region', '=?base64?!?=')).toBeUndefined();
  });

  it('when no argument is marked for them', () => {
    expect(find('{"region":"eu"}', 'Mcp-Param-Region', 'eu', 'Mcp-Param-Other', 'x', 'X', 'y')).toBeUndefined();
  });

  it('without HTTP', () => {
    expect(check.findMismatch(request('{"region":"eu"}', undefined))).toBeUndefined();
  });
});
