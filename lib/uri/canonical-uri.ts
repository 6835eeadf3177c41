/**
 * One spelling for equal URIs: characters beyond ASCII percent-encoded, escapes in upper case. `undefined` for a lone
 * surrogate, which has no UTF-8 form.
 */
export function canonicalUri(text: string): string | undefined {
  if (!/[\u0080-\uffff]|%(?:[a-f]|[0-9A-F][a-f])/.test(text)) return text;
  try {
    return text.replace(/[\u0080-\uffff]+|%[0-9A-Fa-f]{2}/g, (part) =>
      part.startsWith('%') ? part.toUpperCase() : encodeURIComponent(part),
    );
  } catch {
    return undefined;
  }
}
