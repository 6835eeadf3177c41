import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface FencedBlock {
  /** What follows the opening fence, such as `ts`. */
  readonly language: string;
  readonly code: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

export interface PageLink {
  readonly target: string;
  readonly line: number;
}

interface Line {
  readonly text: string;
  readonly number: number;
  readonly fenced: boolean;
}

/** One page of documentation, by its path from the root of the repository. */
export class MarkdownPage {
  private readonly lines: readonly Line[];

  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    this.lines = numberLines(text);
  }

  static read(path: string): MarkdownPage {
    return new MarkdownPage(path, readFileSync(`${ROOT}${path}`, 'utf8'));
  }

  get blocks(): readonly FencedBlock[] {
    return [...this.text.matchAll(/^```([^\n]*)\n([^]*?)^```$/gm)].map((match) => ({
      language: match[1] ?? '',
      code: match[2] ?? '',
      line: this.text.slice(0, match.index).split('\n').length,
    }));
  }

  /** Links and pictures outside code, with the targets as written. */
  get links(): readonly PageLink[] {
    return this.lines
      .filter(({ fenced }) => !fenced)
      .flatMap(({ text, number }) => {
        const prose = text.replaceAll(/`[^`]*`/g, (code) => 'x'.repeat(code.length));
        return [...prose.matchAll(/\]\(([^()\s]*)\)/g)].map((match) => ({ target: match[1] ?? '', line: number }));
      });
  }

  /** What a link to a heading of this page may say after `#`. */
  get anchors(): readonly string[] {
    const seen = new Map<string, number>();
    return this.lines
      .filter(({ text, fenced }) => !fenced && /^#{1,6} /.test(text))
      .map(({ text }) => {
        const slug = slugOf(text.replace(/^#+ /, ''));
        const count = seen.get(slug) ?? 0;
        seen.set(slug, count + 1);
        return count === 0 ? slug : `${slug}-${count}`;
      });
  }
}

/** As code hosts make them: lower case, no punctuation, hyphens for spaces. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function numberLines(text: string): Line[] {
  let fenced = false;
  return text.split('\n').map((line, index) => {
    const isFence = line.startsWith('```');
    if (isFence) fenced = !fenced;
    return { text: line, number: index + 1, fenced: fenced || isFence };
  });
}
