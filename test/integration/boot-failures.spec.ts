import { describe, expect, it } from '@jest/globals';
import { Controller, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { z } from 'zod';

import {
  Args,
  Completion,
  DuplicateComponentError,
  InvalidComponentError,
  McpContext,
  McpModule,
  Prompt,
  Resource,
  Tool,
} from '../../lib/index.js';
import { moduleOf, refusal, start } from '../support/started.js';

const description = 'd';

/** A class whose method `run` carries one decorator. */
function decorated(decorator: unknown, types: readonly unknown[] = [], name = 'Host'): Type<unknown> {
  const Host = {
    [name]: class {
      run(..._args: unknown[]): string {
        return '';
      }
    },
  }[name] as Type<{ run: unknown }>;
  const descriptor = Object.getOwnPropertyDescriptor(Host.prototype, 'run') as PropertyDescriptor;
  Reflect.defineMetadata('design:paramtypes', types, Host.prototype as object, 'run');
  (decorator as MethodDecorator)(Host.prototype as object, 'run', descriptor);
  return Host;
}

const tool = (options: object, types?: readonly unknown[], name?: string): Type<unknown> =>
  decorated(Tool({ description, ...options }), types, name);
const resource = (options: object, types?: readonly unknown[], name?: string): Type<unknown> =>
  decorated(Resource({ description, ...options } as never), types, name);
const prompt = (options: object, types?: readonly unknown[], name?: string): Type<unknown> =>
  decorated(Prompt({ description, ...options }), types, name);
const completion = (options: object, types?: readonly unknown[], name?: string): Type<unknown> =>
  decorated(Completion(options as never), types, name);

const providing = (...providers: Type<unknown>[]): ModuleMetadata => ({ providers });

const texts = (...names: string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

/** What is wrong, and words of the message beside class and method: the fault, then the cure. */
const INVALID: Readonly<Record<string, readonly [Type<unknown> | ModuleMetadata, string, string]>> = {
  'a name with spaces': [tool({ name: 'two words' }), '"two words" is not allowed', 'A-Z a-z 0-9 _ . -'],
  'an empty name': [tool({ name: '' }), '"" is not allowed', '1 to 128'],
  'a name that is too long': [tool({ name: 'a'.repeat(129) }), 'is not allowed', '1 to 128'],
  'a name that is no string': [tool({ name: 5 }), '5 is not allowed', '1 to 128'],
  'a prompt name beyond ASCII': [prompt({ name: 'größe' }), '"größe"', '1 to 128'],
  'an unknown option of a tool': [
    tool({ descripton: 'x' }),
    'unknown option "descripton"',
    'Valid options: name, title',
  ],
  'an unknown option of a resource': [
    resource({ uri: 'a://b', uriTemplate: 'x' }),
    'unknown option "uriTemplate"',
    'Valid options: name',
  ],
  'an unknown option of a prompt': [prompt({ output: {} }), 'unknown option "output"', 'Valid options: name'],
  'an unknown option of a completion': [
    completion({ prompt: 'a', argument: 'b', name: 'c' }),
    'unknown option "name"',
    'Valid options: prompt',
  ],
  'a description that is no text': [tool({ description: 5 }), 'the option "description"', 'must be a string'],
  'a title that is no text': [prompt({ title: {} }), 'the option "title"', 'must be a string'],
  'a blank title': [tool({ title: ' ' }), 'the option "title"', 'Leave it out'],
  'a mimeType that is no text': [resource({ uri: 'a://b', mimeType: 5 }), 'the option "mimeType"', 'must be a string'],
  'annotations that are no object': [
    tool({ annotations: 'readOnly' }),
    'the option "annotations"',
    'must be an object',
  ],
  'annotations of a resource that are no object': [
    resource({ uri: 'a://b', annotations: [] }),
    'the option "annotations"',
    'must be an object',
  ],
  'an unknown annotation of a tool': [
    tool({ annotations: { readonlyHint: true } }),
    'the option "annotations.readonlyHint": this option does not exist',
    'Valid options: title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint. Anything else goes into "meta".',
  ],
  'a hint that is no boolean': [
    tool({ annotations: { readOnlyHint: 'yes' } }),
    'the option "annotations.readOnlyHint"',
    'must be true or false',
  ],
  'a blank title among annotations': [
    tool({ annotations: { title: '' } }),
    'the option "annotations.title"',
    'Leave it out',
  ],
  'an unknown annotation of a resource': [
    resource({ uri: 'a://b', annotations: { readOnlyHint: true } }),
    'the option "annotations.readOnlyHint": this option does not exist',
    'Valid options: audience, priority, lastModified',
  ],
  'an unknown audience': [
    resource({ uri: 'a://{b}', annotations: { audience: ['everybody'] } }),
    'the option "annotations.audience"',
    'list of "user" and "assistant"',
  ],
  'a priority out of range': [
    resource({ uri: 'a://b', annotations: { priority: 2 } }),
    'the option "annotations.priority"',
    'from 0 to 1',
  ],
  'a moment of another form': [
    resource({ uri: 'a://b', annotations: { lastModified: 'yesterday' } }),
    'the option "annotations.lastModified"',
    'ISO 8601',
  ],
  'a day instead of a moment': [
    resource({ uri: 'a://b', annotations: { lastModified: '2026-07-28' } }),
    'the option "annotations.lastModified"',
    'such as "2026-07-28T12:00:00Z"',
  ],
  'meta that is no object': [tool({ meta: 'x' }), 'the option "meta"', 'must be an object'],
  'meta that turns into a text': [tool({ meta: new Date(0) }), 'the option "meta"', 'must be a plain object'],
  'meta with a key of another form': [
    tool({ meta: { 'two words': 1 } }),
    'the option "meta["two words"]": it is not a valid key of _meta',
    'as in "example.com/note"',
  ],
  'meta with a key of the protocol': [
    resource({ uri: 'a://b', meta: { 'io.modelcontextprotocol/serverInfo': {} } }),
    'the option "meta["io.modelcontextprotocol/serverInfo"]": its prefix belongs to the protocol',
    'Use a domain of yours',
  ],
  'meta that JSON cannot hold': [
    prompt({ meta: { 'example.com/n': { deep: [1n] } } }),
    'the option "meta": "',
    'must not be a bigint',
  ],
  'icons that are no list': [tool({ icons: { src: 'https://a/b.png' } }), 'the option "icons"', 'must be a list'],
  'an icon that is no object': [tool({ icons: ['https://a/b.png'] }), 'the option "icons[0]"', 'must be an object'],
  'an icon without a picture': [tool({ icons: [{}] }), 'the option "icons[0].src"', 'https: or data:'],
  'an icon without an absolute URL': [
    prompt({ icons: [{ src: '/b.png' }] }),
    'the option "icons[0].src"',
    'https: or data:',
  ],
  'an icon that runs code': [
    prompt({ icons: [{ src: 'javascript:alert(1)' }] }),
    'the option "icons[0].src"',
    'https: or data:',
  ],
  'an icon of plain HTTP': [
    tool({ icons: [{ src: 'https://a/b.png' }, { src: 'http://a/b.png' }] }),
    'the option "icons[1].src"',
    'Serve the picture by https:',
  ],
  'an icon of another size': [
    tool({ icons: [{ src: 'https://a/b.png', sizes: ['48'] }] }),
    'the option "icons[0].sizes"',
    '"48x48", or "any"',
  ],
  'an icon of another theme': [
    tool({ icons: [{ src: 'https://a/b.png', theme: 'blue' }] }),
    'the option "icons[0].theme"',
    '"light" or "dark"',
  ],
  'an icon of no media type': [
    tool({ icons: [{ src: 'https://a/b.png', mimeType: 'png' }] }),
    'the option "icons[0].mimeType"',
    '"image/png"',
  ],
  'an icon with an unknown member': [
    tool({ icons: [{ src: 'https://a/b.png', size: '48x48' }] }),
    'the option "icons[0].size": this option does not exist',
    'Valid options: src, mimeType, sizes, theme',
  ],
  'a server that is no name': [tool({ server: 5 }), 'the option "server"', 'must be the name of a server'],
  'an empty list of servers': [tool({ server: [] }), 'the option "server"', 'must be the name of a server'],
  'an unknown server': [tool({ server: 'admin' }), 'the server "admin", which does not exist', 'Servers here: default'],
  'a list with an unknown server': [
    prompt({ server: ['default', 'admin'] }),
    'the server "admin", which does not exist',
    'Servers here: default',
  ],
  'a feature of an unknown server': [
    { imports: [McpModule.forFeature({ server: 'admin', providers: [tool({})] })] },
    'the server "admin", which does not exist',
    'Servers here: default',
  ],
  'a date in a schema': [tool({ input: z.object({ at: z.date() }) }), 'input schema cannot be used', 'string'],
  'a bigint in a schema': [tool({ input: z.object({ n: z.bigint() }) }), 'input schema cannot be used', 'JSON'],
  'a custom check in a schema': [tool({ input: z.object({ n: z.custom() }) }), 'input schema cannot be used', 'JSON'],
  'an output schema with a date': [
    tool({ output: z.object({ at: z.date() }) }),
    'output schema cannot be used',
    'JSON',
  ],
  'a schema of an unknown kind': [tool({ input: 5 }), 'input schema cannot be used', 'Pass one of these'],
  'a list as arguments': [tool({ input: z.array(z.string()) }), 'input schema cannot be used', 'object'],
  'text as arguments': [tool({ input: { type: 'string' } }), 'input schema cannot be used', 'object'],
  'a header mark with a space': [
    tool({ input: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'two words' } } } }),
    'x-mcp-header',
    '',
  ],
  'a header mark on an object': [
    tool({ input: { type: 'object', properties: { a: { type: 'object', 'x-mcp-header': 'A' } } } }),
    'x-mcp-header',
    '',
  ],
  'the same header mark twice': [
    tool({
      input: {
        type: 'object',
        properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
      },
    }),
    'x-mcp-header',
    '',
  ],
  'arguments whose type is erased': [tool({}, [Object]), 'is unknown at run time', 'declare a DTO class'],
  'arguments of a built-in type': [tool({}, [String]), 'is unknown at run time', 'Pass `input`'],
  'a second parameter without a source': [
    tool({ input: texts('a') }, [Object, Object]),
    'parameter 2 has no source',
    '@Args()',
  ],
  'a parameter behind arguments and context': [
    tool({ input: texts('a') }, [Object, McpContext, Object]),
    'parameter 3 has no source',
    '@Signal()',
  ],
  'a prompt argument that is a number': [
    prompt({ input: z.object({ n: z.number() }) }),
    'the argument "n" is not a string',
    'parse it in the method',
  ],
  'a prompt argument that is a list': [
    prompt({ input: z.object({ n: z.array(z.string()) }) }),
    'the argument "n" is not a string',
    'Declare a string',
  ],
  'a URI without a scheme': [
    resource({ uri: 'readme.md' }),
    '"readme.md" is not an absolute URI',
    'Start it with a scheme',
  ],
  'a URI with a space': [resource({ uri: 'docs://a b' }), 'is not an absolute URI', 'percent-encode'],
  'no URI': [resource({}), 'the option "uri" is missing', 'absolute URI'],
  'a size that is no number': [resource({ uri: 'a://b', size: -1 }), 'the option "size"', 'number of bytes'],
  'a size of a template': [resource({ uri: 'a://{b}', size: 1 }), 'has no "size"', 'Leave it out'],
  'a template that is not closed': [resource({ uri: 'a://{b' }), 'The URI template "a://{b"', ''],
  'an operator that templates do not have': [resource({ uri: 'a://x/{|b}' }), 'The URI template', ''],
  'a URI that a template matches': [
    providing(resource({ uri: 'docs://{name}' }), resource({ uri: 'docs://readme', name: 'b' }, [], 'Other')),
    'matches URIs of the resource "docs://readme" of Other.run too',
    'another literal segment',
  ],
  'a template that matches a URI of before': [
    providing(resource({ uri: 'docs://readme', name: 'b' }, [], 'Other'), resource({ uri: 'docs://{name}' })),
    'matches URIs of the resource "docs://readme" of Other.run too',
    'another literal segment',
  ],
  'two templates that match one URI': [
    providing(resource({ uri: 'docs://{name}' }), resource({ uri: 'docs://{id}', name: 'b' }, [], 'Other')),
    'matches URIs of the template "docs://{id}" of Other.run too',
    'another literal segment',
  ],
  'a completion for an unknown prompt': [
    completion({ prompt: 'nobody', argument: 'a' }),
    'the prompt "nobody"',
    'does not have',
  ],
  'a completion for an unknown template': [
    completion({ resource: 'a://{b}', argument: 'b' }),
    'the template "a://{b}"',
    'does not have',
  ],
  'a completion for an unknown argument': [
    providing(
      prompt({ name: 'known', input: texts('a', 'b') }, [], 'Other'),
      completion({ prompt: 'known', argument: 'c' }),
    ),
    'completes "c"',
    'It has a, b.',
  ],
  'a completion for a prompt without arguments': [
    providing(prompt({ name: 'known' }, [], 'Other'), completion({ prompt: 'known', argument: 'c' })),
    'completes "c"',
    'It has none.',
  ],
  'a completion for an unknown variable': [
    providing(resource({ uri: 'a://{b}' }, [], 'Other'), completion({ resource: 'a://{b}', argument: 'c' })),
    'completes "c"',
    'It has b.',
  ],
  'a completion for nothing': [completion({ argument: 'a' }), 'what it completes', '"prompt" or "resource"'],
  'a completion for both': [
    completion({ prompt: 'a', resource: 'b', argument: 'a' }),
    'what it completes',
    '"prompt" or "resource"',
  ],
  'a completion without an argument': [completion({ prompt: 'a' }), 'the option "argument" is missing', ''],
};

