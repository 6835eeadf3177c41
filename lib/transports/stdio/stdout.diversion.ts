import { syncBuiltinESMExports } from 'node:module';
import type { Writable } from 'node:stream';

import type { LineOutput } from './line.writer.js';

/** Where the output of the protocol is kept, so that two copies of the package agree. */
const PROTOCOL_OUTPUT = Symbol.for('nestjs-mcp.protocol-output');

/** The streams of a process. */
export interface OutputStreams {
  readonly stdout: Writable;
  readonly stderr: Writable;
  [PROTOCOL_OUTPUT]?: LineOutput;
}

/**
 * Leads whatever the app writes to stdout to stderr, and returns what still leads to stdout, for the protocol alone. Whoever
 * asks the process for its stdout gets stderr, its file descriptor included, which loggers open on their own; whoever has
 * asked before writes to stderr as well. Harmless to repeat.
 */
export function divertStdout(streams: OutputStreams): LineOutput {
  const kept = streams[PROTOCOL_OUTPUT];
  if (kept !== undefined) return kept;
  const { stdout, stderr } = streams;
  const output = behind(stdout, divertWrites(streams));
  // Without a listener, a log line that nobody reads any more would end the process before its shutdown hooks.
  stderr.on('error', () => undefined);
  Object.defineProperty(streams, 'stdout', { get: () => stderr, configurable: true, enumerable: true });
  Object.defineProperty(streams, PROTOCOL_OUTPUT, { value: output });
  // For those who import it by name.
  syncBuiltinESMExports();
  return output;
}

/** Leads what is written to stdout to stderr, and returns what writes to stdout itself. */
export function divertWrites({ stdout, stderr }: Pick<OutputStreams, 'stdout' | 'stderr'>): Writable['write'] {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return write;
}

/** The stream, by the `write` that it was made with. */
function behind(stream: Writable, write: Writable['write']): LineOutput {
  return {
    get writableLength() {
      return stream.writableLength;
    },
    write,
    on: stream.on.bind(stream),
  };
}
