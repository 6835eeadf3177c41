/** The same text for equal JSON values, whatever the order of their members; a different one for different values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** Whether no two items are equal; linear, where comparing pairs would be quadratic. */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const composites = new Set<string>();
  for (const item of items) {
    const isComposite = typeof item === 'object' && item !== null;
    const key = isComposite ? canonicalJson(item) : item;
    const seen: Set<unknown> = isComposite ? composites : scalars;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}
