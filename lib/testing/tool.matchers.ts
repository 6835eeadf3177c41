import type { ContentBlock, ToolResult } from '../model/content.js';
import {
  fits,
  show,
  verdict,
  whenReceived,
  type MatcherContext,
  type MatcherResult,
  type Received,
} from './matcher.js';

type Judgement = MatcherResult | Promise<MatcherResult>;

export function toolTextMatcher(this: MatcherContext, subject: unknown, expected?: string | RegExp): Judgement {
  const wanted = `a tool's result with ${expected === undefined ? 'a text' : `the text ${show(expected)}`}`;
  return whenReceived(subject, (received) => {
    const result = toolResultOf(received);
    const text = result?.isError === true ? undefined : textOf(result);
    return verdict(text !== undefined && fits(text, expected), this, wanted, received);
  });
}

export function toolErrorMatcher(this: MatcherContext, subject: unknown, expected?: string | RegExp): Judgement {
  const wanted = `a tool's failure${expected === undefined ? '' : ` with the text ${show(expected)}`}`;
  return whenReceived(subject, (received) => {
    const result = toolResultOf(received);
    const text = result?.isError === true ? (textOf(result) ?? '') : undefined;
    return verdict(text !== undefined && fits(text, expected), this, wanted, received);
  });
}

export function toolJsonMatcher(this: MatcherContext, subject: unknown, expected: unknown): Judgement {
  return whenReceived(subject, (received) => {
    const result = toolResultOf(received);
    const isRight = result !== undefined && result.isError !== true && this.equals(result.structuredContent, expected);
    return verdict(isRight, this, `a tool's result with the structured content ${show(expected)}`, received);
  });
}

function toolResultOf(received: Received): ToolResult | undefined {
  if (received.kind === 'thrown') return undefined;
  const result = received.value as Partial<ToolResult> | null | undefined;
  return Array.isArray(result?.content) ? (result as ToolResult) : undefined;
}

/** `undefined` if there is other content than text, or no content. */
function textOf(result: ToolResult | undefined): string | undefined {
  const blocks: readonly ContentBlock[] = result?.content ?? [];
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return blocks.length > 0 && texts.length === blocks.length ? texts.join('\n') : undefined;
}
