import { posix } from 'node:path';
import type { SourceFile } from './source-tree.js';
import { childNode, findNodes, isInsideFunction, nameOf, parse, type SyntaxNode } from './syntax-tree.js';

export interface Import {
  /** File that imports. */
  readonly from: string;
  /** What it wrote. */
  readonly specifier: string;
  /** File that is meant, when the specifier is relative. */
  readonly target?: string;
  /** Loaded when the line runs, not with the file: `import()`, and `require()` inside a function. */
  readonly lazy: boolean;
  /** Gone after compilation. */
  readonly typeOnly: boolean;
}

/** Every import, re-export, `import()`, `require()` and `import('…').Type` of a file. */
export function importsOf(file: SourceFile): Import[] {
  const found = findNodes(parse(file), [
    'ImportDeclaration',
    'ExportNamedDeclaration',
    'ExportAllDeclaration',
    'TsImportEqualsDeclaration',
    'TsImportType',
    'CallExpression',
  ]);
  return found.flatMap(({ node, parents }) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return [];
    const target = specifier.startsWith('.') ? { target: resolveRelative(file.path, specifier) } : {};
    return [{ from: file.path, specifier, ...target, lazy: isLazy(node, parents), typeOnly: isTypeOnly(node) }];
  });
}

/** Cycles of the import graph, each as the path that closes it; type imports count. */
export function findCycles(files: readonly SourceFile[]): string[][] {
  const edges = new Map(files.map((file) => [file.path, targetsOf(file)]));
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      cycles.push([...trail.slice(start), path]);
      return;
    }
    if (finished.has(path)) return;
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const file of files) visit(file.path, []);
  return cycles;
}

/** Bare specifiers that load as soon as the entry is loaded, each with the file that names it. */
export function packagesReachedFrom(entry: string, read: (path: string) => SourceFile): Map<string, string> {
  const reached = new Map<string, string>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const found of importsOf(read(path))) {
      if (found.lazy || found.typeOnly) continue;
      if (found.target === undefined) reached.set(found.specifier, path);
      else visit(found.target);
    }
  };
  visit(entry);
  return reached;
}

/** `node:http` and `@scope/name/deep/file.js` to the name of what is installed. */
export function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

function targetsOf(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ target }) => (target === undefined ? [] : [target]));
}

function specifierOf(node: SyntaxNode): string | undefined {
  if (node.type === 'CallExpression') {
    const callee = childNode(node, 'callee');
    if (callee?.type !== 'Import' && nameOf(callee) !== 'require') return undefined;
    const [argument] = Array.isArray(node['arguments']) ? node['arguments'] : [];
    return nameOf(childNode({ type: 'Argument', ...argument }, 'expression'));
  }
  if (node.type === 'TsImportType') return nameOf(childNode(node, 'argument'));
  if (node.type === 'TsImportEqualsDeclaration') {
    const reference = childNode(node, 'moduleRef');
    return reference && nameOf(childNode(reference, 'expression'));
  }
  return nameOf(childNode(node, 'source'));
}

function isLazy(node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  if (node.type !== 'CallExpression') return false;
  return childNode(node, 'callee')?.type === 'Import' || isInsideFunction(parents);
}

function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type === 'TsImportType') return true;
  return node['typeOnly'] === true || node['isTypeOnly'] === true;
}

/** Sources name the compiled file (`./x.js`); the graph is one of sources, except inside `dist`. */
function resolveRelative(from: string, specifier: string): string {
  const path = posix.normalize(posix.join(posix.dirname(from), specifier));
  return from.endsWith('.ts') ? path.replace(/\.js$/, '.ts') : path;
}
