const SCHEME = /^(?:https?|ftp):\/\//iu;
const SPACE = /\s/u;
/** Host and port as the format `url` of ajv-formats has them: a public address, or a name with a top-level domain. */
const HOST =
  /^(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{a1}-\u{ffff}]+-)*[a-z0-9\u{a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{a1}-\u{ffff}]+-)*[a-z0-9\u{a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{a1}-\u{ffff}]{2,})))(?::\d{2,5})?$/iu;

/**
 * What the format `url` of ajv-formats admits, in linear time. Its expression lets any `@` end the user name and tries
 * them all; here the text between two of them is looked at once.
 */
export function isUrl(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return false;
  const rest = text.slice(scheme.length);
  // Neither the user name nor the path has a space. Some spaces may be part of a host.
  const firstSpace = SPACE.exec(rest)?.index ?? rest.length;
  const lastSpace = firstSpace === rest.length ? -1 : findLastSpace(rest);
  let slash = -1;
  for (let start = 0, at = -1; start <= firstSpace && at < rest.length; start = at + 1) {
    at = endOf(rest.indexOf('@', start), rest);
    if (slash < start) slash = endOf(rest.indexOf('/', start), rest);
    const isHost = slash <= at && start !== 1 && HOST.test(rest.slice(start, slash));
    if (isHost && lastSpace < slash) return true;
  }
  return false;
}

function endOf(index: number, text: string): number {
  return index === -1 ? text.length : index;
}

function findLastSpace(text: string): number {
  let index = text.length - 1;
  while (!SPACE.test(text.charAt(index))) index -= 1;
  return index;
}
