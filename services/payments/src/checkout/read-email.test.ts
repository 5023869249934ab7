import { expect, it } from '@jest/globals';
import { readEmail } from './read-email.ts';

it.each([
  'anna@shop.example',
  "o'neil+tea.1@mail.shop.example",
  ' anna@shop.example ',
  `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
])('%j is an address', (typed) => {
  expect(readEmail(typed)).toBe(typed.trim());
});

it.each([
  '',
  'anna',
  'anna@',
  '@shop.example',
  'anna@shop',
  'anna@shop.example, boris@shop.example',
  'anna@shop.example;boris@shop.example',
  'anna@shop.example boris@shop.example',
  'Anna <anna@shop.example>',
  '<anna@shop.example>',
  'anna@shop.example\r\nBcc: boris@shop.example',
  'anna@shop.example\nRCPT TO:<boris@shop.example>',
  'anna\r\nBcc:boris@shop.example',
  'anna\u0000@shop.example',
  'anna@sh\u00f6p.example',
  '"anna boris"@shop.example',
  'anna@[127.0.0.1]',
  '4111111111111111@shop.example',
  `${'a'.repeat(250)}@shop.example`,
])('%j is none', (typed) => {
  expect(readEmail(typed)).toBeUndefined();
});
