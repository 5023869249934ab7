import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { validate } from './validate.ts';

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
    expect(fieldsOf({ orderID: 'toolong', amount: 'x', consent: { period: 'P2M' } })).toEqual([
      'orderID',
      'amount',
      'consent.period',
    ]);
  });

  it('names unknown fields, nested ones too', () => {
    expect(fieldsOf({ orderID: 'a', amount: 1, amout: 2, consent: { period: 'P1M', note: 1 } })).toEqual([
      'consent.note',
      'amout',
    ]);
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
