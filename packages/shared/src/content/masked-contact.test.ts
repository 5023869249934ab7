import { expect, it } from '@jest/globals';
import { maskedContact } from './masked-contact.ts';

it.each([
  ['ivan.petrov@shop.example', 'i***@shop.example'],
  ['a@b.example', 'a***@b.example'],
  ['+79031234567', '+7***4567'],
])('%s is shown to people as %s', (contact, shown) => {
  expect(maskedContact(contact)).toBe(shown);
});
