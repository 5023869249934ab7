import { describe, expect, it } from '@jest/globals';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { isSigned, tokenOf } from './token.ts';

/** The worked example of the bank's own page on notifications ("Проверка токенов"). */
const EXAMPLE = {
  TerminalKey: '1321054611234DEMO',
  OrderId: '201709',
  Success: true,
  Status: 'AUTHORIZED',
  PaymentId: new JsonNumber('8742591'),
  ErrorCode: '0',
  Amount: new JsonNumber('9855'),
  CardId: new JsonNumber('322264'),
  Pan: '430000******0777',
  ExpDate: '1122',
  RebillId: new JsonNumber('101709'),
};
const PASSWORD = 'Dfsfh56dgKl';
const TOKEN = 'b906d28e76c6428e37b25fcf86c0adc52c63d503013fdd632e300593d165766b';

describe('the signature', () => {
  it('is the one of the bank’s published example', () => {
    expect(tokenOf(EXAMPLE, PASSWORD)).toBe(TOKEN);
  });

  it('leaves out what is nested, and itself', () => {
    const more = { ...EXAMPLE, DATA: { Email: 'a@b' }, Receipt: [1], Token: 'x', Absent: undefined, Null: null };
    expect(tokenOf(more, PASSWORD)).toBe(TOKEN);
  });

  it('counts amounts as written, whatever their type', () => {
    expect(tokenOf({ ...EXAMPLE, Amount: 9855n }, PASSWORD)).toBe(TOKEN);
  });

  it.each([
    ['as it is', {}, true],
    ['in upper case', { Token: TOKEN.toUpperCase() }, true],
    ['with another amount', { Amount: new JsonNumber('9856') }, false],
    ['with another status', { Status: 'CONFIRMED' }, false],
    ['with a field more', { Extra: '1' }, false],
    ['without a token', { Token: undefined }, false],
    ['with a token that is no hash', { Token: 'b906' }, false],
  ])('verifies %s: %j', (_title, change, expected) => {
    expect(isSigned({ ...EXAMPLE, Token: TOKEN, ...change }, PASSWORD)).toBe(expected);
  });

  it('is not verified by another password', () => {
    expect(isSigned({ ...EXAMPLE, Token: TOKEN }, 'other')).toBe(false);
  });
});
