import { McpError } from '../../errors/mcp.error.js';
import type { Fault } from '../../model/fault.js';
import type { Operation, OperationRequest } from '../../model/operation.js';
import type { HeaderMark } from '../../schema/header-marks.js';
import { valueAt, writePath } from '../../schema/schema-issues.js';
import { MCP_PARAM_PREFIX, decodeHeaderValue } from '../../wire/headers.js';
import { findExactInteger } from '../../wire/json.decoder.js';

type HeaderMismatch = Extract<Fault, { kind: 'header-mismatch' }>;

/** Thrown when headers and body of a call differ; never reaches exception filters. */
export class HeaderMismatchError extends McpError {
  constructor(readonly fault: HeaderMismatch) {
    super('MCP_HEADER_MISMATCH', fault.message);
  }
}

const ARGUMENTS = ['params', 'arguments'];

/** An argument that clients repeat as a header. */
interface Mirror {
  readonly path: readonly string[];
  /** Name of the header in lower case, as in Node's headers and in error messages. */
  readonly key: string;
  readonly label: string;
  readonly argument: string;
}

/**
 * Compares the headers `Mcp-Param-*` of a call with the marked arguments of its tool.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export class MirrorCheck {
  private readonly mirrors: readonly Mirror[];

  constructor(marks: readonly HeaderMark[]) {
    this.mirrors = marks.map(({ name, path }) => ({
      path,
      key: MCP_PARAM_PREFIX + name.toLowerCase(),
      label: `Mcp-Param-${name}`,
      argument: `"${writePath(path)}"`,
    }));
  }

  /** Finds the first header that differs from its argument; without HTTP there are no headers to compare. */
  findMismatch({ operation, rawHeaders, body }: OperationRequest): HeaderMismatch | undefined {
    if (rawHeaders === undefined || operation.kind !== 'call-tool') return undefined;
    const sent = parameterHeaders(rawHeaders);
    for (const mirror of this.mirrors) {
      const value = textOf(mirror.path, operation, body);
      const mismatch = value === undefined ? undefined : compare(mirror, sent.get(mirror.key) ?? [], value);
      if (mismatch !== undefined) return mismatch;
    }
    return undefined;
  }
}

/** Collects all `Mcp-Param-*` headers, since the names differ per tool. */
function parameterHeaders(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index].toLowerCase();
    if (!name.startsWith(MCP_PARAM_PREFIX)) continue;
    const values = found.get(name);
    if (values === undefined) found.set(name, [rawHeaders[index + 1]]);
    else values.push(rawHeaders[index + 1]);
  }
  return found;
}

interface Argument {
  readonly kind: 'text' | 'number';
  readonly text: string;
}

/** The expected value of a header; `null` and absent arguments have no header. Lists and objects are left to the schema, which refuses them. */
function textOf(
  path: readonly string[],
  { arguments: args }: Extract<Operation, { kind: 'call-tool' }>,
  body: OperationRequest['body'],
): Argument | undefined {
  const value = valueAt(args, path);
  switch (typeof value) {
    case 'string':
      return { kind: 'text', text: value };
    case 'boolean':
      return { kind: 'text', text: String(value) };
    case 'number':
      return { kind: 'number', text: digitsOf(value, path, body) };
    default:
      return undefined;
  }
}

/** Reads the digits from the message, since JavaScript rounds numbers beyond 2^53. */
function digitsOf(value: number, path: readonly string[], body: OperationRequest['body']): string {
  if (Number.isSafeInteger(value) || !Number.isInteger(value) || body === undefined) return String(value);
  return findExactInteger(body, [...ARGUMENTS, ...path]) ?? String(value);
}

function compare(
  { label, argument }: Mirror,
  sent: readonly string[],
  { kind, text }: Argument,
): HeaderMismatch | undefined {
  if (sent.length === 0) {
    return { kind: 'header-mismatch', message: `The header ${label} is missing; it repeats ${argument}`, body: text };
  }
  if (sent.length > 1) return { kind: 'header-mismatch', message: `The header ${label} occurs more than once` };
  const decoded = decodeHeaderValue(sent[0]);
  if (!decoded.ok) return { kind: 'header-mismatch', message: `The header ${label} is not properly encoded` };
  const header = decoded.value;
  if (kind === 'number' ? isSameNumber(header, text) : header === text) return undefined;
  return { kind: 'header-mismatch', message: `The header ${label} differs from ${argument}`, header, body: text };
}

const LITERAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,6}))?$/;

/** Maximum length of a compared number, which bounds the cost of the comparison. Numbers in accepted JSON bodies are not longer. */
const MAX_LENGTH = 80;

/** Whether two texts are exactly the same number. Texts that are not JSON numbers are not equal. */
export function isSameNumber(one: string, other: string): boolean {
  const number = normalForm(one);
  return number !== undefined && number === normalForm(other);
}

/** Normalises a number: `42`, `42.0` and `4.2e1` have the same form. */
function normalForm(text: string): string | undefined {
  const match = text.length > MAX_LENGTH ? null : LITERAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  const exponent = Number(power) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${exponent}`;
}
