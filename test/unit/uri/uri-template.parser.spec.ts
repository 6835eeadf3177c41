import { describe, expect, it } from '@jest/globals';
import { InvalidUriTemplateError } from '../../../lib/errors/invalid-uri-template.error.js';
import { UriTemplate } from '../../../lib/uri/uri-template.js';

function failureOf(template: string): InvalidUriTemplateError {
  try {
    UriTemplate.parse(template);
  } catch (error) {
    return error as InvalidUriTemplateError;
  }
  throw new Error(`"${template}" was accepted`);
}

describe('what a template may be', () => {
  it.each<[string, string[]]>([
    ['test://template/{id}/data', ['id']],
    ['weather://a.b/{c}', ['c']],
    ['users://{name}/profile', ['name']],
    ['note://{id}', ['id']],
    ['file:///{path}', ['path']],
    ['file:///{+path}', ['path']],
    ['file://{/path*}', ['path']],
    ['files://docs{/path*}/raw', ['path']],
    ['files://docs{/name}', ['name']],
    ['files://docs/report-{id}.pdf', ['id']],
    ['db://t/{a}/{b}{?page,size}{&sort}', ['a', 'b', 'page', 'size', 'sort']],
    ['list://all{?page}', ['page']],
    ['a://{x}/{x}/{y.z}', ['x', 'y.z']],
    ['café://x'.replace('é', 'e') + '/{v}', ['v']],
    ['Weather+V1.0://x/{v}', ['v']],
    ['a://static/only', []],
  ])('takes %s', (template, variables) => {
    const parsed = UriTemplate.parse(template);
    expect(parsed.variables).toEqual(variables);
    expect(parsed.source).toBe(template);
  });

  it.each<[string, RegExp, RegExp]>([
    ['{scheme}://x/{v}', /literal scheme/, /scheme:\/\/host/],
    ['urn:isbn:{id}', /literal scheme/, /scheme:\/\/host/],
    ['/plain/{v}', /literal scheme/, /scheme:\/\/host/],
    ['', /literal scheme/, /scheme:\/\/host/],
    ['a://', /neither an authority nor a path/, /scheme:\/\/\{name\}/],
    ['a://x//{v}', /empty path segment/, /Remove/],
    ['a://x/{v}/', /empty path segment/, /Remove/],
    ['a://x/{?q}', /empty path segment/, /Remove/],
    ['a://x/{a}{b}', /two variables in one segment/, /Separate/],
    ['a://x/{a}-{b}', /two variables in one segment/, /Separate/],
    ['a://{a}.{b}/x', /two variables in one segment/, /Separate/],
    ['a://x/{a,b}', /several variables in "\{a,b\}"/, /one expression/],
    ['a://x/{a:3}', /modifier in "\{a:3\}"/, /\{v\}/],
    ['a://x/{a*}', /modifier in "\{a\*\}"/, /\{\/v\*\}/],
    ['a://x/{+a*}', /modifier/, /\{v\}/],
    ['a://x{?a*}', /modifier/, /\{v\}/],
    ['a://x/{#a}', /uses "\{#a\}"/, /\{\+v\}/],
    ['a://x/{.a}', /uses "\{\.a\}"/, /\{\+v\}/],
    ['a://x/{;a}', /uses "\{;a\}"/, /\{\+v\}/],
    ['a://x/{}', /invalid variable name/, /letters/],
    ['a://x/{a-b}', /invalid variable name in "\{a-b\}"/, /letters/],
    ['a://x/{a', /"\{" without "\}"/, /%7B/],
    ['a://x/a}', /"\}" without "\{"/, /%7D/],
    ['a://x/{{a}}', /invalid variable name/, /letters/],
    ['a://x/{+a}/{/b}', /more than one of/, /Keep one/],
    ['a://x{/a}{/b*}', /more than one of/, /Keep one/],
    ['a://x/{+a}.md', /beside an open-ended variable/, /between slashes/],
    ['a://x/v{+a}', /"\{\+a\}" beside other text/, /between slashes/],
    ['a://x/{v}{+a}', /beside other text/, /between slashes/],
    ['a://x{/a*}.md', /beside an open-ended variable/, /between slashes/],
    ['a://x{/a*}{b}', /beside an open-ended one/, /between slashes/],
    ['a://{+a}', /open-ended variable in the authority/, /between slashes/],
    ['a://x/{a}?fixed=1', /literal query/, /\{\?name\}/],
    ['a://x/{a}#top', /fragment/, /Remove/],
    ['a://x{?a}/b', /text after its query/, /last/],
    ['a://x{?a}{b}', /variable after its query/, /last/],
    ['a://x{?a}{/b}', /variable after its query/, /last/],
    ['a://x{&a}', /out of order/, /\{\?a,b\}/],
    ['a://x{?a}{?b}', /out of order/, /\{&c\}/],
    ['a://x{?a,a}', /repeats the query parameter "a"/, /once/],
    ['a://x{?a}{&a}', /repeats the query parameter "a"/, /once/],
    ['a://x/{uri}', /reserved variable "uri"/, /Rename/],
    ['a://x{?_meta}', /reserved variable "_meta"/, /Rename/],
    ['a://x/{__proto__}', /reserved variable "__proto__"/, /Rename/],
    ['a://x/{p}{/p*}', /to a list and to a text/, /Rename/],
    ['http://localhost:3000/{a}', /port, user or IP literal/, /plain name/],
    ['a://me@{host}/x', /port, user or IP literal/, /plain name/],
    ['a://[{v}]/x', /port, user or IP literal/, /plain name/],
    ['a://x/two words/{v}', /URI cannot hold/, /Percent-encode/],
    ['a://x/a\\b/{v}', /URI cannot hold/, /Percent-encode/],
    ['a://x/50%/{v}', /URI cannot hold/, /Percent-encode/],
    ['a://x/%E9/{v}', /URI cannot hold/, /Percent-encode/],
    ['a://x/\ud800/{v}', /URI cannot hold/, /Percent-encode/],
    ['a://x/\u0000/{v}', /URI cannot hold/, /Percent-encode/],
  ])('refuses %s and says why and what to do', (template, problem, cure) => {
    const error = failureOf(template);
    expect(error.name).toBe('InvalidUriTemplateError');
    expect(error.code).toBe('MCP_INVALID_URI_TEMPLATE');
    expect(error.template).toBe(template);
    expect(error.message).toMatch(problem);
    expect(error.message.slice(error.message.search(problem))).toMatch(cure);
  });

  it('counts the bound of 1,024 in bytes', () => {
    const filler = 'é'.repeat(507);
    expect(Buffer.byteLength(`a://x/${filler}/{v}`)).toBe(1_024);
    expect(UriTemplate.parse(`a://x/${filler}/{v}`).variables).toEqual(['v']);
    expect(failureOf(`a://xx/${filler}/{v}`).message).toMatch(/longer than 1024 bytes/);
  });

  it('keeps the message of a huge template short', () => {
    expect(failureOf('a://x/'.padEnd(100_000, 'y')).message.length).toBeLessThan(400);
  });

  it('takes 32 variables and no more', () => {
    const path = (count: number): string => Array.from({ length: count }, (_, index) => `/{v${index}}`).join('');
    expect(UriTemplate.parse(`a://x${path(32)}`).variables).toHaveLength(32);
    expect(failureOf(`a://x${path(33)}`).message).toMatch(/more than 32 variables/);
    expect(failureOf(`a://x${path(32)}{?q}`).message).toMatch(/more than 32 variables/);
  });
});
