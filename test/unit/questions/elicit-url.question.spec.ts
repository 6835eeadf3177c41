import { describe, expect, it } from '@jest/globals';
import { InvalidQuestionError } from '../../../lib/errors/invalid-question.error.js';
import { elicitUrl } from '../../../lib/questions/elicit.question.js';
import { FormCompiler } from '../../../lib/questions/form.compiler.js';
import { SchemaResolver } from '../../../lib/schema/schema.resolver.js';
import { isOfficialAnswer, readOfficially } from '../../support/question-oracle.js';

const message = 'Sign in, please';
const forms = new FormCompiler(new SchemaResolver());
const prepare = async (url = 'https://example.com/') => elicitUrl({ message, url }).prepare(forms);

describe('elicitUrl', () => {
  it('asks for a page, of a client that opens pages', async () => {
    const { wire } = await prepare('https://example.com/sign-in?for=5');
    expect(wire).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', message, url: 'https://example.com/sign-in?for=5' },
    });
    expect(readOfficially(wire)).toEqual(wire);
    expect(elicitUrl({ message, url: 'https://example.com' }).needs).toEqual(['elicitation.url']);
  });

  it.each([
    'https://example.com',
    'HTTPS://EXAMPLE.com:8443/a/b?c=d&e=%20#f',
    'http://localhost:3000/',
    'http://example.com/plain-is-not-forbidden',
    'https://[::1]:8080/',
    'https://example.com/@user',
    `https://example.com/${'a'.repeat(2_048 - 20)}`,
  ])('takes %s', async (url) => {
    const { wire } = await prepare(url);
    expect(wire.params['url']).toBe(url);
    expect(readOfficially(wire)).toEqual(wire);
  });

  it.each([
    ['relative', '/sign-in', 'https://'],
    ['without a scheme', 'example.com', 'https://'],
    ['of another scheme', 'javascript:alert(1)', 'https://'],
    ['of a file', 'file:///etc/passwd', 'https://'],
    ['without slashes', 'https:example.com', 'https://'],
    ['without a host', 'https:///path', 'host'],
    ['with a user name', 'https://user@example.com/', 'user name'],
    ['with a password', 'https://user:secret@example.com/', 'user name'],
    ['with an empty user name', 'https://@example.com/', 'user name'],
    ['with a space', 'https://example.com/a b', 'encodeURIComponent'],
    ['with a space before it', ' https://example.com/', 'https://'],
    ['with a line break', 'https://example.com/\na', 'encodeURIComponent'],
    ['with a backslash', 'https://example.com\\@evil.example/', 'encodeURIComponent'],
    ['with a letter outside ASCII', 'https://exämple.com/', 'new URL'],
    ['with a bad escape', 'https://example.com/%zz', 'encodeURIComponent'],
    ['with half an escape', 'https://example.com/%2', 'encodeURIComponent'],
    ['with a bad port', 'https://example.com:99999/', 'port'],
    ['that is too long', `https://example.com/${'a'.repeat(2_048 - 19)}`, '2048'],
  ])('refuses a URL %s, and does not repeat it', (_what, url, cure) => {
    const attempt = () => elicitUrl({ message, url });
    expect(attempt).toThrow(InvalidQuestionError);
    expect(attempt).toThrow(cure);
    expect(attempt).not.toThrow('secret');
  });

  it('refuses a URL that is not a string, and a missing message', () => {
    expect(() => elicitUrl({ message, url: new URL('https://example.com') as unknown as string })).toThrow('url.href');
    expect(() => elicitUrl({ message: ' ', url: 'https://example.com' })).toThrow('`message`');
  });

  it.each(['accept', 'decline', 'cancel'])('reads %s, and drops what else is said', async (action) => {
    const { read } = await prepare();
    expect(await read({ action, content: { flat: 'text' }, _meta: {} })).toEqual({ ok: true, answer: { action } });
  });

  it.each([
    [12345],
    [null],
    ['accept'],
    [[]],
    [{}],
    [{ action: 'ok' }],
    [{ action: 'accept', content: { nested: {} } }],
    [{ action: 'accept', content: [] }],
  ])('finds %j malformed', async (answer) => {
    const { read } = await prepare();
    expect(isOfficialAnswer('elicitation/create', answer)).toBe(false);
    expect(await read(answer)).toEqual({
      ok: false,
      kind: 'malformed',
      message: "The client's response is not a result of elicitation/create",
    });
  });
});
