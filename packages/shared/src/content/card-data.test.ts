import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { containsCardData, partsOfUrl } from './card-data.ts';
import { passesLuhn } from './card-number.ts';

/** Numbers of each scheme and length, with their check digit. */
const cardNumber = fc
  .constantFrom(
    ...[
      ['2200', 16],
      ['2204', 19],
      ['4', 13],
      ['4', 16],
      ['4', 19],
      ['51', 16],
      ['55', 16],
      ['2221', 16],
      ['2720', 16],
    ],
    ...[
      ['50', 16],
      ['6', 19],
      ['35', 16],
      ['34', 15],
      ['37', 15],
      ['300', 14],
      ['36', 16],
      ['39', 14],
    ],
  )
  .chain(([prefix, length]) =>
    fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 18, maxLength: 18 })
      .map((digits) => `${String(prefix)}${digits.join('')}`.slice(0, Number(length) - 1))
      .map(
        (digits) =>
          '0123456789'
            .split('')
            .map((check) => digits + check)
            .find(passesLuhn) ?? '',
      ),
  );
const EVERY_CHARACTER = Array.from({ length: 0x2_0000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));
const SEPARATORS = EVERY_CHARACTER.filter((character) => /[\p{Pd}\p{Zs}\p{P}\p{S}\s]/u.test(character));
/** Compatibility forms that are written with digits or letters, `⒈` or `㈱`, are not what anybody separates digits with. */
const separator = fc.string({
  unit: fc.constantFrom(
    ...SEPARATORS.filter((one) => !/[\p{L}\p{N}]/u.test(one.normalize('NFKC')) || [...one.normalize('NFKC')].length > 1),
  ),
  minLength: 0,
  maxLength: 3,
});
const ZEROS = EVERY_CHARACTER.filter((character, point) => /\p{Nd}/u.test(character) && (point < 0x1d7ce || point > 0x1d7ff)).filter(
  (_, at) => at % 10 === 0,
);
const inScript = (zero: string, digits: string) =>
  digits.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));

/** In groups of four, with the same or another separator after each. */
const spelled = fc
  .record({
    number: cardNumber,
    between: fc.oneof(
      separator.map((one) => Array<string>(4).fill(one)),
      fc.array(separator, { minLength: 4, maxLength: 4 }),
    ),
    zero: fc.constantFrom('0', ...ZEROS),
  })
  .map(({ number, between, zero }) =>
    inScript(zero, number).replaceAll(new RegExp(`(?:\\p{Nd}){4}(?=\\p{Nd})`, 'gu'), (group) => group + (between.pop() ?? '')),
  );

/** In front of a number and after it: letters, brackets, words. */
const around = fc.tuple(
  fc.constantFrom('', 'PAN', 'x', 'карта', 'card ', '(', '%B', ';', 'order_', 'c:', '"', 'order 12 '),
  fc.constantFrom('', 'x', 'рубль', ')', '^X/Y^3412', '?', '=3412101', ' 12/28 123', ', thanks', '"', 'D3412'),
);

