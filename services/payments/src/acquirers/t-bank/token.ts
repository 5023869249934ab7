import { createHash, timingSafeEqual } from 'node:crypto';
import { JsonNumber } from '@pay/shared/json/json-body.ts';

/**
 * The signature of a request or a notification: SHA-256, lowercase hex, over the values of the root's scalar fields and the
 * terminal's password (`Password`), sorted by name and joined without a separator. Nested objects and arrays (`DATA`,
 * `Receipt`) and `Token` itself are left out; numbers and booleans are used as written in the
 * JSON. Source: developer.tbank.ru/eacq/intro/developer/token, and "Уведомления об операциях, Проверка токенов"
 * of www.tbank.ru/kassa/dev/payments (whose worked example the test repeats).
 */
export function tokenOf(fields: Readonly<Record<string, unknown>>, password: string): string {
  const scalars = Object.entries({ ...fields, Password: password }).flatMap(([name, value]) => {
    const text = name === 'Token' ? undefined : scalarText(value);
    return text === undefined ? [] : [{ name, text }];
  });
  // By code unit, as the bank sorts: a locale would put lower case elsewhere.
  scalars.sort((a, b) => (a.name < b.name ? -1 : 1));
  return createHash('sha256')
    .update(scalars.map(({ text }) => text).join(''))
    .digest('hex');
}

/** Whether `Token` was made with this password. Compares in constant time. */
export function isSigned(fields: Readonly<Record<string, unknown>>, password: string): boolean {
  const given = fields['Token'];
  if (typeof given !== 'string' || !/^[0-9a-f]{64}$/i.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), Buffer.from(tokenOf(fields, password), 'hex'));
}

/** The text of a scalar; undefined for anything else. */
function scalarText(value: unknown): string | undefined {
  if (value instanceof JsonNumber) return value.token;
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return value.toString();
    default:
      return undefined;
  }
}
