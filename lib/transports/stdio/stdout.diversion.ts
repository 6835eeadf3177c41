import { syncBuiltinESMExports } from 'node:module';
import type { Writable } from 'node:stream';

import type { LineOutput } from './line.writer.js';

/** Global key of the protocol output, shared by several copies of the package. */
const PROTOCOL_OUTPUT = Symbol.for('nestjs-mcp.protocol-output');

/** The streams of a process. */
export interface OutputStreams {
  readonly stdout: Writable;
  readonly stderr: Writable;
  [PROTOCOL_OUTPUT]?: LineOutput;
}

/**
 * Redirects output of the app from stdout to stderr, and returns a stream to stdout for the protocol. `process.stdout` becomes
 * stderr, including its file descriptor, which some loggers open themselves; references that were taken before are redirected
 * as well. May be repeated.
 */
export function divertStdout(streams: OutputStreams): LineOutput {
  const kept = streams[PROTOCOL_OUTPUT];
  if (kept !== undefined) return kept;
  const { stdout, stderr } = streams;
  const output = behind(stdout, divertWrites(streams));
  // Without a listener, a write error of a log line would end the process before its shutdown hooks.
  stderr.on('error', () => undefined);
  Object.defineProperty(streams, 'stdout', { get: () => stderr, configurable: true, enumerable: true });
  Object.defineProperty(streams, PROTOCOL_OUTPUT, { value: output });
  // For named imports.
  syncBuiltinESMExports();
  return output;
}

/** Redirects writes to stdout to stderr, and returns the original write to stdout. */
export function divertWrites({ stdout, stderr }: Pick<OutputStreams, 'stdout' | 'stderr'>): Writable['write'] {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return write;
}

/** The stream with its original `write`. */
function behind(stream: Writable, write: Writable['write']): LineOutput {
  return {
    get writableLength() {
      return stream.writableLength;
    },
    write,
    on: stream.on.bind(stream),
  };
}
