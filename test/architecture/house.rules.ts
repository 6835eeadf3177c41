import { posix } from 'node:path';
import { importsOf } from './import-graph.js';
import { PROCESS_HOMES } from './layers.js';
import type { SourceFile } from './source-tree.js';
import { childNode, childNodes, findNodes, nameOf, parse, type SyntaxNode } from './syntax-tree.js';

export const BUDGET = {
  linesPerFile: 300,
  linesApart: 30,
  filesPerFolder: 20,
  foldersBelowLib: 2,
  parameters: 5,
} as const;

const EMPTY_WORDS = new Set('util utils helper helpers common misc shared types base manager'.split(' '));

export function longFiles(file: SourceFile): string[] {
  const lines = linesOf(file);
  return lines > BUDGET.linesPerFile ? [`${file.path} has ${lines} lines`] : [];
}

/** What is looked for by its kind stands apart, however short it is. */
const APART = /\.(?:errors?|decorator)\.ts$|-options\.interface\.ts$/;

/** Short files that nothing imports but one file beside them: they are a part of it. */
export function needlessFiles(files: readonly SourceFile[]): string[] {
  const importers = new Map<string, Set<string>>();
  for (const { from, target } of files.flatMap(importsOf)) {
    if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(from));
  }
  return files.flatMap((file) => {
    const [only, ...others] = importers.get(file.path) ?? [];
    if (only === undefined || others.length > 0 || posix.dirname(only) !== posix.dirname(file.path)) return [];
    if (linesOf(file) >= BUDGET.linesApart || APART.test(file.path)) return [];
    return [`${file.path} belongs into ${only}`];
  });
}

function linesOf({ text }: SourceFile): number {
  return text.replace(/\n$/, '').split('\n').length;
}

export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > BUDGET.filesPerFolder)
    .map(([name, n]) => `${name} holds ${n} files`);
}

export function deepFolders(paths: readonly string[]): string[] {
  return paths.filter((path) => path.split('/').length - 2 > BUDGET.foldersBelowLib);
}

/** Names whose last word says nothing: of files everywhere, of folders in the library. */
export function emptyNames(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const parts = path.replace(/(\.spec)?(\.d)?\.[cm]?[jt]s$/, '').split('/');
    const judged = path.startsWith('lib/') ? parts : parts.slice(-1);
    return judged.some((part) => EMPTY_WORDS.has(part.split(/[.-]/).at(-1) ?? part));
  });
}

/** Names that are not kebab-case with dots before the role. */
export function oddNames(paths: readonly string[]): string[] {
  return paths.filter((path) => !/^[a-z0-9]+([.-][a-z0-9]+)*\.ts$/.test(path.slice(path.lastIndexOf('/') + 1)));
}

export function defaultExports(file: SourceFile): string[] {
  const direct = findNodes(parse(file), ['ExportDefaultExpression', 'ExportDefaultDeclaration', 'TsExportAssignment']);
  const named = findNodes(parse(file), ['ExportSpecifier']).filter(
    ({ node }) => (nameOf(childNode(node, 'exported')) ?? nameOf(childNode(node, 'orig'))) === 'default',
  );
  return [...direct, ...named].map(() => `${file.path} has a default export`);
}

export function anyAnnotations(file: SourceFile): string[] {
  const keywords = findNodes(parse(file), ['TsKeywordType']).filter(({ node }) => node['kind'] === 'any');
  return keywords.map(() => `${file.path} says any`);
}

