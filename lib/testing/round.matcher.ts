import { show, verdict, whenReceived, type MatcherContext, type MatcherResult, type Received } from './matcher.js';

export function roundMatcher(
  this: MatcherContext,
  subject: unknown,
  ...keys: readonly string[]
): MatcherResult | Promise<MatcherResult> {
  const wanted = `a result that asks ${keys.length === 0 ? 'for input' : keys.map(show).join(', ')}`;
  return whenReceived(subject, (received) => {
    const asked = keysIn(received);
    const pass = asked !== undefined && keys.every((key) => asked.includes(key));
    return verdict(pass, this, wanted, received);
  });
}

function keysIn(received: Received): readonly string[] | undefined {
  if (received.kind === 'thrown') return undefined;
  const { resultType, inputRequests } = (received.value ?? {}) as { resultType?: unknown; inputRequests?: object };
  return resultType === 'input_required' ? Object.keys(inputRequests ?? {}) : undefined;
}
