import { importsOf, packageName, type Import } from './import-graph.js';
import { COMPOSITION, CONSTANTS, DIALECT_DELTAS, LAYERS, PACKAGE_HOMES, type Layer } from './layers.js';
import type { SourceFile } from './source-tree.js';
import { childNode, findNodes, isInsideFunction, nameOf, parse } from './syntax-tree.js';

/** Imports that the table does not list. */
export function forbiddenImports(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ target }) => target !== undefined && !isAllowed(file.path, target))
    .map(describeImport);
}

/** Folders of `lib` without a row, and rows without a folder. */
export function unlistedFolders(paths: readonly string[], rows: Readonly<Record<string, Layer>>): string[] {
  const folders = new Set(paths.flatMap((path) => folderOf(path) ?? []));
  const missing = [...folders].filter((folder) => !(folder in rows)).map((folder) => `${folder} has no row`);
  const stale = Object.keys(rows)
    .filter((row) => !folders.has(row))
    .map((row) => `${row} has no folder`);
  return [...missing, ...stale];
}

/** Rows that reach into a higher ring, which no table may allow. */
export function upwardRows(rows: Readonly<Record<string, Layer>>): string[] {
  return Object.entries(rows).flatMap(([folder, { ring, mayImport }]) =>
    mayImport
      .filter((other) => (rows[other]?.ring ?? Infinity) > ring)
      .map((other) => `${folder} may not be given ${other}`),
  );
}

/** Entry points are for users; inside, a file imports the file it means. */
export function barrelImports(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ target }) => target !== undefined && /(^|\/)index\.ts$/.test(target))
    .map(describeImport);
}

/** Files outside the library that `lib` reaches for. */
export function escapingImports(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ target }) => target !== undefined && !target.startsWith('lib/'))
    .map(describeImport);
}

/** Only `dialects` knows that there are revisions, and revisions do not know one another. */
export function dialectLeaks(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ target }) => {
      const revision = revisionOf(target);
      if (revision === undefined) return false;
      const own = revisionOf(file.path);
      if (own !== undefined) return revision !== own && DIALECT_DELTAS[own] !== revision;
      return folderOf(file.path) !== 'dialects';
    })
    .map(describeImport);
}

/** Revisions of the protocol that code outside `dialects` names. */
export function namedRevisions(file: SourceFile): string[] {
  if (folderOf(file.path) === 'dialects') return [];
  return findNodes(parse(file), ['StringLiteral'])
    .map(({ node }) => nameOf(node) ?? '')
    .filter((text) => /^\d{4}-\d{2}-\d{2}$/.test(text))
    .map((text) => `${file.path} names ${text}`);
}

/** Error codes that are written as numbers elsewhere than in `error-statuses.ts` of a dialect, and in JSON-RPC's own list. */
export function wireNumbers(file: SourceFile): string[] {
  if (CODE_HOMES.some((home) => home.test(file.path))) return [];
  const codes = findNodes(parse(file), ['KeyValueProperty']).filter(
    ({ node }) => nameOf(childNode(node, 'key')) === 'code' && childNode(node, 'value')?.type === 'NumericLiteral',
  );
  const reserved = findNodes(parse(file), ['UnaryExpression']).filter(({ node }) => {
    const value = childNode(node, 'argument')?.['value'];
    return node['operator'] === '-' && typeof value === 'number' && value >= 32_000 && value <= 32_768;
  });
  return [...codes, ...reserved].map(() => `${file.path} holds an error code`);
}

const CODE_HOMES = [/^lib\/dialects\/(?:[^/]+\/)?error-statuses\.ts$/, /^lib\/wire\/json-rpc\.ts$/];

/** Packages named by a file that is not about them. */
export function misplacedPackages(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ specifier, target }) => {
      const homes = target === undefined ? homesOf(packageName(specifier)) : undefined;
      return homes !== undefined && !homes.some((home) => home.test(file.path));
    })
    .map(describeImport);
}

/** Packages that an installation of the library would not bring or demand. */
export function undeclaredPackages(file: SourceFile, declared: ReadonlySet<string>): string[] {
  return importsOf(file)
    .filter(({ specifier, target }) => {
      return target === undefined && !specifier.startsWith('node:') && !declared.has(packageName(specifier));
    })
    .map(describeImport);
}

/** Paths into Nest that differ between its releases; only the package roots are equal. */
export function deepFrameworkImports(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ specifier }) => /^@nestjs\/[^/]+\/./.test(specifier))
    .map(describeImport);
}

/** Code that cannot live in the CommonJS copy: `import.meta`, and `await` outside a function. */
export function unportableSyntax(file: SourceFile): string[] {
  const nodes = findNodes(parse(file), ['MetaProperty', 'AwaitExpression']);
  return nodes.flatMap(({ node, parents }) => {
    if (node.type === 'MetaProperty') return node['kind'] === 'import.meta' ? [`${file.path} uses import.meta`] : [];
    return isInsideFunction(parents) ? [] : [`${file.path} awaits at top level`];
  });
}

/** True for a name itself and for a member of a listed scope. */
export function matchesPackage(pattern: string, name: string): boolean {
  return pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function isAllowed(from: string, target: string): boolean {
  if (target === CONSTANTS) return from !== CONSTANTS;
  if (from === CONSTANTS) return false;
  const own = folderOf(from);
  const other = folderOf(target);
  if (own === undefined) {
    if (from !== 'lib/index.ts' && !/^lib\/mcp[.-]/.test(from)) return false;
    return other === undefined || COMPOSITION.mayImport.includes(other);
  }
  const layer = LAYERS[own];
  // Whatever stands above the composition uses its public classes.
  if (other === undefined) return layer !== undefined && layer.ring > COMPOSITION.ring && /^lib\/mcp\./.test(target);
  return own === other || (layer?.mayImport.includes(other) ?? false);
}

/** The folder directly below `lib`, if the file is in one. */
function folderOf(path: string): string | undefined {
  const [, folder, rest] = path.split('/');
  return rest === undefined ? undefined : folder;
}

function revisionOf(path: string | undefined): string | undefined {
  return path && /^lib\/dialects\/(v\d[^/]*)/.exec(path)?.[1];
}

function homesOf(name: string): readonly RegExp[] | undefined {
  const entry = Object.entries(PACKAGE_HOMES).find(([pattern]) => matchesPackage(pattern, name));
  return entry?.[1];
}

function describeImport({ from, specifier }: Import): string {
  return `${from} imports ${specifier}`;
}
