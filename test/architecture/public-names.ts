import type { SourceFile } from './source-tree.js';
import { childNode, childNodes, findNodes, nameOf, parse, type SyntaxNode } from './syntax-tree.js';

/** What an entry point offers: names with a value, and names that are types alone. */
export interface PublicNames {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** The names an entry point re-exports, one by one. */
export function exportedNames(entry: SourceFile): PublicNames {
  const values: string[] = [];
  const types: string[] = [];
  for (const { node } of findNodes(parse(entry), ['ExportNamedDeclaration'])) {
    for (const specifier of childNodes(node, 'specifiers')) {
      const name = nameOf(childNode(specifier, 'exported')) ?? nameOf(childNode(specifier, 'orig'));
      if (name === undefined) throw new Error(`${entry.path} has an export without a name`);
      (node['typeOnly'] === true || specifier['isTypeOnly'] === true ? types : values).push(name);
    }
  }
  return { values: values.sort(), types: types.sort() };
}

/** Anything in an entry point besides named re-exports: declarations, `export *`, side effects. */
export function strangeStatements(entry: SourceFile): string[] {
  const statements = childNodes(parse(entry), 'body');
  return statements.filter((statement) => !isReExport(statement)).map(({ type }) => `${entry.path} holds a ${type}`);
}

function isReExport(statement: SyntaxNode): boolean {
  if (statement.type !== 'ExportNamedDeclaration' || childNode(statement, 'source') === undefined) return false;
  return childNodes(statement, 'specifiers').every(({ type }) => type === 'ExportSpecifier');
}
