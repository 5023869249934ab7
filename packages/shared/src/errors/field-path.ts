/** How a refusal names a field: its path with dots, such as `receipt.items.0.name`; `whole` if it has none. */
export function fieldPath(path: readonly PropertyKey[], whole: 'body' | 'query' = 'body'): string {
  const text = path.map(String).join('.');
  return text === '' ? whole : text;
}
