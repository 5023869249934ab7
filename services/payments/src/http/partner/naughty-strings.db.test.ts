import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

// A selection of our own, a few of each kind: what breaks encoders, tables, templates, terminals, shells and spreadsheets.
const NAUGHTY: readonly string[] = [
  // Values that languages take for something else.
  'undefined',
  'null',
  'NULL',
  'nil',
  'None',
  'true',
  'false',
  'NaN',
  '-Infinity',
  '0',
  '-0',
  '1e309',
  '0x0',
  '1/0',
  '01',
  '１２３',
  '٠١٢',
  '[object Object]',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '\\',
  '\\\\',
  "'",
  '"',
  '`',
  '""',
  "''",
  // Letters beyond ASCII, joined, reversed, invisible or in two spellings.
  'Ω≈ç√∫˜µ≤≥÷',
  'åß∂ƒ©˙∆˚¬…æ',
  '田中さんにあげて下さい',
  '사회과학원',
  'Ⱥ Ⱦ',
  '表ポあA鷗',
  'é',
  'e\u0301',
  'ﬀ',
  'ǅ',
  'ı',
  'ẞ',
  '\u1e9e',
  'Z̮̞̠͙͔ͅA̴̵L̡G̷O',
  '👩‍👩‍👧‍👦',
  '🏳️‍🌈',
  '👨🏿',
  '1️⃣',
  '🇷🇺',
  '\u202eevil\u202c',
  '\u2066a\u2069',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u180e',
  'مُنَاقَشَةُ',
  'בְּרֵאשִׁית',
  '﷽',
  'ด้้้้้็็็็',
  '\u{10ffff}',
  '\ufffd',
  '\uffff',
  // Controls; U+0000 and lone surrogates have tests of their own.
  '\t',
  '\n',
  '\r\n',
  '\u0001',
  '\u0007',
  '\u001b[31mred',
  '\u007f',
  'a\u0008b',
  // Code for somebody further on.
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "javascript:alert('1')",
  '{{7*7}}',
  '${7*7}',
  '#{7*7}',
  '<%= 7*7 %>',
  '%s%s%n',
  '%x',
  '$(touch x)',
  '`id`',
  '; rm -rf x',
  '| cat',
  '&& true',
  "'; drop table payments; --",
  "1' or '1'='1",
  '../../../../etc/passwd',
  '..\\..\\x',
  'file:///etc/passwd',
  '%00',
  '%0d%0aX-A: 1',
  '\\u0000',
  '=1+1',
  '+1',
  '-1',
  '@SUM(1)',
  '\t=1',
  '${jndi:ldap://x/a}',
  '<!ENTITY x SYSTEM "file:///x">',
  '() { :; }; true',
  'CON',
  'aux',
  '.',
  '..',
  '~',
  ' ',
  '   ',
  '',
];

describe('text that breaks programs (D08)', () => {
  it.each(['description', 'customerID', 'orderID'])('in %s: taken and given back letter for letter, or 400', async (field) => {
    for (const text of NAUGHTY) {
      // An order number is used once: a change of its own keeps the others apart.
      const change = field === 'orderID' ? { orderID: text } : { orderID: randomUUID(), [field]: text };
      const created = await t.create(change);
      expect([text, [201, 400]]).toEqual([text, expect.arrayContaining([created.status])]);
      if (created.status !== 201) continue;
      const shown = await t.read(created.body['id']);
      // What it counts as absent, such as an empty purpose, it does not show.
      expect([text, shown.status, shown.body[field] ?? '']).toEqual([text, 200, text]);
    }
  });
});

describe('a text that nobody can see names nobody', () => {
  it.each(['\u200b', '\u2060\ufeff', '\u3164', '\u2800', '\u202e', '\ufe0f'])('400 VALIDATION_FAILED: %j (R57)', async (text) => {
    for (const field of ['customerID', 'description']) {
      const { status, body } = await t.create({ [field]: text });
      expect([status, body['details']]).toEqual([400, [{ field, message: 'must not be empty or invisible' }]]);
    }
    const listed = await t.call('GET', `/api/card?customerID=${encodeURIComponent(text)}`);
    expect([listed.status, listed.body['details']]).toMatchObject([400, [{ field: 'customerID' }]]);
    const { id } = await t.givenPayment();
    for (const field of ['reason', 'merchantRefundId']) {
      const refused = await t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '1.00', [field]: text } });
      expect([refused.status, refused.body['details']]).toMatchObject([400, [{ field }]]);
    }
  });

  it('joins and directions inside of a text stay as they are', async () => {
    const created = await t.create({ customerID: '\u200bbuyer\u2060', description: '👩\u200d👩\u200d👧' });
    expect([created.status, (await t.read(created.body['id'])).body]).toMatchObject([
      201,
      { customerID: '\u200bbuyer\u2060', description: '👩\u200d👩\u200d👧' },
    ]);
  });
});

describe('a body names the field that is wrong', () => {
  const body = (orderID: string) =>
    `{"paymentPointID":"point-1","orderID":"${orderID}","amount":10.50,"currency":"RUB","description":"Tea","customerID":"c1","savePaymentMethod":false}`;

  it.each(['A-1\\u0000', 'A-1\\ud800'])('%s in orderID (K6)', async (orderID) => {
    const { status, body: answer } = await t.call('POST', '/api/card', { raw: body(orderID) });
    expect([status, answer['details']]).toEqual([400, [{ field: 'orderID', message: 'must contain neither U+0000 nor a lone surrogate' }]]);
  });

  it.each(['application/json;', 'application/json; charset=utf8', 'APPLICATION/JSON;charset="utf-8"'])(
    'a body is taken as %j (K7)',
    async (type) => {
      const { status } = await t.call('POST', '/api/card', {
        raw: body(`A-${randomUUID()}`),
        headers: { 'content-type': type },
      });
      expect(status).not.toBe(415);
    },
  );

  it('a + of an offset that is not escaped (K6)', async () => {
    const message = 'has a + that means a blank in a query: write a plus as %2B';
    for (const path of ['/api/card', '/api/payments/point-1']) {
      const { status, body: answer } = await t.call('GET', `${path}?from=2026-01-01T00:00:00+03:00`);
      expect([status, answer['details']]).toEqual([400, [{ field: 'from', message }]]);
    }
  });
});
