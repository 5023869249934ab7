import { describe, expect, it } from '@jest/globals';
import { parseJson } from '@pay/shared/json/json-body.ts';
import fc from 'fast-check';
import { ANYTHING, changed, pathsOf, type Path } from '../test/changes.ts';
import { arbitrary, bodiesOf, judge, nameOf, queryOf, schemaOf, type Schema } from '../test/requests.ts';
import { OPERATIONS } from './api/operations.ts';

// Routes parse with these schemas (decisions/contract-as-code): what they take is what the service takes.

const COMMANDS = OPERATIONS.flatMap((one) => (one.request === undefined ? [] : [{ ...one, request: one.request }]));
const LISTS = OPERATIONS.flatMap((one) => (one.query === undefined ? [] : [{ ...one, query: one.query }]));

/** As a service reads it: numbers by their digits. */
const sent = (body: unknown): unknown => parseJson(Buffer.from(JSON.stringify(body)));

/** Rules that the document says in words: whether amounts fit together, and which texts are no e-mail address or id. */
const isInWords = (path: Path): boolean =>
  path.includes('amount') || path.includes('price') || path.includes('quantity') || path.includes('receipt');

/** Texts that a query parameter does not allow. */
function outsideOf({ type, maximum, minLength, maxLength, enum: words, format }: Schema): readonly string[] {
  return [
    ...(type === 'integer' ? ['0', '1e1', String((maximum ?? 0) + 1)] : []),
    ...(minLength === undefined ? [] : ['']),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(words === undefined && format === undefined ? [] : ['nonsense']),
  ];
}

describe('requests that the document allows', () => {
  it.each(COMMANDS)('$operationId: the service takes them all', ({ request }) => {
    const isAllowed = judge(nameOf(request));
    fc.assert(
      fc.property(bodiesOf(nameOf(request)), (body) => {
        expect([isAllowed(body), isAllowed.errors]).toEqual([true, null]);
        expect(request.safeParse(sent(body)).error?.issues).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it.each(LISTS)('$operationId: the service takes every query', (operation) => {
    const schema = queryOf(operation);
    fc.assert(
      fc.property(arbitrary(schema, ''), (query) => {
        const texts = Object.fromEntries(Object.entries(query as object).map(([name, value]) => [name, String(value)]));
        expect(operation.query.safeParse(texts).error?.issues).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });
});

describe('requests with one member changed', () => {
  it.each(COMMANDS)('$operationId: the service takes what a validator takes, and nothing else', ({ request }) => {
    const isAllowed = judge(nameOf(request));
    fc.assert(
      fc.property(bodiesOf(nameOf(request)), ANYTHING, fc.nat(), (body, value, at) => {
        const all = [...pathsOf(body).filter((path) => !isInWords(path)), ['unknownMember']];
        const path = all[at % all.length] ?? [];
        const other = changed(body, path, value);
        expect({ path, value, taken: request.safeParse(sent(other)).success }).toEqual({
          path,
          value,
          taken: isAllowed(other),
        });
      }),
      { numRuns: 500 },
    );
  });

  it.each(COMMANDS)('$operationId: without one that is required it is refused', ({ request }) => {
    const isAllowed = judge(nameOf(request));
    const { required = [] } = schemaOf(nameOf(request));
    const [body] = fc.sample(bodiesOf(nameOf(request)), 1);
    for (const name of required) {
      const { [name]: _left, ...rest } = body as Record<string, unknown>;
      expect([name, isAllowed(rest), request.safeParse(sent(rest)).success]).toEqual([name, false, false]);
    }
  });

  it.each(LISTS)('$operationId: a query outside the limits is refused', (operation) => {
    const { properties = {}, required = [] } = queryOf(operation);
    const base = Object.fromEntries(required.map((name) => [name, 'c1']));
    const isTaken = (query: object) => operation.query.safeParse({ ...base, ...query }).success;
    const outside = Object.entries(properties).flatMap(([name, schema]) => outsideOf(schema).map((text) => [name, text]));
    expect(outside.filter(([name = '', text]) => isTaken({ [name]: text }))).toEqual([]);
    expect(isTaken({ unknownName: 'x' })).toBe(false);
  });
});
