import { createHmac } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { internalTokenSigner, internalTokenVerifier } from './internal-token.ts';

const KEY = Buffer.alloc(32, 3);
const sign = internalTokenSigner('gateway', 'payments', KEY);
const verify = internalTokenVerifier('payments', KEY);

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token as a forger, or an old gateway, would make it. */
function made(header: object, claims: object, key: Buffer = KEY): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}
const seconds = () => Math.floor(Date.now() / 1_000);
const HS256 = { alg: 'HS256', typ: 'JWT' };
const good = () => ({ sub: 'partner-a', iss: 'gateway', aud: 'payments', iat: seconds(), exp: seconds() + 30 });

describe('internal token', () => {
  it('while the key is changed, tokens of the new and of the previous one are good, and of no other (L6)', () => {
    const [next, other] = [Buffer.alloc(32, 4), Buffer.alloc(32, 5)];
    const both = internalTokenVerifier('payments', next, KEY);
    expect(both(sign('partner-a'))).toBe('partner-a');
    expect(both(internalTokenSigner('gateway', 'payments', next)('partner-b'))).toBe('partner-b');
    expect(both(internalTokenSigner('gateway', 'payments', other)('partner-c'))).toBeUndefined();
    expect(internalTokenVerifier('payments', next)(sign('partner-a'))).toBeUndefined();
  });

  it('names the partner it was made for', () => {
    expect(verify(sign('partner-a'))).toBe('partner-a');
    expect(verify(made(HS256, good()))).toBe('partner-a');
  });

  it('ends, though its verification is remembered', () => {
    const token = made(HS256, good());
    jest.useFakeTimers({ now: Date.now() });
    try {
      expect([verify(token), verify(token)]).toEqual(['partner-a', 'partner-a']);
      jest.advanceTimersByTime(34_000);
      expect(verify(token)).toBe('partner-a');
      jest.advanceTimersByTime(2_000);
      expect(verify(token)).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });

  it.each<[string, () => string]>([
    ['another audience', () => internalTokenSigner('gateway', 'bindings', KEY)('partner-a')],
    ['another key', () => internalTokenSigner('gateway', 'payments', Buffer.alloc(32, 4))('partner-a')],
    ['an expired one', () => made(HS256, { ...good(), iat: seconds() - 60, exp: seconds() - 30 })],
    ['one without an end', () => made(HS256, { ...good(), exp: undefined })],
    ['one without a subject', () => made(HS256, { ...good(), sub: undefined })],
    ['an empty subject', () => made(HS256, { ...good(), sub: '' })],
    ['one without an issuer', () => made(HS256, { ...good(), iss: undefined })],
    ['one without an audience', () => made(HS256, { ...good(), aud: undefined })],
    ['another algorithm', () => made({ alg: 'HS512', typ: 'JWT' }, good())],
    ['alg none', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good())}.`],
    ['altered claims', () => made(HS256, good()).replace(/\.[^.]+\./, `.${encode({ ...good(), sub: 'partner-b' })}.`)],
    ['a signature cut off', () => sign('partner-a').split('.').slice(0, 2).join('.')],
    ['nonsense', () => 'a.b.c'],
    ['nothing', () => ''],
  ])('refuses %s', (_name, token) => {
    expect(verify(token())).toBeUndefined();
  });
});
