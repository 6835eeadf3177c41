import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isFields } from '../../model/fields.js';
import type { SchemaIssue } from '../component-schema.js';
import { type IssuePath, limitIssues, MAX_ISSUES, redact, valueAt, writePath } from '../schema-issues.js';

type Issue = StandardSchemaV1.Issue;

/** A library's issues without the received values that some of them quote. */
export function wordVendorIssues(vendor: string, issues: readonly Issue[], root: unknown): SchemaIssue[] {
  return limitIssues(
    issues.slice(0, MAX_ISSUES).map((issue) => {
      const path = (issue.path ?? []).map(readSegment);
      return { path: writePath(path), message: redact(wordIssue(vendor, issue, path), valueAt(root, path)) };
    }),
  );
}

function readSegment(segment: PropertyKey | StandardSchemaV1.PathSegment): string | number {
  const key = typeof segment === 'object' ? segment.key : segment;
  return typeof key === 'number' ? key : String(key);
}

function wordIssue(vendor: string, issue: Issue, path: IssuePath): string {
  if (vendor === 'valibot') return wordValibot(issue);
  if (vendor === 'arktype') return wordArkType(issue, path);
  return issue.message;
}

/** Default texts end in `but received "…"` or `: Received "…"`; the issue also has that part as a separate member. */
function wordValibot(issue: Issue): string {
  const { message } = issue;
  const received = memberOf(issue, 'received');
  if (received === undefined) return message;
  const end = [` but received ${received}`, `: Received ${received}`].find((text) => message.endsWith(text));
  if (end !== undefined) return message.slice(0, -end.length);
  return received.length > 3 ? message.replaceAll(received, 'the value') : message;
}

/** Default texts end in `(was …)`; `expected` has the same text without it, except for unions. */
function wordArkType(issue: Issue, path: IssuePath): string {
  const branches: unknown = 'errors' in issue ? issue.errors : undefined;
  if (Array.isArray(branches) && branches.length > 0) {
    const texts = branches.slice(0, MAX_ISSUES).map((branch: Issue) => wordBranch(branch, path));
    return [...new Set(texts)].join(' or ');
  }
  const expected = memberOf(issue, 'expected');
  return expected === undefined || expected.includes('(was ') ? 'is not valid' : `must be ${expected}`;
}

function wordBranch(branch: Issue, parent: IssuePath): string {
  const path = (branch.path ?? []).map(readSegment);
  const place = writePath(path.slice(parent.length));
  return `${place}${place === '' ? '' : ' '}${wordArkType(branch, path)}`;
}

function memberOf(issue: Issue, name: string): string | undefined {
  const value = isFields(issue) ? issue[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
