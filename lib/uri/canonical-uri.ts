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

/** What RFC 3986 has no place for; characters beyond ASCII stand for their escapes. */
const FORBIDDEN = /[\s\p{Cc}\p{Surrogate}"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/u;
const SCHEME_AND_MORE = /^[A-Za-z][A-Za-z0-9+.-]*:./u;

/** Whether a text has only what a URI can hold: no spaces, no brackets of another kind, no percent sign by itself. */
export function isUriText(text: string): boolean {
  return !FORBIDDEN.test(text);
}

/** Whether a text begins with a scheme, and has only what a URI can hold. */
export function isAbsoluteUri(text: string): boolean {
  return SCHEME_AND_MORE.test(text) && isUriText(text);
}
