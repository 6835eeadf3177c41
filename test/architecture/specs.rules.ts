import type { SourceFile } from './source-tree.js';
import { childNode, findNodes, nameOf, parse, type SyntaxNode } from './syntax-tree.js';

const BLOCKS = new Set(['describe', 'it', 'test']);
const SHUT_MODIFIERS = new Set(['skip', 'only', 'todo', 'failing']);
const SHUT_BLOCKS = new Set(['xit', 'xtest', 'xdescribe', 'fit', 'fdescribe']);
const RETRIES = 'retryTimes';
/** Most specs hold none of these words, and need not be parsed. */
const SHUT_WORDS = new RegExp(`\\b(?:${[...SHUT_MODIFIERS, ...SHUT_BLOCKS, RETRIES].join('|')})\\b`);

/** Specs that no run would pick up. */
export function unlistedSpecs(specs: readonly string[], listed: ReadonlySet<string>): string[] {
  return specs.filter((path) => !listed.has(path));
}

/** Files that look like tests under a name that no run picks up. */
export function misnamedSpecs(paths: readonly string[]): string[] {
  return paths.filter((path) => /[.-](test|e2e-spec)\.[cm]?[jt]sx?$|\.spec\.([cm][jt]s|js|tsx|jsx)$/.test(path));
}

/** Tests that are written and do not count: skipped, singled out, planned, or tried until they pass. */
export function shutTests(file: SourceFile): string[] {
  if (!SHUT_WORDS.test(file.text)) return [];
  const tree = parse(file);
  const members = findNodes(tree, ['MemberExpression']).flatMap(({ node }) => {
    const field = nameOf(childNode(node, 'property')) ?? '';
    return SHUT_MODIFIERS.has(field) && BLOCKS.has(rootName(node)) ? [`.${field}`] : [];
  });
  const names = findNodes(tree, ['CallExpression', 'MemberExpression', 'TaggedTemplateExpression']).flatMap(
    ({ node }) => {
      const callee = childNode(node, 'callee') ?? childNode(node, 'object') ?? childNode(node, 'tag');
      const name = nameOf(callee) ?? '';
      return SHUT_BLOCKS.has(name) ? [name] : [];
    },
  );
  const retries = findNodes(tree, ['Identifier']).filter(({ node }) => nameOf(node) === RETRIES);
  return [...members, ...names, ...retries.map(() => RETRIES)].map((what) => `${file.path} uses ${what}`);
}

/** The identifier at the start of `it.each([]).skip`. */
function rootName(node: SyntaxNode): string {
  const inner = childNode(node, 'object') ?? childNode(node, 'callee') ?? childNode(node, 'tag');
  return inner ? rootName(inner) : (nameOf(node) ?? '');
}
