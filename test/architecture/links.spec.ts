import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MarkdownPage, ROOT, type PageLink } from '../support/markdown-page.js';
import { listFiles } from './source-tree.js';

const PAGES = [
  ...listFiles('.', (name) => name.endsWith('.md')).filter((path) => !path.includes('/')),
  ...['docs', 'sample'].flatMap((folder) => listFiles(folder, (name) => name.endsWith('.md'))),
];

const isExternal = (target: string): boolean => /^(?:https?|mailto):/.test(target);

/** Says what is wrong with a link to another place of the repository. */
function complain(page: MarkdownPage, { target, line }: PageLink): string[] {
  const [path = '', anchor] = target.split('#');
  const place = `${page.path}:${line} links to ${target}`;
  const file = path === '' ? page.path : posix.join(dirname(page.path), path);
  if (path.startsWith('/') || file.startsWith('..')) return [`${place}, which leaves the repository`];
  if (file !== page.path && !existsSync(join(ROOT, file))) return [`${place}, which does not exist`];
  if (anchor === undefined) return [];
  if (!file.endsWith('.md')) return [`${place}, which has no headings`];
  const linked = file === page.path ? page : MarkdownPage.read(file);
  return linked.anchors.includes(anchor) ? [] : [`${place}, and ${file} has no such heading`];
}

const complaints = (page: MarkdownPage): string[] =>
  page.links.filter(({ target }) => !isExternal(target)).flatMap((link) => complain(page, link));

/** Each question of the table in CONTRIBUTING.md, by the word of it that the path of the answer has to show. */
const WORDS = ['origin', 'status', 'revision', 'arguments', 'event-stream', 'guarded', 'transport'];
const ANSWER = /^\| Where .*\| \[[^\]]+\]\((lib\/[^)]+)\) +\| `(\w+)` +\|$/gm;

describe('where to look', () => {
  const answers = [...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(ANSWER)];

  it('is answered for each question by a file whose path says so', () => {
    expect(answers.map(([, path = ''], index) => [path, path.includes(WORDS[index] ?? '?')])).toEqual(
      answers.map(([, path]) => [path, true]),
    );
    expect(answers).toHaveLength(WORDS.length);
  });

  it.each(answers.map(([, path = '', name = '']) => [path, name]))('is %s, which has %s', (path, name) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe('links of the documentation', () => {
  it('are looked for on every page', () => {
    expect(PAGES).toEqual(
      expect.arrayContaining([
        ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'sample/README.md'],
        ...['docs/components.md', 'docs/getting-started.md', 'docs/http.md'],
      ]),
    );
  });

  it.each(PAGES)('of %s lead to a file, and to a heading where they name one', (path) => {
    expect(complaints(MarkdownPage.read(path))).toEqual([]);
  });

  it('would be caught when they lead nowhere', () => {
    const text = ['# Here', '[a](missing.md)', '[b](#there)', '[c](../../x)', '[d](../package.json#x)', '[e](/etc)'];
    expect(complaints(new MarkdownPage('docs/page.md', text.join('\n')))).toHaveLength(5);
  });

  it('may lead to headings, to other hosts and be shown in code', () => {
    const text = ['# A `b`, c!', '## Twice', '## Twice', '[a](#a-b-c) [b](#twice-1) [c](https://example.com/x)'];
    const code = ['`[d](nowhere.md)`', '```md', '[e](nowhere.md)', '# Not a heading', '```'];
    const page = new MarkdownPage('docs/page.md', [...text, ...code].join('\n'));
    expect(complaints(page)).toEqual([]);
    expect(page.anchors).toEqual(['a-b-c', 'twice', 'twice-1']);
  });
});