class Fine {
  @Tool({ description })
  fine(): string {
    return 'fine';
  }
}

describe('an app does not start with', () => {
  it.each(Object.entries(INVALID))('%s', async (_what, [given, fault, cure]) => {
    const metadata = typeof given === 'function' ? { providers: [given] } : given;
    const error = await refusal(moduleOf({ ...metadata, providers: [Fine, ...(metadata.providers ?? [])] }));
    expect(error).toBeInstanceOf(InvalidComponentError);
    expect(error.message).toMatch(/^Host\.run: /);
    expect(error.message).toContain(fault);
    expect(error.message).toContain(cure);
    expect(error).toHaveProperty('code', 'MCP_INVALID_COMPONENT');
  });

  it('named arguments without a schema', async () => {
    class Host {
      @Tool({ description })
      run(@Args('name') _name: string): string {
        return '';
      }
    }
    expect((await refusal(moduleOf({ providers: [Host] }))).message).toMatch(/^Host\.run: .*by name.*Pass `input`/);
  });

  it.each([
    ['tool', tool({ name: 'same' }), tool({ name: 'same' }, [], 'Other'), '"same"'],
    ['prompt', prompt({ name: 'same' }), prompt({ name: 'same' }, [], 'Other'), '"same"'],
    ['resource', resource({ uri: 'a://b' }), resource({ uri: 'a://b', name: 'other' }, [], 'Other'), '"a://b"'],
    ['template', resource({ uri: 'a://{b}' }), resource({ uri: 'a://{b}', name: 'other' }, [], 'Other'), '"a://{b}"'],
  ])('two of one %s', async (kind, first, second, name) => {
    const error = await refusal(moduleOf({ providers: [first, second] }));
    expect(error).toBeInstanceOf(DuplicateComponentError);
    expect(error.message).toContain(`Both Host.run and Other.run declare the ${kind} ${name}.`);
    expect(error.message).toContain('Rename one of them');
  });

  it('two completions of one argument', async () => {
    const named = prompt({ name: 'known', input: texts('a') }, [], 'Named');
    const twice = [
      completion({ prompt: 'known', argument: 'a' }),
      completion({ prompt: 'known', argument: 'a' }, [], 'Other'),
    ];
    const error = await refusal(moduleOf({ providers: [named, ...twice] }));
    expect(error).toBeInstanceOf(DuplicateComponentError);
    expect(error.message).toContain('Both Host.run and Other.run');
  });

  it('one class that two modules provide', async () => {
    @Module({ providers: [Fine] })
    class FirstModule {}
    @Module({ providers: [Fine] })
    class SecondModule {}
    const error = await refusal(moduleOf({ imports: [FirstModule, SecondModule] }));
    expect(error).toBeInstanceOf(DuplicateComponentError);
    expect(error.message).toContain('Fine.fine');
    expect(error.message).toContain('provide it in one module and export it from there');
  });

  it('a bad component on a controller', async () => {
    const Host = tool({ name: 'two words' });
    Controller()(Host);
    expect((await refusal(moduleOf({ controllers: [Host] }))).message).toMatch(/^Host\.run: /);
  });

  it('a bad component of another server', async () => {
    const bad = tool({ server: 'other', input: z.object({ at: z.date() }) });
    const other = McpModule.forRoot({ name: 'other', version: '1.0.0', http: false, server: 'other' });
    expect((await refusal(moduleOf({ imports: [other], providers: [Fine, bad] }))).message).toMatch(/^Host\.run: /);
  });
});

