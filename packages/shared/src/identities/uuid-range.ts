/** A range of UUIDs, both ends included. */
export type UuidRange = { readonly first: string; readonly last: string };

/** Fewer digits would find more than a person reads. */
const DIGITS_MIN = 6;

/**
 * The UUIDs that begin with what a person typed, with or without hyphens: an index on the id finds them. Undefined for
 * fewer than six hexadecimal digits, and for anything else.
 */
export function uuidsBeginning(typed: string): UuidRange | undefined {
  const digits = typed.replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{1,32}$/.test(digits) || digits.length < DIGITS_MIN) return undefined;
  return { first: uuidOf(digits.padEnd(32, '0')), last: uuidOf(digits.padEnd(32, 'f')) };
}

const uuidOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
