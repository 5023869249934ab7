import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { DAYS_AT_THE_ENDS, DAYS_OUT_OF_RANGE, MOMENTS_AT_THE_ENDS, MOMENTS_OUT_OF_RANGE } from '../test/odd-values.ts';
import { OPERATIONS } from './api/operations.ts';
import { OPERATOR_OPERATIONS } from './operator/operations.ts';

type Node = z.core.JSONSchema._JSONSchema;
type Place = { readonly name: string; readonly format: 'date' | 'date-time'; readonly path: readonly string[] };

/** Where a request takes a moment or a day. */
function* momentsIn(node: Node, name: string, path: readonly string[] = []): Generator<Place, undefined> {
  if (typeof node === 'boolean') return;
  if (node.format === 'date' || node.format === 'date-time') yield { name, format: node.format, path };
  for (const [member, inner] of Object.entries(node.properties ?? {})) yield* momentsIn(inner, name, [...path, member]);
  for (const inner of [node.items ?? []].flat()) yield* momentsIn(inner, name, [...path, '0']);
  for (const inner of [...(node.anyOf ?? []), ...(node.allOf ?? [])]) yield* momentsIn(inner, name, path);
}

const requests = [...OPERATIONS, ...Object.values(OPERATOR_OPERATIONS).flat()].flatMap(
  ({ operationId, request, query }: { operationId: string; request?: z.ZodType; query?: z.ZodType }) =>
    [request, query].flatMap((schema) => (schema === undefined ? [] : [{ name: operationId, schema }])),
);
const places = requests.flatMap(({ name, schema }) =>
  [...momentsIn(z.toJSONSchema(schema, { io: 'input' }), name)].map((place) => ({ ...place, schema })),
);

/** The messages about that field if it has this value and the request nothing else. */
function messagesAbout({ schema, path }: (typeof places)[number], value: string): string[] {
  const body = path.reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value);
  try {
    validate(schema, body);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.details ?? []).filter(({ field }) => field === path.join('.')).map(({ message }) => message);
  }
}

describe('every moment and day of a request', () => {
  it('is found: of partners and of operators', () => {
    expect(places.length).toBeGreaterThanOrEqual(30);
  });

  it.each(places)('$name $path: outside of the years 1 to 9999 is refused, by name (K1)', (place) => {
    const outside = place.format === 'date' ? DAYS_OUT_OF_RANGE : MOMENTS_OUT_OF_RANGE;
    expect(outside.filter((value) => messagesAbout(place, value).length === 0)).toEqual([]);
  });

  it.each(places.filter(({ path }) => path.at(-1) !== 'acceptedAt'))('$name $path: the first and the last are taken (K1)', (place) => {
    const ends = place.format === 'date' ? DAYS_AT_THE_ENDS : MOMENTS_AT_THE_ENDS;
    expect(ends.filter((value) => messagesAbout(place, value).some((message) => !/after|at most/.test(message)))).toEqual([]);
  });
});