describe('an app starts with', () => {
  it.each(
    Object.entries({
      'a name of 128 characters': providing(tool({ name: 'a'.repeat(128) })),
      'every character that names may have': providing(tool({ name: 'aZ0_.-' })),
      'the same name for a tool and a prompt': providing(tool({ name: 'same' }), prompt({ name: 'same' }, [], 'Other')),
      'the same name for two resources': providing(
        resource({ uri: 'a://b', name: 'same' }),
        resource({ uri: 'a://c', name: 'same' }, [], 'Other'),
      ),
      'templates apart by a literal': providing(
        resource({ uri: 'a://{b}/x' }),
        resource({ uri: 'a://{b}/y', name: 'b' }, [], 'Other'),
      ),
      'a prompt argument of choices': providing(
        prompt({ input: z.object({ tone: z.enum(['warm', 'cold']).optional() }) }),
      ),
      'icons of the web and inline': providing(
        tool({
          icons: [
            { src: 'https://a/b.png', mimeType: 'image/png', sizes: ['48x48', 'any'], theme: 'dark' },
            { src: 'data:image/png;base64,AQID' },
          ],
        }),
      ),
      'every annotation and keys of its own': providing(
        tool({
          title: 'T',
          annotations: {
            title: 'T',
            readOnlyHint: true,
            destructiveHint: false,
            idempotentHint: true,
            openWorldHint: false,
          },
          meta: { 'com.example.mcp/note': { a: [1] }, ui: { resourceUri: 'ui://a' }, 'openai/outputTemplate': 'x' },
        }),
        resource(
          { uri: 'a://b', annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-07-28T12:00:00Z' } },
          [],
          'Other',
        ),
      ),
      'no component at all': {},
      'a provider that throws when looked at': {
        providers: [{ provide: 'trap', useValue: Object.defineProperty({}, 'then', { get: () => undefined }) }],
      },
    } as Record<string, ModuleMetadata>),
  )('%s', async (_what, metadata) => {
    const app = await start(moduleOf(metadata));
    expect(app).toBeDefined();
    await app.close();
  });
});
