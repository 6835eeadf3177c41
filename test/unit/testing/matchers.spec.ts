import { describe, expect, it } from '@jest/globals';

import { McpRequestError } from '../../../lib/errors/client.errors.js';
import '../../support/mcp-matchers.js';

const text = (...texts: string[]): object => ({ content: texts.map((item) => ({ type: 'text', text: item })) });
const failed = (words: string): object => ({ ...text(words), isError: true });
const json = (value: unknown): object => ({ ...text(JSON.stringify(value)), structuredContent: value });
const refused = (): Promise<never> => Promise.reject(new McpRequestError(403, 'Not yours', { reason: 'role' }));

/** What a test sees when its expectation is wrong. */
async function complaint(expectation: () => unknown): Promise<string> {
  try {
    await expectation();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was met.');
}

describe('toBeToolText', () => {
  it('takes results and promises of them', async () => {
    expect(text('a', 'b')).toBeToolText('a\nb');
    expect(text('a')).toBeToolText();
    expect(text('a long text')).toBeToolText(/long/g);
    expect(text('a')).not.toBeToolText('b');
    expect({ content: [{ type: 'image' }] }).not.toBeToolText();
    expect(failed('a')).not.toBeToolText('a');
    await expect(Promise.resolve(text('a'))).toBeToolText('a');
    await expect(async () => text('a')).toBeToolText('a');
    await expect(refused()).not.toBeToolText('a');
  });

  it('says what came instead', async () => {
    expect(await complaint(() => expect(text('b')).toBeToolText('a'))).toMatch(
      /Expected a tool's result with the text 'a'\nReceived: .*'b'/,
    );
    expect(await complaint(() => expect(text('b')).not.toBeToolText('b'))).toMatch(/^Expected not a tool's result/);
    expect(await complaint(() => expect(refused()).toBeToolText('a'))).toBe(
      `Expected a tool's result with the text 'a'\nRefused: code 403, "Not yours", data { reason: 'role' }`,
    );
    expect(await complaint(() => expect(Promise.reject(new TypeError('no'))).toBeToolText('a'))).toMatch(
      /Thrown: TypeError: no/,
    );
    expect(await complaint(() => expect(undefined).toBeToolText('a'))).toMatch(/Received: undefined/);
  });
});

describe('toBeToolError', () => {
  it('requires a failure with the given text', async () => {
    expect(failed('full')).toBeToolError('full');
    expect(failed('the row is full')).toBeToolError(/full/);
    expect({ content: [], isError: true }).toBeToolError();
    expect(failed('full')).not.toBeToolError('empty');
    expect(text('full')).not.toBeToolError();
    await expect(refused()).not.toBeToolError();
  });
});

describe('toBeToolJson', () => {
  it('compares as the test runner does', () => {
    expect(json({ a: 1, b: [2] })).toBeToolJson({ a: 1, b: [2] });
    expect(json({ a: 1 })).toBeToolJson({ a: expect.any(Number) });
    expect(json({ a: 1 })).not.toBeToolJson({ a: 2 });
    expect(text('a')).not.toBeToolJson({ a: 1 });
    expect({ ...json({ a: 1 }), isError: true }).not.toBeToolJson({ a: 1 });
  });
});

describe('toBeRefused', () => {
  it('requires an error of the server with the given code, message and data', async () => {
    await expect(refused()).toBeRefused();
    await expect(refused()).toBeRefused(403);
    await expect(refused).toBeRefused({ code: 403, message: /yours/, data: { reason: 'role' } });
    await expect(refused()).not.toBeRefused(401);
    await expect(refused()).not.toBeRefused({ message: 'Not' });
    await expect(refused()).not.toBeRefused({ data: {} });
    await expect(Promise.resolve(text('a'))).not.toBeRefused();
    await expect(Promise.reject(new Error('else'))).not.toBeRefused();
    expect(new McpRequestError(403, 'Not yours')).toBeRefused(403);
  });

  it('names the expected value', async () => {
    expect(await complaint(() => expect(Promise.resolve(1)).toBeRefused({ code: 1, message: 'm', data: 2 }))).toBe(
      `Expected a refusal with code 1 and the message 'm' and the data 2\nReceived: 1`,
    );
  });
});

describe('toList', () => {
  const listed = [{ name: 'a' }, { name: 'b', uri: 'x://b' }, { name: 'c', uriTemplate: 'x://{c}' }];

  it('requires all of the names, or none', async () => {
    expect(listed).toList('a', 'b');
    expect(listed).toList('x://b', 'x://{c}');
    expect(listed).not.toList('d', 'e');
    await expect(Promise.resolve(listed)).toList('c');
    expect(await complaint(() => expect(listed).not.toList('d', 'a'))).toMatch(/Expected not a list with "d", "a"/);
    expect(await complaint(() => expect(listed).toList('a', 'd'))).toBe(
      `Expected a list with "a", "d"\nReceived: [ 'a', 'b', 'x://b', 'c', 'x://{c}' ]`,
    );
  });

  it('fails for a value that is not a list, with and without not', async () => {
    expect(await complaint(() => expect({}).toList('a'))).toMatch(/Received: {}/);
    expect(await complaint(() => expect({}).not.toList('a'))).toMatch(/Received: {}/);
    expect(await complaint(() => expect(refused()).not.toList('a'))).toMatch(/Refused: code 403/);
    expect(await complaint(() => expect(listed).toList())).toMatch(/needs the name/);
  });
});
