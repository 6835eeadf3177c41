import { PassThrough } from 'node:stream';

import { describe, expect, it } from '@jest/globals';

import { divertStdout, type OutputStreams } from '../../../../lib/transports/stdio/stdout.diversion.js';

function process() {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams: OutputStreams = { stdout, stderr };
  return { streams, stdout, stderr };
}

const textOf = (stream: PassThrough): string => String(stream.read() ?? '');

describe('divertStdout', () => {
  it('leads stdout to stderr, for those who ask for it and those who have asked before', () => {
    const { streams, stdout, stderr } = process();
    divertStdout(streams);
    streams.stdout.write('after ');
    stdout.write('before');
    expect(streams.stdout).toBe(stderr);
    expect(textOf(stderr)).toBe('after before');
    expect(textOf(stdout)).toBe('');
  });

  it('gives the only way to stdout', async () => {
    const { streams, stdout } = process();
    const output = divertStdout(streams);
    await new Promise<unknown>((resolve) => output.write('{}\n', 'latin1', resolve));
    expect(textOf(stdout)).toBe('{}\n');
    expect(output.writableLength).toBe(0);
    const errors: string[] = [];
    output.on('error', ({ message }) => errors.push(message));
    stdout.emit('error', new Error('EPIPE'));
    expect(errors).toEqual(['EPIPE']);
  });

  it('diverts once, even if called repeatedly', () => {
    const { streams, stdout } = process();
    const output = divertStdout(streams);
    expect(divertStdout(streams)).toBe(output);
    output.write('{}\n', 'latin1', () => undefined);
    expect(textOf(stdout)).toBe('{}\n');
  });

  it('works if stderr is closed', () => {
    const { streams, stderr } = process();
    divertStdout(streams);
    expect(() => stderr.emit('error', new Error('EPIPE'))).not.toThrow();
  });
});
