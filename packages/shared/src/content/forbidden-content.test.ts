import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../json/json-body.ts';
import { forbiddenContent, forbiddenField, withoutForbiddenContent } from './forbidden-content.ts';

const isForbidden = (text: string): boolean => forbiddenContent(text) !== undefined;
const TWELVE = 'abandon ability able about above absent absorb abstract absurd abuse access accident';

describe('forbidden content (G05)', () => {
  it.each([
    ['Bitcoin, base58', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['Bitcoin, script', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['Bitcoin, bech32', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['Bitcoin, bech32 in capitals', 'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ'],
    ['Ethereum', '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'],
    ['TRON', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['XRP Ledger', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
    ['TON', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
    ['TON, raw', `0:${'8f'.repeat(32)}`],
    ['Litecoin', 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1'],
    ['a key in hex', 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'],
    ['a key in hex with 0x', `0x${'AB'.repeat(32)}`],
    ['a key in WIF', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'],
    ['an extended key', 'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi'],
    ['twelve words', TWELVE],
    ['twelve words between commas', TWELVE.replaceAll(' ', ', ')],
    ['twenty-four words over lines', `${TWELVE}\n${TWELVE}`],
    ['twelve words in capitals', TWELVE.toUpperCase()],
    [
      'twelve numbered words',
      TWELVE.split(' ')
        .map((word, at) => `${String(at + 1)}. ${word}`)
        .join(' '),
    ],
    ['twelve words, one of them misspelt', TWELVE.replace('absorb', 'absrob')],
    ['a card’s code', 'the buyer says CVV: 123'],
    ['a card’s code, in Russian', 'код безопасности 1234'],
    ['a card number', '4111 1111 1111 1111'],
    ['a card number in wide digits', '４１１１１１１１１１１１１１１１'],
    ['a bank account', '40702810900000001234'],
    ['an IBAN', 'DE89 3704 0044 0532 0130 00'],
    ['a signed transaction of Ethereum', `0x02f8${'6b'.repeat(110)}`],
    ['a signed transaction of Bitcoin', `0100000001${'ab'.repeat(36)}6b483045${'7c'.repeat(150)}00000000`],
    ['a private key in PEM', '-----BEGIN PRIVATE KEY-----'],
    ['something inside a sentence', 'pay to (TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t) please'],
    ['an address with an invisible character in it', 'TR7NHqjeKQxGTCi8q8\u200bZY4pL8otSzgjLj6t'],
  ])('finds %s', (_title, text) => {
    expect(isForbidden(text)).toBe(true);
  });

  it.each([
    'beneficiary-demo',
    'bnf-qwertzuasdfghjkp',
    'store-0b6ab0b1-6c1c-4b8e-9d5c-2f0b8a1c9a11',
    '899999999999.999999',
    'the recipient has closed the account, please ask for another one',
    'settlement 2026-11-20 no. 17',
    'Blue cotton shirt size large with white stripes and small round buttons',
    'milk, bread, butter, eggs, cheese, tomatoes, salad, coffee, sugar, noodles, apple, lemons',
    'молоко хлеб масло сыр сахар кофе мука рис паста мёд лимон яблоко груша',
    'order cvv-shirts 20 pieces',
    'telephone 8 916 123-45-67, code 4411',
    'DE00370400440532013000',
  ])('takes %s', (text) => {
    expect(isForbidden(text)).toBe(false);
  });

  it('property: an id of ours is never taken for something else', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'abcdefghjkmnpqrstuvwxyz'.split('')),
      minLength: 16,
      maxLength: 16,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uuid(),
          letters.map((text) => `bnf-${text}`),
        ),
        (id) => {
          expect(isForbidden(id)).toBe(false);
        },
      ),
    );
  });

  it('cuts out what it finds, and leaves nothing where it cannot', () => {
    expect(withoutForbiddenContent('{"card":"4111 1111 1111 1111","cvv":"123"}')).toBe(
      '{"card":"[a card number was removed]","[a card security code was removed]"}',
    );
    expect(withoutForbiddenContent(`a ${TWELVE} accuse b`)).not.toContain('absorb');
    expect(withoutForbiddenContent('card ４１１１１１１１１１１１１１１１')).toBe('card [a card number was removed]');
    expect(withoutForbiddenContent('OK')).toBe('OK');
  });

  it('judges a number as it was written', () => {
    expect(forbiddenField(parseJson(Buffer.from('{"note":4111111111111111}')))).toBe('note');
  });

  it('names the field wherever it is, and never a name that is itself forbidden', () => {
    const secret = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    expect(forbiddenField({ a: 'x', b: { c: ['y', secret] } })).toBe('b.c.1');
    expect(forbiddenField({ [secret]: 'x' })).toBe('body');
    expect(forbiddenField({ a: { [secret]: 'x' } })).toBe('a');
    expect(forbiddenField({ a: 'x', b: null })).toBeUndefined();
  });
});
