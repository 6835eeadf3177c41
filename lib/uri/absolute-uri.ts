const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s\p{Cc}]+$/u;

/** Whether a text begins with a scheme and has neither white space nor control characters. */
export function isAbsoluteUri(text: string): boolean {
  return ABSOLUTE_URI.test(text);
}
