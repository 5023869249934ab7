import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readJson, withAmountToken } from './wire.ts';

const textOf = (body: Uint8Array) => new TextDecoder().decode(body);

describe('an amount on the wire', () => {
  it('every amount from 0.01 to 1000.00 is sent with its own digits, and read back with them', () => {
    const wrong: string[] = [];
    for (let kopecks = 1; kopecks <= 100_000; kopecks += 1) {
      const amount = `${String(Math.trunc(kopecks / 100))}.${String(kopecks % 100).padStart(2, '0')}`;
      const body = textOf(withAmountToken({ amount }));
      if (body !== `{"amount":${amount}}`) wrong.push(`${amount} is sent as ${body}`);
      const read = JSON.stringify(readJson(body));
      if (read !== `{"amount":"${amount}"}`) wrong.push(`${body} is read as ${read}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is a number in its place; the other members are as JSON.stringify writes them', () => {
    const payment = {
      orderID: 'A-1',
      amount: '200000.01',
      description: '"amount":1,',
      returnUrl: undefined,
      receipt: { items: [{ amount: '1.00' }] },
    };
    expect(textOf(withAmountToken(payment))).toBe(JSON.stringify(payment).replace('"amount":"200000.01"', '"amount":200000.01'));
  });

  it.each([
    ['{"amount":10.50}', { amount: '10.50' }],
    ['{"amount" : 900719925474099.01 , "x":1}', { amount: '900719925474099.01', x: 1 }],
    ['[{"a":{"amount":-1e2}},{"amount":null,"amounts":7}]', [{ a: { amount: '-1e2' } }, { amount: null, amounts: 7 }]],
    ['{"amount":"5.00"}', { amount: '5.00' }],
    [String.raw`{"description":"\\\"amount\":3,","list":["amount",3]}`, { description: '\\"amount":3,', list: ['amount', 3] }],
    ['{"amount":01}', undefined],
    ['{"amount":1.}', undefined],
    ['{"amount":1', undefined],
    ['<html>', undefined],
    ['', undefined],
  ])('reads %s', (text, value) => {
    expect(readJson(text)).toEqual(value);
  });

  it('reads any other JSON as JSON.parse does', () => {
    const named = fc.constantFrom('amount', 'Amount', 'x', 'a"amount":1', '\\');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.constantFrom(null, true, 'amount', '"amount":1'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(named, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(readJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
