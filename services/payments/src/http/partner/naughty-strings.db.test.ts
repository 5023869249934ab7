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
  'undefined', 'null', 'NULL', 'nil', 'None', 'true', 'false', 'NaN', '-Infinity', '0', '-0', '1e309', '0x0', '1/0', '01', '１２３', '٠١٢', '[object Object]', '__proto__', 'constructor', 'hasOwnProperty', '\\', '\\\\', "'", '"', '`', '""', "''",
  // Letters beyond ASCII, joined, reversed, invisible or in two spellings.
  'Ω≈ç√∫˜µ≤≥÷', 'åß∂ƒ©˙∆˚¬…æ', '田中さんにあげて下さい', '사회과학원', 'Ⱥ Ⱦ', '表ポあA鷗', 'é', 'e\u0301', 'ﬀ', 'ǅ', 'ı', 'ẞ', '\u1e9e', 'Z̮̞̠͙͔ͅA̴̵L̡G̷O', '👩‍👩‍👧‍👦', '🏳️‍🌈', '👨🏿', '1️⃣', '🇷🇺', '\u202eevil\u202c', '\u2066a\u2069', '\u200b', '\u200d', '\ufeff', '\u00ad', '\u2028', '\u2029', '\u0085', '\u180e', 'مُنَاقَشَةُ', 'בְּרֵאשִׁית', '﷽', 'ด้้้้้็็็็', '\u{10ffff}', '\ufffd', '\uffff',
  // Controls; U+0000 and lone surrogates have tests of their own.
  '\t', '\n', '\r\n', '\u0001', '\u0007', '\u001b[31mred', '\u007f', 'a\u0008b',
  // Code for somebody further on.
  '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "javascript:alert('1')", '{{7*7}}', '${7*7}', '#{7*7}', '<%= 7*7 %>', '%s%s%n', '%x', '$(touch x)', '`id`', '; rm -rf x', '| cat', '&& true', "'; drop table payments; --", "1' or '1'='1", '../../../../etc/passwd', '..\\..\\x', 'file:///etc/passwd', '%00', '%0d%0aX-A: 1', '\\u0000', '=1+1', '+1', '-1', '@SUM(1)', '\t=1', '${jndi:ldap://x/a}', '<!ENTITY x SYSTEM "file:///x">', '() { :; }; true', 'CON', 'aux', '.', '..', '~', ' ', '   ', '',
]; // prettier-ignore

describe('D08: text that breaks programs', () => {
  it.each(['description', 'customerID', 'orderID'])(
    'in %s: taken and given back letter for letter, or 400',
    async (field) => {
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
    },
  );
});
