import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

import type { PostedRequest } from './mcp-request.js';
import { checkWireMessage, type WireMessage } from './wire-oracle.js';

export type HeaderLines = readonly (readonly [name: string, value: string])[];

export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: HeaderLines;
  readonly body?: string | Uint8Array;
  /** Chunked, or no body header at all; otherwise the length of the body is sent. */
  readonly framing?: 'chunked' | 'none' | number;
}

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; repeated ones joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The JSON body, checked against the official schemas. */
  readonly message: WireMessage;
}

/** One connection on which a test decides every byte and when it is sent. */
export class RawConnection implements Disposable {
  private pieces: Buffer[] = [];
  private size = 0;
  private over = false;
  private wake: (() => void) | undefined;
  private written = Promise.resolve();
  /** Resolves when the server has ended its side, or the connection is gone. */
  readonly closed: Promise<void>;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (piece) => {
      this.pieces.push(piece);
      this.size += piece.length;
      this.wake?.();
    });
    this.closed = new Promise((resolve) => {
      const end = (): void => {
        this.over = true;
        this.wake?.();
        resolve();
      };
      socket.on('end', end).on('close', end);
    });
    // Resets show as `closed`.
    socket.on('error', () => undefined);
  }

  /** `allowHalfOpen` for a client that goes on sending when the server has ended its side. */
  static open(
    origin: string,
    { allowHalfOpen = false, isSecure = origin.startsWith('https:') } = {},
  ): Promise<RawConnection> {
    const { hostname: host, port } = new URL(origin);
    return new Promise((resolve, reject) => {
      const socket = isSecure
        ? connectSecurely({ port: Number(port), host, rejectUnauthorized: false })
        : connect({ port: Number(port), host, allowHalfOpen });
      const opened = isSecure ? 'secureConnect' : 'connect';
      socket.once('error', reject).once(opened, () => resolve(new RawConnection(socket)));
    });
  }

  /** Whether the server has ended its side. */
  get ended(): boolean {
    return this.over;
  }

  write(bytes: string | Uint8Array): void {
    this.written = new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** How many bytes the server's side has taken so far, as far as this side can tell. */
  get bytesWritten(): number {
    return this.socket.bytesWritten - this.socket.writableLength;
  }

  /** Resolves when all that was written has left, or the connection is gone. */
  flushed(): Promise<void> {
    return this.written;
  }

  send(request: RawRequest): void {
    this.write(rawHead(request));
    const { body = '', framing } = request;
    if (framing === 'chunked') this.write(Buffer.concat([chunk(body), Buffer.from('0\r\n\r\n')]));
    else if (body.length > 0) this.write(body);
  }

  /** Sends the rest although the server has ended its side, and ends too; whether that was met with a reset. */
  async finish(bytes: string | Uint8Array): Promise<'ended' | 'reset'> {
    let outcome: 'ended' | 'reset' = 'ended';
    const gone = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.once('error', () => {
      outcome = 'reset';
    });
    this.socket.write(bytes);
    this.socket.end();
    await gone;
    return outcome;
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Leaves with a reset instead of an end; without TLS only. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Ends its side, and still reads. */
  end(): void {
    this.socket.end();
  }

  /** Waits until what came in contains this text, and returns all of it. */
  async until(text: string): Promise<string> {
    while (!this.received().includes(text)) {
      if (this.over) throw new Error(`The connection ended before "${text}" came: ${this.received().toString()}`);
      await this.more();
    }
    return this.received().toString();
  }

  /** The next answer; `bodiless` for those to HEAD. */
  async answer({ bodiless = false } = {}): Promise<RawAnswer> {
    const head = await this.take('\r\n\r\n');
    const [statusLine = '', ...lines] = head.split('\r\n');
    const status = Number(statusLine.split(' ')[1]);
    const headers = new Map<string, string>();
    for (const line of lines.filter((text) => text !== '')) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase();
      const value = line.slice(line.indexOf(':') + 1).trim();
      headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
    }
    const body = bodiless || status < 200 ? '' : await this.body(headers);
    return new ParsedAnswer(status, headers, body);
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  private async body(headers: ReadonlyMap<string, string>): Promise<string> {
    if (headers.get('transfer-encoding') === 'chunked') {
      let body = '';
      while (true) {
        const size = Number.parseInt(await this.take('\r\n'), 16);
        body += (await this.takeBytes(size)).toString();
        await this.take('\r\n');
        if (size === 0) return body;
      }
    }
    const length = headers.get('content-length');
    if (length !== undefined) return (await this.takeBytes(Number(length))).toString();
    while (!this.over) await this.more();
    return (await this.takeBytes(this.size)).toString();
  }

  private async take(mark: string): Promise<string> {
    await this.until(mark);
    return (await this.takeBytes(this.received().indexOf(mark) + mark.length)).toString('latin1');
  }

  private async takeBytes(count: number): Promise<Buffer> {
    while (this.size < count) {
      if (this.over) throw new Error(`The connection ended ${count - this.size} bytes too early`);
      await this.more();
    }
    const all = this.received();
    this.pieces = [all.subarray(count)];
    this.size -= count;
    return all.subarray(0, count);
  }

  /** All that came and was not taken, as one piece from now on. */
  private received(): Buffer {
    const all = this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces);
    this.pieces = [all];
    return all;
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

class ParsedAnswer implements RawAnswer {
  constructor(
    readonly status: number,
    readonly headers: ReadonlyMap<string, string>,
    readonly body: string,
  ) {}

  get message(): WireMessage {
    const message = JSON.parse(this.body) as WireMessage;
    checkWireMessage(message);
    return message;
  }
}

/** The bytes of a request's head. */
export function rawHead({ method = 'POST', target = '/mcp', headers = [], body = '', framing }: RawRequest): string {
  const length = typeof framing === 'number' ? framing : Buffer.byteLength(body);
  const frame =
    framing === 'none' ? [] : [framing === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`];
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host');
  const lines = [...headers.map(([name, value]) => `${name}: ${value}`), ...frame];
  return [`${method} ${target} HTTP/1.1`, ...(hasHost ? [] : ['host: 127.0.0.1']), ...lines, '', ''].join('\r\n');
}

export function chunk(data: string | Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`${Buffer.byteLength(data).toString(16)}\r\n`),
    Buffer.from(data),
    Buffer.from('\r\n'),
  ]);
}

/** A posted request with its headers as lines, so that a test can repeat or respell them. */
export function linesOf({ headers }: PostedRequest): (readonly [string, string])[] {
  return Object.entries(headers);
}
