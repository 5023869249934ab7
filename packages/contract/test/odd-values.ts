import { z } from 'zod';

/** What may be wrong with a moment or a day although it looks like one. */
export const MOMENTS_OUT_OF_RANGE = [
  '0000-01-01T00:00:00Z',
  '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T23:59:59.999-23:59',
] as const;
export const DAYS_OUT_OF_RANGE = ['0000-01-01', '0000-02-29', '0000-12-31'] as const;
/** The first and the last of each. */
export const MOMENTS_AT_THE_ENDS = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '0001-01-01T23:59:00+23:59',
  '9999-12-31T00:00:59.999-23:59',
] as const;
export const DAYS_AT_THE_ENDS = ['0001-01-01', '9999-12-31'] as const;

/** Query values, escaped, that no codec of a moment, a number or an id may let through to a statement. */
const ANYWHERE = [
  '%00',
  'a%00b',
  '%FF',
  '%ED%A0%80',
  '%C0%80',
  '99999999999999999999',
  '-1',
  '1e309',
  'NaN',
  'a'.repeat(3_000),
  '%F0%9F%8D%B5'.repeat(800),
];

type Odd = {
  readonly query: string;
  readonly field: string;
  /** Undefined: any but a fault of ours. */
  readonly expected: 400 | undefined;
};

const Parameters = z.object({
  properties: z.record(z.string(), z.object({ format: z.string().optional(), type: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
});

const GOOD: Readonly<Record<string, string>> = { 'date-time': '2026-11-21T00:00:00Z', date: '2026-11-21' };

/** The queries of an operation that have one odd value each. */
export function oddQueriesOf(query: z.ZodType): Odd[] {
  const { properties, required } = Parameters.parse(z.toJSONSchema(query, { io: 'input' }));
  return Object.entries(properties).flatMap(([field, { format = '' }]) => {
    const others = required
      .filter((name) => name !== field)
      .map((name) => `${name}=${encodeURIComponent(GOOD[properties[name]?.format ?? ''] ?? 'x')}`);
    const odd = (value: string, expected?: 400): Odd => ({
      query: [...others, `${field}=${value}`].join('&'),
      field,
      expected,
    });
    const outOfRange = format === 'date-time' ? MOMENTS_OUT_OF_RANGE : format === 'date' ? DAYS_OUT_OF_RANGE : [];
    const ends = format === 'date-time' ? MOMENTS_AT_THE_ENDS : format === 'date' ? DAYS_AT_THE_ENDS : [];
    return [
      ...outOfRange.map((value) => odd(encodeURIComponent(value), 400)),
      ...ends.map((value) => odd(encodeURIComponent(value))),
      ...ANYWHERE.map((value) => odd(value, /%(?:00|FF|ED|C0)/.test(value) ? 400 : undefined)),
    ];
  });
}

/** Values of a path parameter that name nothing. */
export const ODD_PATH_VALUES = [
  '0000-01-01',
  '9999-12-31',
  '%00',
  '%FF',
  'a'.repeat(3_000),
  '%F0%9F%8D%B5'.repeat(800),
  '-1',
  '%20',
] as const;

/** A GET of a document: `path` has its parameters in braces. */
type Read = { readonly method: string; readonly path: string; readonly query?: z.ZodType | undefined };
type Answered = { readonly status: number; readonly body: unknown };

/**
 * Asks every GET for what is odd, one value at a time, and returns what is wrong with an answer: a fault of ours, or a refusal
 * that does not name the field. Where the path names nothing, 404 may come first.
 */
export async function faultsOfOddReads(
  operations: readonly Read[],
  ask: (target: string) => Promise<Answered>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { path, query } of operations.filter(({ method }) => method === 'get')) {
    const hasParameters = path.includes('{');
    const named = (value: string) => path.replaceAll(/\{\w+\}/g, value);
    for (const value of hasParameters ? ODD_PATH_VALUES : []) {
      const { status } = await ask(named(value));
      if (status >= 500) faults.push(`${String(status)} ${named(value).slice(0, 200)}`);
    }
    for (const odd of query === undefined ? [] : oddQueriesOf(query)) {
      const target = `${named('x')}?${odd.query}`;
      const { status, body } = await ask(target);
      const isNamed = JSON.stringify(body).includes(`"field":"${odd.field}"`);
      const isRight = odd.expected === undefined || (status === 400 && isNamed) || (hasParameters && status === 404);
      if (status >= 500 || !isRight) faults.push(`${String(status)} ${target.slice(0, 200)} ${JSON.stringify(body)}`);
    }
  }
  return faults;
}
