/**
 * One spelling for equal URIs: non-ASCII characters percent-encoded, escapes in upper case. `undefined` for a lone
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

/** Characters that RFC 3986 forbids; non-ASCII characters are accepted in place of their escapes. */
const FORBIDDEN = /[\s\p{Cc}\p{Surrogate}"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/u;
const SCHEME_AND_MORE = /^[A-Za-z][A-Za-z0-9+.-]*:./u;

/** Returns whether a text has only characters of a URI: no spaces, no braces, no percent sign without an escape. */
export function isUriText(text: string): boolean {
  return !FORBIDDEN.test(text);
}

/** Returns whether a text begins with a scheme and has only characters of a URI. */
export function isAbsoluteUri(text: string): boolean {
  return SCHEME_AND_MORE.test(text) && isUriText(text);
}
