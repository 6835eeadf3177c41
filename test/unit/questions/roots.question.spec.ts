import { describe, expect, it } from '@jest/globals';
import { FormCompiler } from '../../../lib/questions/form.compiler.js';
import { roots } from '../../../lib/questions/roots.question.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import { readOfficially } from '../../support/question-oracle.js';

const prepare = async () => roots().prepare(new FormCompiler(new SchemaResolver()));

describe('roots', () => {
  it('asks a client that has roots', async () => {
    const { wire } = await prepare();
    expect(wire).toEqual({ method: 'roots/list', params: {} });
    expect(readOfficially(wire)).toEqual(wire);
    expect(roots().needs).toEqual(['roots']);
  });

  it('reads the list, which may be empty', async () => {
    const { read } = await prepare();
    const list = [
      { uri: 'file:///home/ada', name: 'Home' },
      { uri: 'file://host/share', _meta: { a: 1 } },
      { uri: 'file:///a%20b' },
    ];
    expect(await read({ roots: list, _meta: {} })).toEqual({ ok: true, answer: list });
    expect(await read({ roots: [] })).toEqual({ ok: true, answer: [] });
  });

  it.each([
    [12345],
    [null],
    [[]],
    [{}],
    [{ roots: {} }],
    [{ roots: [null] }],
    [{ roots: ['file:///a'] }],
    [{ roots: [{ name: 'a' }] }],
    [{ roots: [{ uri: 5 }] }],
    [{ roots: [{ uri: 'https://example.com' }] }],
    [{ roots: [{ uri: '/home/ada' }] }],
    [{ roots: [{ uri: 'file:/home/ada' }] }],
    [{ roots: [{ uri: 'file:///a\u0000b' }] }],
    [{ roots: [{ uri: 'file:///a\nb' }] }],
    [{ roots: [{ uri: 'file://[bad/' }] }],
    [{ roots: [{ uri: 'file:///a', name: 5 }] }],
    [{ roots: [{ uri: 'file:///a', _meta: 5 }] }],
    [{ roots: [{ uri: 'file:///a' }, { uri: 'ftp://a' }] }],
  ])('finds %j malformed', async (answer) => {
    const { read } = await prepare();
    expect(await read(answer)).toEqual({
      ok: false,
      kind: 'malformed',
      message: "The client's response is not a result of roots/list",
    });
  });
});
