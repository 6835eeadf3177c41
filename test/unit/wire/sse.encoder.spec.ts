import { describe, expect, it } from '@jest/globals';
import { SSE_KEEP_ALIVE, encodeSseMessage } from '../../../lib/wire/sse.encoder.js';

describe('encodeSseMessage', () => {
  it('is one event with the text as data', () => {
    expect(encodeSseMessage('{"a":"x\\ny"}')).toBe('event: message\ndata: {"a":"x\\ny"}\n\n');
  });

  it.each(['\n', '\r', '\r\n'])('keeps an event with the line break %j together', (lineBreak) => {
    expect(encodeSseMessage(`{${lineBreak}${lineBreak}"a":1}`)).toBe(
      'event: message\ndata: {\ndata: \ndata: "a":1}\n\n',
    );
  });

  it('does not change U+2028, which is not a line break in a stream', () => {
    expect(encodeSseMessage('"\u2028"')).toBe('event: message\ndata: "\u2028"\n\n');
  });
});

describe('SSE_KEEP_ALIVE', () => {
  it('is a comment and nothing else', () => {
    expect(SSE_KEEP_ALIVE).toMatch(/^:[^\r\n]*\n\n$/);
  });
});
