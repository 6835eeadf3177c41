import { parseSync } from '@swc/core';
import type { SourceFile } from './source-tree.js';

/** A node of the parsed file. Every node has a type; the rest depends on it. */
export type SyntaxNode = { readonly type: string; readonly [field: string]: unknown };

const parsed = new Map<string, SyntaxNode>();

/** Comments and strings are no nodes that a rule could mistake for code. */
export function parse(file: SourceFile): SyntaxNode {
  const key = `${file.path}\n${file.text}`;
  const known = parsed.get(key);
  if (known) return known;
  const syntax = /\.[cm]?ts$/.test(file.path)
    ? ({ syntax: 'typescript', decorators: true } as const)
    : ({ syntax: 'ecmascript' } as const);
  const tree: unknown = parseSync(file.text, { ...syntax, target: 'es2022' });
  if (!isNode(tree)) throw new Error(`${file.path}: nothing parsed`);
  parsed.set(key, tree);
  return tree;
}

/** A node with its place in the tree. */
export class FoundNode {
  constructor(
    readonly node: SyntaxNode,
    private readonly parent: FoundNode | undefined,
  ) {}

  /** The nodes around this one, the outermost first. */
  get parents(): readonly SyntaxNode[] {
    return this.parent === undefined ? [] : [...this.parent.parents, this.parent.node];
  }
}

/** All nodes of whole files, since many rules search the same file. */
const indexes = new WeakMap<SyntaxNode, readonly FoundNode[]>();

/** All nodes of the given types, in source order. */
export function findNodes(root: SyntaxNode, types: readonly string[]): FoundNode[] {
  const index = indexes.get(root) ?? listNodes(root);
  if (root.type === 'Module' || root.type === 'Script') indexes.set(root, index);
  return index.filter(({ node }) => types.includes(node.type));
}

function listNodes(root: SyntaxNode): FoundNode[] {
  const found: FoundNode[] = [];
  const visit = (value: unknown, parent: FoundNode | undefined): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, parent);
    } else if (isNode(value)) {
      const here = new FoundNode(value, parent);
      found.push(here);
      for (const child of Object.values(value)) visit(child, here);
    } else if (isRecord(value)) {
      for (const child of Object.values(value)) visit(child, parent);
    }
  };
  visit(root, undefined);
  return found;
}

export function childNode(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const child = node[field];
  return isNode(child) ? child : undefined;
}

export function childNodes(node: SyntaxNode, field: string): SyntaxNode[] {
  const children = node[field];
  return Array.isArray(children) ? children.filter(isNode) : [];
}

/** The text of an identifier or a string literal, whatever field holds it. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Computed') return nameOf(childNode(node, 'expression'));
  return node && typeof node['value'] === 'string' ? node['value'] : undefined;
}

/** Whether code with these nodes around it waits for a call. */
export function isInsideFunction(parents: readonly SyntaxNode[]): boolean {
  return parents.some(({ type }) => FUNCTIONS.has(type));
}

const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'FunctionDeclaration',
  'FunctionExpression',
  'ClassMethod',
  'PrivateMethod',
  'Constructor',
  'MethodProperty',
]);

function isNode(value: unknown): value is SyntaxNode {
  return isRecord(value) && typeof value['type'] === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
