import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { RunningSample, runShell } from '../../test/support/running-sample.js';

const START_MS = 120_000;
const REVISION = '2026-07-28';

let sample: RunningSample;

beforeAll(async () => {
  sample = await RunningSample.start('03-guards-and-scopes');
}, START_MS);

afterAll(() => sample?.stop(), START_MS);

interface Answer {
  readonly status: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: Readonly<Record<string, unknown>>;
    readonly content?: readonly { readonly text: string }[];
    readonly contents?: readonly { readonly text: string }[];
    readonly tools?: readonly { readonly name: string }[];
    readonly resources?: readonly { readonly uri: string }[];
    readonly cacheScope?: string;
  };
  readonly error?: { readonly code: number; readonly message: string };
  /** The answer of a guard of the endpoint, in the format of Nest. */
  readonly message?: string;
}

/** A person with a token. */
class Person {
  constructor(private readonly token: string) {}

  async send(method: string, params: object = {}, name?: string): Promise<Answer> {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const response = await fetch(sample.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        authorization: `Bearer ${this.token}`,
        ...(name === undefined ? {} : { 'mcp-name': name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    });
    return { ...((await response.json()) as Answer), status: response.status };
  }

  async call(name: string, args: object = {}): Promise<unknown> {
    const { result } = await this.send('tools/call', { name, arguments: args }, name);
    if (result === undefined || result.isError === true) throw new Error(`${name} failed`);
    return result.structuredContent;
  }

  async read(uri: string): Promise<unknown> {
    const { result } = await this.send('resources/read', { uri }, uri);
    return JSON.parse(result?.contents?.[0]?.text ?? 'null');
  }
}

const zoe = new Person('token-of-zoe');
const tom = new Person('token-of-tom');
const gil = new Person('token-of-gil');

const FRONT_PAGE = 'newsroom://front-page';
const DIARY = 'newsroom://diary';

describe('what the sample prints', () => {
  it('carries no warning', () => {
    expect(sample.output).not.toMatch(/\b(WARN|ERROR)\b/);
  });
});

describe('the README', () => {
  it('tells a story, from the desk to the front page', async () => {
    // All blocks run in one shell, since the first defines a function for the others; each answer is one line.
    const output = await runShell(sample.shellBlocks.join(''));
    const answers = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer);
    const [written, toms, zoes, refused, published, page] = answers;
    expect(written?.result?.structuredContent).toMatchObject({ number: 1, author: 'Tom' });
    expect(toms?.result?.structuredContent).toEqual({ owner: 'Tom', headlines: ['Cat reads newspaper'] });
    expect(zoes?.result?.structuredContent).toEqual({ owner: 'Zoë', headlines: [] });
    expect(refused?.error).toMatchObject({ code: 403 });
    expect(published?.result?.structuredContent).toMatchObject({ number: 1, isPublished: true });
    expect(page?.result?.contents).toMatchObject([{ text: '["Cat reads newspaper (Tom)"]' }]);
  });
});

describe('the guard of the endpoint', () => {
  it('lets nobody in whom it does not know, whatever is asked', async () => {
    const stranger = new Person('token-of-eve');
    for (const method of ['tools/list', 'server/discover']) {
      expect(await stranger.send(method)).toMatchObject({
        status: 401,
        message: expect.stringMatching(/^Send a token/),
      });
    }
  });
});

describe('what each of them sees', () => {
  it.each([
    ['an editor', zoe, ['write_story', 'my_drafts', 'publish_story'], [FRONT_PAGE, DIARY]],
    ['a reporter', tom, ['write_story', 'my_drafts'], [FRONT_PAGE]],
    ['a guest', gil, [], [FRONT_PAGE]],
  ] as const)('is what they may use: %s', async (_who, person, tools, resources) => {
    const listed = await person.send('tools/list');
    expect(listed.result?.tools?.map(({ name }) => name)).toEqual(tools);
    expect(listed.result?.cacheScope).toBe('private');
    expect((await person.send('resources/list')).result?.resources?.map(({ uri }) => uri)).toEqual(resources);
  });

  it('can be used', async () => {
    const { number } = (await zoe.call('write_story', { headline: 'Fish sings' })) as { number: number };
    expect(await zoe.call('publish_story', { number })).toMatchObject({ headline: 'Fish sings', isPublished: true });
    expect(await gil.read(FRONT_PAGE)).toContain('Fish sings (Zoë)');
  });

  it.each([
    ['the guard of a class', gil, 'tools/call', { name: 'my_drafts' }, 'Only people of the newsroom may do that'],
    ['the role of a method', tom, 'tools/call', { name: 'publish_story' }, 'The caller lacks a role'],
    ['the guard of a method', tom, 'resources/read', { uri: DIARY }, 'Only editors may do that'],
  ] as const)(
    'is closed to others by %s, before arguments are looked at',
    async (_what, person, method, params, words) => {
      const name = 'name' in params ? params.name : params.uri;
      expect(await person.send(method, params, name)).toMatchObject({
        status: 403,
        error: { code: 403, message: words },
      });
    },
  );
});

describe('the request-scoped desk', () => {
  it('is that of the caller, also when several call together', async () => {
    const rounds = Array.from({ length: 10 }, () => [tom, zoe]).flat();
    const desks = await Promise.all(rounds.map((person) => person.call('my_drafts')));
    expect(desks.map((desk) => (desk as { owner: string }).owner)).toEqual(
      rounds.map((person) => (person === tom ? 'Tom' : 'Zoë')),
    );
  });
});

describe('the interceptor', () => {
  it('writes down what was done, and not what a guard refused', async () => {
    const before = ((await zoe.read(DIARY)) as string[]).length;
    await tom.call('my_drafts');
    await tom.send('tools/call', { name: 'publish_story' }, 'publish_story');
    await zoe.send('tools/call', { name: 'publish_story', arguments: { number: 999 } }, 'publish_story');
    expect(((await zoe.read(DIARY)) as string[]).slice(before)).toEqual(['Tom: my_drafts', 'Zoë: publish_story']);
  });
});

describe('the filter', () => {
  it('makes an answer of an error of the domain', async () => {
    const params = { name: 'publish_story', arguments: { number: 999 } };
    const { result } = await zoe.send('tools/call', params, params.name);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'There is no story 999. Stories have the numbers that write_story returned.' }],
    });
  });
});
