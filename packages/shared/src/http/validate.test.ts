import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { momentInput, pageLimit } from './fields.ts';
import { validate, validateQuery } from './validate.ts';

const schema = z.strictObject({
  orderID: z.string().max(5),
  amount: z.number(),
  consent: z.strictObject({ period: z.enum(['P1M', 'P1Y']) }).optional(),
});

function refusalOf(value: unknown): ApiError {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error('it was taken');
}
const fieldsOf = (value: unknown) => refusalOf(value).details?.map(({ field }) => field);

describe('validate', () => {
  it('returns what fits', () => {
    expect(validate(schema, { orderID: 'a', amount: 1 })).toEqual({ orderID: 'a', amount: 1 });
  });

  it('names every wrong field at once, nested ones by their path', () => {
    expect(fieldsOf({ orderID: 'toolong', amount: 'x', consent: { period: 'P2M' } })).toEqual(['orderID', 'amount', 'consent.period']);
  });

  it('names unknown fields, nested ones too', () => {
    expect(fieldsOf({ orderID: 'a', amount: 1, amout: 2, consent: { period: 'P1M', note: 1 } })).toEqual(['consent.note', 'amout']);
  });

  it('names the body where the whole of it is wrong', () => {
    expect(fieldsOf([])).toEqual(['body']);
    expect(fieldsOf(undefined)).toEqual(['body']);
  });

  it('never repeats a refused value, which may be a card number', () => {
    const refusal = refusalOf({
      orderID: '4111111111111111',
      amount: '4111111111111111',
      consent: { period: '4111111111111111' },
    });
    expect(JSON.stringify(refusal.details)).not.toContain('4111');
  });
});

describe('validateQuery', () => {
  const Query = z.strictObject({
    from: momentInput('').optional(),
    to: momentInput('').optional(),
    limit: pageLimit(20),
    name: z.string().max(5).optional(),
  });
  const detailsOf = (target: string) => {
    try {
      validateQuery(Query, target);
    } catch (error) {
      if (error instanceof ApiError) return error.details;
    }
    throw new Error('it was taken');
  };
  const PLUS = 'has a + that means a blank in a query: write a plus as %2B';

  it('reads what forms and what URIs write', () => {
    expect(validateQuery(Query, '/api/card?name=a+b&&limit=7')).toEqual({ limit: 7, name: 'a b' });
    expect(validateQuery(Query, '/api/card?name=%d1%8b%2B')).toEqual({ limit: 20, name: 'ы+' });
    expect(validateQuery(Query, '/api/card?')).toEqual({ limit: 20 });
    expect(validateQuery(Query, '/api/card')).toEqual({ limit: 20 });
    expect(validateQuery(Query, '/api/card?name')).toEqual({ limit: 20, name: '' });
    expect(validateQuery(Query, '/api/card?name=a=b')).toEqual({ limit: 20, name: 'a=b' });
  });

  it.each([
    ['from=2026-01-01T00:00:00+03:00', [{ field: 'from', message: PLUS }]],
    [
      'to=2026-01-01T00:00:00.5+03:00&from=2026-01-01T00:00:00+03:00',
      [
        { field: 'from', message: PLUS },
        { field: 'to', message: PLUS },
      ],
    ],
    [
      'from=2026-01-01T00:00:00+03:00&limit=0',
      [
        { field: 'from', message: PLUS },
        { field: 'limit', message: 'must be a whole number from 1 to 100' },
      ],
    ],
    ['from=2026-01-01T00:00:00%2003:00', [{ field: 'from', message: expect.stringContaining('ISO 8601') }]],
    ['from=yesterday+noon', [{ field: 'from', message: expect.stringContaining('ISO 8601') }]],
    ['from=0001-01-01T00:00:00+00:01', [{ field: 'from', message: expect.stringContaining('ISO 8601') }]],
    ['limit=+7', [{ field: 'limit', message: 'must be a whole number from 1 to 100' }]],
    ['name=%00', [{ field: 'name', message: 'must not contain U+0000' }]],
    ['limit=7&name=a%00b', [{ field: 'name', message: 'must not contain U+0000' }]],
    ['n%00=a', [{ field: 'query', message: 'must not contain U+0000' }]],
    ['name=%FF', [{ field: 'name', message: 'must be UTF-8 once it is percent-decoded' }]],
    ['name=%ED%A0%80', [{ field: 'name', message: 'must be UTF-8 once it is percent-decoded' }]],
    ['name=100%', [{ field: 'name', message: 'must be UTF-8 once it is percent-decoded' }]],
    ['limit=1&limit=1', [{ field: 'limit', message: 'occurs twice in the query' }]],
    ['limit=1&l%69mit=1', [{ field: 'limit', message: 'occurs twice in the query' }]],
    ['other=1', [{ field: 'other', message: 'is not a field of this request' }]],
    ['__proto__=1', [{ field: '__proto__', message: 'is not a field of this request' }]],
  ])('names the parameter that is wrong, and why: %s (K6)', (query, details) => {
    expect(detailsOf(`/api/card?${query}`)).toEqual(details);
  });
});

describe('a union', () => {
  const Either = z.union([z.strictObject({ dryRun: z.literal(true) }), z.strictObject({ upTo: momentInput('') })]);
  it('names the field of the form that was meant, also inside of something (K6)', () => {
    const details = (value: unknown) => {
      try {
        validate(z.object({ of: Either }), value);
      } catch (error) {
        if (error instanceof ApiError) return error.details;
      }
      return undefined;
    };
    expect(details({ of: { upTo: 'x' } })).toMatchObject([{ field: 'of.upTo' }]);
    expect(details({ of: { dryRun: false } })).toMatchObject([{ field: 'of.dryRun' }]);
  });
});