/** Constructors take what they inject; everything else takes few parameters, then an object. */
export function longParameterLists(file: SourceFile): string[] {
  const functions = findNodes(parse(file), ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
  const methods = findNodes(parse(file), ['ClassMethod', 'PrivateMethod']).flatMap(({ node }) => {
    const inner = node['function'];
    return typeof inner === 'object' && inner !== null ? [{ type: 'Function', ...inner }] : [];
  });
  const all: SyntaxNode[] = [...functions.map(({ node }) => node), ...methods];
  return all
    .map((node) => childNodes(node, 'params').length)
    .filter((count) => count > BUDGET.parameters)
    .map((count) => `${file.path} has a function with ${count} parameters`);
}

/**
 * V8 puts a function that is assigned to a property where only a full collection looks, until the code around it is
 * optimised: with it everything that it refers to outlives every small collection. Measured: a request that left one such
 * function cost twice the CPU time for good. A function that has a name first, or is a member of a literal, is like any other.
 */
export function assignedFunctions(file: SourceFile): string[] {
  return findNodes(parse(file), ['AssignmentExpression'])
    .filter(({ node }) => childNode(node, 'left')?.type === 'MemberExpression' && isFunction(childNode(node, 'right')))
    .map(() => `${file.path} assigns a function to a property`);
}

/** What the compiler takes away, or V8 does not see. */
const WRAPPERS = new Set(['ParenthesisExpression', 'TsAsExpression', 'TsSatisfiesExpression', 'TsNonNullExpression']);

function isFunction(node: SyntaxNode | undefined): boolean {
  if (node !== undefined && WRAPPERS.has(node.type)) return isFunction(childNode(node, 'expression'));
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';
}

/** Comments that switch a rule of the house off. Rules about one expression may be; these may not. */
export function disabledRules(file: SourceFile): string[] {
  const comments = [...file.text.matchAll(/(?:eslint|oxlint)-disable(?:-next-line|-line)?\b([^\n]*)/g)];
  const lint = comments.flatMap(([comment, rules = '']) => {
    const names = (rules.split('--')[0] ?? '')
      .replace('*/', '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const broad = names.length === 0;
    return broad || names.some((name) => HOUSE_RULES.test(name)) ? [`${file.path}: ${comment.trim()}`] : [];
  });
  const compiler = [...file.text.matchAll(/@ts-(?:nocheck|ignore)\b/g)].map(([comment]) => `${file.path}: ${comment}`);
  return [...lint, ...compiler];
}

export function openEnds(file: SourceFile): string[] {
  return [...file.text.matchAll(/\b(?:TODO|FIXME|XXX|HACK)\b/g)].map(([word]) => `${file.path} says ${word}`);
}

/** `process.stdout`, `process.exit` and `console` outside the files that own them. */
export function processAccess(file: SourceFile): string[] {
  const members = findNodes(parse(file), ['MemberExpression']).flatMap(({ node }) => {
    const field = nameOf(childNode(node, 'property'));
    if (field === 'console' && isNamed(node, ['globalThis', 'global'])) return ['console'];
    if (!isProcess(childNode(node, 'object'))) return [];
    return field !== undefined && isForbidden(field, file.path) ? [`process.${field}`] : [];
  });
  const imported = findNodes(parse(file), ['ImportDeclaration']).flatMap(({ node }) => {
    const from = nameOf(childNode(node, 'source'));
    if (from !== 'node:process' && from !== 'process' && from !== 'node:console' && from !== 'console') return [];
    if (from.endsWith('console')) return ['console'];
    const names = childNodes(node, 'specifiers').map((item) => importedName(item));
    return names.filter((name) => isForbidden(name, file.path)).map((name) => `process.${name}`);
  });
  const destructured = findNodes(parse(file), ['VariableDeclarator']).flatMap(({ node }) => {
    if (!isProcess(childNode(node, 'init'))) return [];
    const pattern = childNode(node, 'id');
    const properties = pattern ? childNodes(pattern, 'properties') : [];
    const names = properties.map((property) => nameOf(childNode(property, 'key')) ?? '');
    return names.filter((name) => isForbidden(name, file.path)).map((name) => `process.${name}`);
  });
  const consoles = findNodes(parse(file), ['MemberExpression']).filter(({ node }) => isNamed(node, ['console']));
  return [...members, ...imported, ...destructured, ...consoles.map(() => 'console')].map(
    (what) => `${file.path} uses ${what}`,
  );
}

const HOUSE_RULES =
  /import\/|no-restricted|no-console|no-explicit-any|no-floating-promises|no-misused-promises|exhaustive|max-|no-default-export/;

function isNamed(member: SyntaxNode, names: readonly string[]): boolean {
  return names.includes(nameOf(childNode(member, 'object')) ?? '');
}

function isProcess(node: SyntaxNode | undefined): boolean {
  if (node?.type === 'MemberExpression') {
    return nameOf(childNode(node, 'property')) === 'process' && isNamed(node, ['globalThis', 'global']);
  }
  return nameOf(node) === 'process';
}

function importedName(specifier: SyntaxNode): string {
  return nameOf(childNode(specifier, 'imported')) ?? nameOf(childNode(specifier, 'local')) ?? '';
}

function isForbidden(field: string, path: string): boolean {
  if (field !== 'stdout' && field !== 'exit') return false;
  return !PROCESS_HOMES[field].some((home) => home.test(path));
}
