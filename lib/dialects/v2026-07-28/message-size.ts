import { McpError } from '../../errors/mcp.error.js';
import type { OperationRequest } from '../../model/operation.js';

/** A unit of UTF-16 has at most so many bytes in UTF-8. */
const MOST_BYTES_OF_UNIT = 3;
/** Characters of a name or URI that an error quotes. */
const MAX_QUOTED = 128;

/** What would be sent is larger than the server allows. */
export class ResultTooLargeError extends McpError {
  constructor(
    readonly bytes: number,
    readonly maxBytes: number,
    subject = 'A message',
  ) {
    super(
      'MCP_RESULT_TOO_LARGE',
      `${subject} is too large to be sent: it has ${bytes} bytes or more, and limits.maxResultBytes is ${maxBytes}. Return it in pages, or a link to a resource, or raise that limit.`,
    );
  }

  /** The same, about what the request asked for. */
  of(what: string, request: OperationRequest): ResultTooLargeError {
    return new ResultTooLargeError(this.bytes, this.maxBytes, `${what} of ${subjectOf(request)}`);
  }
}

/** How large a message may be. Most are so much smaller that their length alone says so. */
export class MessageSize {
  constructor(readonly maxBytes: number) {}

  /** Before it is written: it has at least so many characters. @throws ResultTooLargeError */
  expect(length: number): void {
    if (length > this.maxBytes) throw new ResultTooLargeError(length, this.maxBytes);
  }

  /** @throws ResultTooLargeError */
  check(json: string): string {
    if (json.length * MOST_BYTES_OF_UNIT <= this.maxBytes) return json;
    this.expect(json.length);
    this.expect(Buffer.byteLength(json));
    return json;
  }
}

function subjectOf({ operation }: OperationRequest): string {
  switch (operation.kind) {
    case 'call-tool':
      return `the tool ${quoted(operation.name)}`;
    case 'get-prompt':
      return `the prompt ${quoted(operation.name)}`;
    case 'read-resource':
      return `the resource ${quoted(operation.uri)}`;
    default:
      return `a request of the kind "${operation.kind}"`;
  }
}

function quoted(name: string): string {
  return `"${name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name}"`;
}
