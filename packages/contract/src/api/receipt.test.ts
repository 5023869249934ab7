import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { checkSum, Receipt } from './receipt.ts';

const item = {
  name: 'Чай листовой',
  price: '1200.00',
  quantity: '0.250',
  amount: '300.00',
  vat: 'VAT22',
  paymentMethod: 'FULL_PAYMENT',
  paymentObject: 'COMMODITY',
};
const receipt = { taxation: 'OSN', email: 'buyer@shop.example', items: [item] };
const withItem = (change: object) => ({ ...receipt, items: [{ ...item, ...change }] });
const in12 = { ...receipt, ffdVersion: '1.2', items: [{ ...item, measurementUnit: 'KILOGRAM' }] };
/** The details of the refusal; undefined if it is accepted. */
function refusalOf(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.details;
    throw error;
  }
}
const faultsOf = (value: unknown) =>
  Receipt.safeParse(value).error?.issues.map(({ path, message }) => [path.map(String).join('.'), message]);

describe('a receipt', () => {
  it.each([
    ['of FFD 1.05', receipt],
    ['of FFD 1.05, named', { ...receipt, ffdVersion: '1.05' }],
    ['of FFD 1.2', in12],
    ['with a telephone only', { ...receipt, email: undefined, phone: '+79031234567' }],
    ['with both', { ...receipt, phone: '+79031234567' }],
    ['of a hundred items', { ...receipt, items: Array.from({ length: 100 }, () => item) }],
    ['of a name with 128 characters', withItem({ name: 'ч'.repeat(128) })],
    ['of the smallest quantity', withItem({ quantity: '0.001', amount: '1.20' })],
    ['of the longest quantity', withItem({ price: '1.00', quantity: '9999.999', amount: '10000.00' })],
    ['of five digits before the point', withItem({ price: '1.00', quantity: '99999', amount: '99999.00' })],
    ['of a part of a kopeck rounded up', withItem({ price: '0.10', quantity: '0.333', amount: '0.04' })],
    ['of a part of a kopeck rounded down', withItem({ price: '0.10', quantity: '0.333', amount: '0.03' })],
    ['of the largest amount', withItem({ price: '99999999.99', quantity: '1', amount: '99999999.99' })],
  ])('%s is taken', (_title, value) => {
    expect(faultsOf(value)).toBeUndefined();
  });

  it.each([
    ['that is no object', 'x', '', 'must be an object'],
    ['without taxation', { ...receipt, taxation: undefined }, 'taxation', 'is required'],
    ['with another taxation', { ...receipt, taxation: 'ENVD' }, 'taxation', 'must be one of OSN'],
    ['with another FFD', { ...receipt, ffdVersion: '1.1' }, 'ffdVersion', 'must be one of 1.05, 1.2'],
    ['that goes nowhere', { ...receipt, email: undefined }, 'email', 'is required if there is no phone'],
    ['to no e-mail address', { ...receipt, email: 'buyer@shop' }, 'email', 'must be an e-mail address'],
    ['to an address of 65 characters', { ...receipt, email: `${'a'.repeat(52)}@shop.example` }, 'email', 'must be at most 64'],
    ['to a card number', { ...receipt, email: '4111111111111111@shop.example' }, 'email', 'must not contain a card'],
    ['to a telephone without +', { ...receipt, phone: '79031234567' }, 'phone', 'must be + and 10 to 15 digits'],
    ['without items', { ...receipt, items: [] }, 'items', 'must have an item'],
    ['of 101 items', { ...receipt, items: Array.from({ length: 101 }, () => item) }, 'items', 'must have at most 100 items'],
    [
      'of more than 61440 bytes',
      { ...receipt, items: Array.from({ length: 100 }, () => ({ ...item, name: '🫖'.repeat(128) })) },
      '',
      'must be at most 61440 bytes',
    ],
    ['with an empty name', withItem({ name: ' ' }), 'items.0.name', 'must not be empty or invisible'],
    ['with a name of 129 characters', withItem({ name: 'a'.repeat(129) }), 'items.0.name', 'must be at most 128'],
    ['with a card number as a name', withItem({ name: '4111 1111 1111 1111' }), 'items.0.name', 'must not contain a card'],
    ['with a price as a number', withItem({ price: 1200 }), 'items.0.price', 'must be a string'],
    ['with a price of one digit', withItem({ price: '1200.0' }), 'items.0.price', 'two digits after the point'],
    ['with a price of zero', withItem({ price: '0.00', amount: '0.01' }), 'items.0.price', 'must be greater than zero'],
    ['with an amount of eleven digits', withItem({ amount: '100000000.00' }), 'items.0.amount', 'two digits after'],
    ['with a quantity as a number', withItem({ quantity: 0.25 }), 'items.0.quantity', 'must be a string'],
    ['with four decimals of a quantity', withItem({ quantity: '0.2500' }), 'items.0.quantity', 'three after it'],
    ['with a quantity of nine characters', withItem({ quantity: '10000.001' }), 'items.0.quantity', 'at most 8 char'],
    ['with a quantity of zero', withItem({ quantity: '0.000', amount: '0.01' }), 'items.0.quantity', 'must be greater than zero'],
    ['with an exponent', withItem({ quantity: '1e1' }), 'items.0.quantity', 'must be a string with at most five'],
    ['with another VAT', withItem({ vat: 'VAT18' }), 'items.0.vat', 'must be one of NONE'],
    ['with no payment method', withItem({ paymentMethod: undefined }), 'items.0.paymentMethod', 'is required'],
    ['with a marked product', withItem({ paymentObject: 'GOODS_WITH_MARKING_CODE' }), 'items.0.paymentObject', 'must be one of'],
    ['that is a kopeck off', withItem({ amount: '300.01' }), 'items.0.amount', 'must be price times quantity'],
    ['of FFD 1.2 without a unit', { ...receipt, ffdVersion: '1.2' }, 'items.0.measurementUnit', 'is required in FFD 1.2'],
    ['of FFD 1.05 with a unit', { ...in12, ffdVersion: '1.05' }, 'items.0.measurementUnit', 'is not in FFD 1.05'],
    [
      'of FFD 1.2 that is composite',
      { ...in12, items: [{ ...in12.items[0], paymentObject: 'COMPOSITE' }] },
      'items.0.paymentObject',
      'is not in FFD 1.2',
    ],
  ])('%s is refused', (_title, value, path, message) => {
    expect(faultsOf(value)).toEqual([[path, expect.stringContaining(message)]]);
  });

  const kopecks = fc.bigInt({ min: 1n, max: 9_999_999n });
  const thousandths = fc.integer({ min: 1, max: 9_999_999 });

  it('property: an amount is taken exactly where it is less than a kopeck from price times quantity', () => {
    fc.assert(
      fc.property(kopecks, thousandths, fc.integer({ min: -2, max: 2 }), (price, count, off) => {
        const quantity = `${String(Math.trunc(count / 1_000))}.${String(count % 1_000).padStart(3, '0')}`;
        const product = price * BigInt(count);
        const whole = product / 1_000n;
        const amount = whole + BigInt(off);
        fc.pre(amount > 0n && amount < 10_000_000_000n);
        const isTaken = Receipt.safeParse(withItem({ price: renderRub(price), quantity, amount: renderRub(amount) })).success;
        expect(isTaken).toBe(off === 0 || (off === 1 && product % 1_000n > 0n));
      }),
    );
  });

  it('property: its items sum to the amount exactly, to the kopeck', () => {
    fc.assert(
      fc.property(fc.array(kopecks, { minLength: 1, maxLength: 100 }), fc.bigInt({ min: -1n, max: 1n }), (parts, off) => {
        const items = parts.map((part) => ({
          ...item,
          price: renderRub(part),
          quantity: '1',
          amount: renderRub(part),
        }));
        const sum = parts.reduce((total, part) => total + part, 0n);
        const told = refusalOf(() => {
          checkSum(Receipt.parse({ ...receipt, items }), sum + off);
        });
        expect(told).toEqual(
          off === 0n ? undefined : [{ field: 'receipt.items', message: 'must have amounts that sum to the amount, to the kopeck' }],
        );
      }),
    );
  });
});
