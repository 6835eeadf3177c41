import { describe, expect, it } from '@jest/globals';
import { findPairingFault } from '../../../lib/questions/sampling.check.js';
import type { SampleBlock, SampleMessage } from '../../../lib/model/questions.js';

const TEXT: SampleBlock = { type: 'text', text: 'a' };
const use = (id: string): SampleBlock => ({ type: 'tool_use', id, name: 'add', input: {} });
const result = (toolUseId: string): SampleBlock => ({ type: 'tool_result', toolUseId, content: [] });
const user = (...content: SampleBlock[]): SampleMessage => ({ role: 'user', content });
const assistant = (...content: SampleBlock[]): SampleMessage => ({ role: 'assistant', content });

describe('findPairingFault', () => {
  it.each<[string, SampleMessage[]]>([
    ['words alone', [user(TEXT), assistant(TEXT), user(TEXT), user(TEXT)]],
    ['a call and its result', [assistant(use('1')), user(result('1'))]],
    ['several of them, in any order', [assistant(TEXT, use('1'), use('2')), user(result('2'), result('1'))]],
    ['an id that is used again', [assistant(use('1')), user(result('1')), assistant(use('1')), user(result('1'))]],
    [
      'single blocks',
      [
        { role: 'assistant', content: use('1') },
        { role: 'user', content: result('1') },
      ],
    ],
  ])('finds nothing wrong with %s', (_what, messages) => {
    expect(findPairingFault(messages)).toBeUndefined();
  });

  it.each<[string, SampleMessage[], string]>([
    ['a call that nobody answers', [user(TEXT), assistant(use('1'))], 'last message'],
    ['words in place of a result', [assistant(use('1')), user(TEXT)], 'messages[1]'],
    ['words beside a result', [assistant(use('1')), user(result('1'), TEXT)], 'messages[1] must hold nothing but'],
    ['an assistant that goes on', [assistant(use('1')), assistant(TEXT), user(result('1'))], 'messages[1]'],
    ['a result without a call', [user(result('1'))], 'messages[0]'],
    ['a result of another call', [assistant(use('1')), user(result('2'))], 'messages[1]'],
    ['a result that is missing', [assistant(use('1'), use('2')), user(result('1'))], 'messages[1]'],
    ['one result in place of another', [assistant(use('1'), use('2')), user(result('1'), result('1'))], 'messages[1]'],
    ['a result that comes twice', [assistant(use('1')), user(result('1'), result('1'))], 'messages[1]'],
    ['one result too many', [assistant(use('1')), user(result('1'), result('2'))], 'messages[1]'],
    ['a result that comes late', [assistant(use('1')), user(result('1')), user(result('1'))], 'messages[2]'],
    ['an id that is used twice at once', [assistant(use('1'), use('1')), user(result('1'))], 'messages[0]'],
    ['a call of the user', [user(use('1'))], 'belongs to the assistant'],
    ['a result of the assistant', [assistant(use('1')), assistant(result('1'))], 'belongs to the user'],
  ])('finds %s', (_what, messages, words) => {
    expect(findPairingFault(messages)).toContain(words);
  });
});
