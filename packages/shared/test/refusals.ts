import { ERRORS, type ErrorCode } from '../src/errors/catalogue.ts';

/**
 * Every pair of these refusals, the one that is answered first: what the catalogue's order says. `apart` names pairs that
 * cannot apply to one request, `A × B`.
 */
export function pairsOf<Code extends ErrorCode>(
  codes: readonly Code[],
  apart: readonly string[] = [],
): readonly (readonly [first: Code, second: Code])[] {
  const places = Object.keys(ERRORS);
  const ordered = codes.toSorted((a, b) => places.indexOf(a) - places.indexOf(b));
  const pairs = ordered.flatMap((first, index) => ordered.slice(index + 1).map((second) => [first, second] as const));
  const left = pairs.filter(([first, second]) => !apart.includes(`${first} × ${second}`));
  if (left.length !== pairs.length - apart.length) throw new Error('a pair that cannot apply is none of these');
  return left;
}
