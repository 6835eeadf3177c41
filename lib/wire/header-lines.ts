/** How often a header was sent. Node keeps the first of some of them, such as `Host`, and joins others by a comma. */
export function countHeader(rawHeaders: readonly string[], lowerName: string): number {
  const { length } = lowerName;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === length && (name === lowerName || name.toLowerCase() === lowerName)) count += 1;
  }
  return count;
}
