import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRubToken } from '@pay/shared/money/money.ts';
import { openApiDocument } from './openapi.ts';

/** Kopecks as a partner writes rubles: with two decimal places, or none for whole rubles. */
const written = (kopecks: number): string => `${String(Math.trunc(kopecks / 100))}.${String(kopecks % 100).padStart(2, '0')}`;

/** The default limit of a payment point: 1000000.00 RUB. */
const LIMIT_KOPECKS = 100_000_000;

describe('money in the OpenAPI document', () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addFormat('double', true);
  ajv.addSchema({ $id: 'document', ...openApiDocument() });
  const amount = ajv.compile({ $ref: 'document#/components/schemas/CreateCardPayment/properties/amount' });

  /** What a client sends that keeps the amount in a 64-bit float, as generators do for `double`. */
  const sent = (text: string): string => JSON.stringify(Number(text));

  it('every amount from 0.01 to 1000.00 passes a validator and arrives to the kopeck', () => {
    const wrong: string[] = [];
    for (let kopecks = 1; kopecks <= 100_000; kopecks += 1) {
      const text = written(kopecks);
      if (!amount(Number(text)) || parseRubToken(sent(text)) !== BigInt(kopecks)) wrong.push(text);
    }
    expect(wrong).toEqual([]);
  });

  it('so does any amount up to the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LIMIT_KOPECKS }), (kopecks) => {
        const text = written(kopecks);
        return amount(Number(text)) && parseRubToken(sent(text)) === BigInt(kopecks);
      }),
      { numRuns: 1_000 },
    );
  });

  it('asks generators for 64 bits: 200000.01 is no 32-bit number', () => {
    const text = JSON.stringify(openApiDocument());
    expect(text).not.toContain('multipleOf');
    const numbers = [...text.matchAll(/"amount":(\{"type":"number"[^}]*\})/g)].map(([, schema]) => schema);
    expect(numbers.length).toBeGreaterThanOrEqual(5);
    for (const schema of numbers) expect(schema).toContain('"format":"double"');
    expect(parseRubToken(JSON.stringify(Math.fround(200_000.01)))).not.toBe(20_000_001n);
  });

  it.each([0, -1, '10.50', null])('%j is no amount', (value) => {
    expect(amount(value)).toBe(false);
  });
});
