import { ERRORS, type ErrorCode } from '../src/errors/catalogue.ts';

/**
 * Every pair of these refusals in the catalogue's order: the first of a pair takes precedence. `apart` names pairs that
 * cannot apply to the same request, `A × B`.
 */
export function pairsOf<Code extends ErrorCode>(
  codes: readonly Code[],
  apart: readonly string[] = [],
): readonly (readonly [first: Code, second: Code])[] {
  const places = Object.keys(ERRORS);
  const ordered = codes.toSorted((a, b) => places.indexOf(a) - places.indexOf(b));
  const pairs = ordered.flatMap((first, index) => ordered.slice(index + 1).map((second) => [first, second] as const));
  const left = pairs.filter(([first, second]) => !apart.includes(`${first} × ${second}`));
  if (left.length !== pairs.length - apart.length) throw new Error('`apart` names a pair that is not one of these');
  return left;
}
