/** The same text for equal JSON values, whatever the order of their members; a different one for different values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>;
    let text = '';
    for (const name of Object.keys(fields).toSorted()) {
      if (fields[name] === undefined) continue;
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(fields[name])}`;
    }
    return `{${text}}`;
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
