import { forbiddenContent } from '../content/forbidden-content.ts';

/**
 * How a refusal names a field: its path with dots, such as `receipt.items.0.name`; `whole` if it has none. It is sent, and
 * logged: so it ends before a name that is itself something that must not be repeated, such as a card number.
 */
export function fieldPath(path: readonly PropertyKey[], whole: 'body' | 'query' = 'body'): string {
  const names = path.map(String);
  const end = names.findIndex((name) => forbiddenContent(name) !== undefined);
  return names.slice(0, end === -1 ? names.length : end).join('.') || whole;
}