describe('card data in a text (N2)', () => {
  it('property: a card number is found with any separators, in digits of any script, between any words (N2)', () => {
    fc.assert(
      fc.property(spelled, around, (number, [before, after]) => {
        expect([before + number + after, containsCardData(before + number + after)]).toEqual([before + number + after, true]);
      }),
      { numRuns: 3_000 },
    );
  });

  const LABELS = [
    'cvv',
    'CVV2',
    'cvc',
    'Cvc2',
    'cvn',
    'CID',
    'cav',
    'c.v.v.',
    'c v v',
    'C-V-C',
    'сvv',
    'cvс',
    'СVС2',
    'ｃｖｖ',
    'card code',
    'security code',
    'Card security code',
    'card verification value',
    'three-digit code',
    '3-digit code',
    'code on the back',
    'the code on the back of my card',
    '3 digits on the back',
    'pin',
    'цвв',
    'ЦВК',
    'цвс',
    'свв',
    'свс',
    'код безопасности',
    'код на обороте',
    'код с обратной стороны карты',
    'Код на обратной стороне',
    'трёхзначный код',
    'Трехзначный код карты',
    '3-значный код',
    'код карты',
    'проверочный код карты',
    'цифры на обороте',
    'три цифры на обороте',
    'пин',
  ];
  const links = [' ', ': ', '=', ' = ', ' - ', ' — ', '№', ' is ', ' — это ', ' is: ', ' код: ', '": "', ', ', '\n'];
  it('property: three or four digits with the name of a card’s code, in words of both languages (N2)', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LABELS),
        fc.constantFrom(...links),
        fc.stringMatching(/^\d{3,4}$/),
        fc.constantFrom('', ' ', '-', ', '),
        fc.constantFrom('0', ...ZEROS),
        (label, link, code, between, zero) => {
          const text = `please: ${label}${link}${inScript(zero, [...code].join(between))}, thank you`;
          expect([text, containsCardData(text)]).toEqual([text, true]);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each(['123 is the cvv', '123 — код на обороте', 'it was 1234 (CVC)', 'cvv123', 'CVC-код 123', '{"cvv":"123"}'])(
    'a code: %s (N2)',
    (text) => {
      expect(containsCardData(text)).toBe(true);
    },
  );

  it.each([
    '4111x1111x1111x1111',
    '4111 1111 1111 1111 123',
    '4111-1111-1111-1111-1111',
    'a4111111111111111',
    '3782 822463 10005',
    '41 11 11 11 11 11 11 11',
    '8 916 123-45-67 4111 1111 1111 1111',
    '2026-11-21 4111.1111.1111.1111',
    '6e51e5da-4111-1111-1111-1111a5da6e51 of my order',
  ])('a card number: %s (N2)', (text) => {
    expect(containsCardData(text)).toBe(true);
  });

  it.each([
    '',
    'order-1',
    '4111111111111112',
    '411111111111',
    '41111111111111111111111',
    // Passes Luhn, but no card scheme has numbers with this prefix: somebody's own numbering.
    '1234567812345670',
    '9999999999999995',
    '5555555555555',
    // A whole UUID, of any variant.
    '6e51e5da-4111-1111-1111-1111a5da6e51',
    'cvv-shirts 200 pieces',
    'order cvv-shirts 20 pieces',
    'the cvv is never asked for; order 1234',
    'room 123, code 4411',
    'код подтверждения 1234',
    'Сидоров 1234',
    'cider 500 ml',
    'the code of the goods is 4411',
  ])('no card data: %s (N2)', (text) => {
    expect(containsCardData(text)).toBe(false);
  });

  const two = (max: number, min = 1) => fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'));
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${String(length)}}$`));
  const year = fc.integer({ min: 1990, max: 2049 }).map(String);
  const moment = fc.tuple(two(28), two(12), year, two(23, 0), two(59, 0), two(59, 0));
  const account = fc.tuple(fc.constantFrom('40702', '40817', '30101', '42301'), fc.constantFrom('810', '840', '643'), digits(12));
  const ORDINARY: Readonly<Record<string, fc.Arbitrary<string>>> = {
    'two days': fc.tuple(moment, moment).map(([a, b]) => `${a.slice(0, 3).join('.')} - ${b.slice(0, 3).join('.')}`),
    'a day and a time': moment.map(([d, m, y, h, min, s]) => `${d}.${m}.${y} ${h}:${min}:${s}`),
    'a day after a number': fc.tuple(moment, digits(5)).map(([[d, m, y, h, min], order]) => `№ ${order}, ${d}/${m}/${y}, ${h}:${min}`),
    'an ISO moment': moment.map(([d, m, y, h, min, s]) => `${y}-${m}-${d}T${h}:${min}:${s}.123Z`),
    'an ISO day and a time': moment.map(([d, m, y, h, min, s]) => `${y}-${m}-${d} ${h}:${min}:${s}.123456`),
    'seconds and milliseconds': fc.integer({ min: 1_500_000_000, max: 1_900_000_000 }).map((s) => `${String(s)} ${String(s)}123`),
    'an order number': fc.tuple(digits(6), two(99)).map(([a, b]) => `Order 2026/${a}-${b}`),
    'a telephone': digits(10).map((d) => `+7 (${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6, 8)}-${d.slice(8)}`),
    'two telephones': fc
      .tuple(digits(10), digits(10))
      .map(([a, b]) => `8${a}, +7 ${b.slice(0, 3)} ${b.slice(3, 6)} ${b.slice(6, 8)} ${b.slice(8)}`),
    'a telephone of Germany': digits(11).map((d) => `+49${d}`),
    'INN and KPP': fc.tuple(digits(10), digits(9)).map(([inn, kpp]) => `ИНН/КПП ${inn}/${kpp}`),
    'INN alone': fc.oneof(digits(10), digits(12)).map((inn) => `ИНН ${inn}`),
    OGRNIP: digits(12).map((d) => `ОГРНИП 315${d}`),
    'an account in one piece': account.map((parts) => `р/с ${parts.join('')}`),
    'an account in its parts': account.map(([a, b, c]) => `${a} ${b} ${c.slice(0, 1)} ${c.slice(1, 5)} ${c.slice(5)}`),
    'an account in fours': account.map((parts) => parts.join('').replaceAll(/\d{4}(?=\d)/g, '$& ')),
    'an account and a BIC': account.map((parts) => `${parts.join('')} 044525225`),
    sizes: fc.integer({ min: 1, max: 60 }).map((from) => Array.from({ length: 14 }, (_, at) => from + at).join(', ')),
    'a UUID in a text': fc.uuid().map((id) => `Order ${id}`),
    'a UUID in a word': fc.uuid().map((id) => `order-${id}`),
    'a UUID without hyphens': fc.uuid().map((id) => id.replaceAll('-', '')),
    'a hash': fc.stringMatching(/^[0-9a-f]{40}$/),
    money: fc
      .tuple(fc.integer({ min: 1, max: 99 }), digits(3), two(99))
      .map(([a, b, c]) => `${String(a)} ${b}.${c} + ${String(a)} ${b}.${c}`),
  };
  it.each(Object.entries(ORDINARY))('property: %s is no card data (N2)', (_name, text) => {
    fc.assert(
      fc.property(text, (value) => {
        expect([value, containsCardData(value)]).toEqual([value, false]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'DE89 3704 0044 0532 0130 00',
    'FR76 3000 6000 0112 3456 7890 189',
    'GB29 NWBK 6016 1331 9268 19',
    'NO93 8601 1117 947',
    'BE71 0961 2345 6769',
  ])('an IBAN is no card data: %s (N2)', (text) => {
    expect(containsCardData(text)).toBe(false);
  });

  it('is found in time that grows with the text alone (N2)', () => {
    const steps = (text: string): number => {
      const from = process.cpuUsage().user;
      containsCardData(text);
      return process.cpuUsage().user - from;
    };
    for (const part of [
      '4 ',
      'c v ',
      'код на ',
      'cvv is ',
      '1.',
      '11:',
      'a1-',
      '\ufdfa',
      'DE89 3704 ',
      '23.05.2026 ',
      '4, ',
      '123 is the ',
      ' ',
      '.',
      'к',
    ]) {
      // A text that doubles and takes four times as long would take minutes here.
      expect([part, steps(part.repeat(65_536 / part.length) + ' 1 2 3') < 5_000_000]).toEqual([part, true]);
    }
  });

  it('an address is judged part by part, decoded (N2)', () => {
    const isFound = (url: string) => partsOfUrl(url).some(containsCardData);
    expect(isFound('https://shop.example/orders/45127788/12345?order=4512')).toBe(false);
    expect(isFound('https://shop.example/4111-1111-1111-1111')).toBe(true);
    expect(isFound('https://shop.example/?note=4111%201111%C2%A01111+1111')).toBe(true);
    expect(isFound('https://shop.example/?a=cvv:123#b')).toBe(true);
    expect(isFound('https://shop.example/%E0%A4%A?b=1')).toBe(false);
  });

  it.each([
    ['0', true],
    ['18', true],
    ['4111111111111111', true],
    ['4111111111111110', false],
  ])('Luhn of %s is %s', (number, passes) => {
    expect(passesLuhn(number)).toBe(passes);
  });
});
