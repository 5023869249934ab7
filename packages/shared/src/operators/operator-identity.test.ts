import { createPrivateKey, generateKeyPairSync, randomUUID, sign as signBytes } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { renderOpenSshKey } from '@pay/signing/ed25519.ts';
import { identityPrivateKey, identityPublicKeys } from '../keys/identity-keys.ts';
import { operatorIdentitySigner, operatorIdentityVerifier, type OperatorRequest } from './operator-identity.ts';
import { isSecondPerson } from './second-person.ts';

const consoleKey = generateKeyPairSync('ed25519');
const otherKey = generateKeyPairSync('ed25519');
const line = renderOpenSshKey(consoleKey.publicKey);
const sign = operatorIdentitySigner(consoleKey.privateKey);
const olga = {
  login: 'olga@example.com',
  role: 'finance',
  sessionId: 's-1',
  notIndependentOf: ['anna@example.com'],
} as const;
const request: OperatorRequest = { method: 'POST', target: '/operator/x?y=1', bodySha256: 'a'.repeat(64) };
const verifier = () => operatorIdentityVerifier('withdrawals-operator', [line]);
const good = () => sign('withdrawals-operator', olga, request);

describe('an operator’s identity', () => {
  it('says who acts, with role, session and whom he is not independent of (S4)', () => {
    expect(verifier()(good(), request)?.operator).toEqual(olga);
  });

  it.each<[string, Partial<OperatorRequest>]>([
    ['another method', { method: 'PUT' }],
    ['another path', { target: '/operator/z?y=1' }],
    ['another query', { target: '/operator/x?y=2' }],
    ['another body', { bodySha256: 'b'.repeat(64) }],
  ])('is good for its own request only: %s (S4)', (_title, change) => {
    expect(verifier()(good(), { ...request, ...change })).toBeUndefined();
  });

  it('ends after half a minute', () => {
    jest.useFakeTimers({ now: Date.now() });
    try {
      const [early, late] = [good(), good()];
      const verify = verifier();
      jest.advanceTimersByTime(34_000);
      expect(verify(early, request)?.operator).toEqual(olga);
      jest.advanceTimersByTime(3_000);
      expect(verify(late, request)).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const parts = (token: string) => token.split('.');
  const remade = (change: object, head: object = {}) => {
    const [header = '', claims = ''] = parts(good());
    const decoded = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
    const text = `${encode({ ...decoded(header), ...head })}.${encode({ ...decoded(claims), ...change })}`;
    return `${text}.${signBytes(null, Buffer.from(text), consoleKey.privateKey).toString('base64url')}`;
  };

  it.each<[string, () => string]>([
    ['another audience', () => sign('payments-operator', olga, request)],
    ['a key that is not the console’s', () => operatorIdentitySigner(otherKey.privateKey)('withdrawals-operator', olga, request)],
    [
      'another key under the console’s name',
      () =>
        `${parts(good()).slice(0, 2).join('.')}.${parts(operatorIdentitySigner(otherKey.privateKey)('withdrawals-operator', olga, request))[2] ?? ''}`,
    ],
    ['a role that is none', () => remade({ role: 'god' })],
    ['no login', () => remade({ sub: '' })],
    ['another issuer', () => remade({ iss: 'cli' })],
    ['no end', () => remade({ exp: undefined })],
    ['an end a day away', () => remade({ exp: Math.floor(Date.now() / 1_000) + 86_400 })],
    ['a start in the future', () => remade({ iat: Math.floor(Date.now() / 1_000) + 60, exp: Math.floor(Date.now() / 1_000) + 80 })],
    ['alg none', () => remade({}, { alg: 'none' })],
    ['alg HS256', () => remade({}, { alg: 'HS256' })],
    ['no signature', () => `${parts(good()).slice(0, 2).join('.')}.`],
    ['a fourth part', () => `${good()}.x`],
    ['a signature spelled otherwise', () => `${good()}=`],
    ['nonsense', () => 'a.b.c'],
    ['nothing', () => ''],
  ])('refuses %s (S4)', (_title, token) => {
    expect(verifier()(token(), request)).toBeUndefined();
  });

  it('takes two keys while one is replaced by the other', () => {
    const verify = operatorIdentityVerifier('withdrawals-operator', [renderOpenSshKey(otherKey.publicKey), line]);
    expect(verify(good(), request)?.operator).toEqual(olga);
  });
});

describe('the keys of the configuration', () => {
  it('takes a PKCS #8 Ed25519 key, and OpenSSH lines between commas', () => {
    const text = consoleKey.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    expect(identityPrivateKey.parse(text)).toEqual(createPrivateKey(consoleKey.privateKey.export({ format: 'pem', type: 'pkcs8' })));
    const other = renderOpenSshKey(otherKey.publicKey);
    expect(identityPublicKeys.parse(`${line}, ${other}`)).toEqual([line, other]);
  });

  it('refuses anything else', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
    for (const text of ['', 'AAAA', rsa.export({ format: 'der', type: 'pkcs8' }).toString('base64')])
      expect(identityPrivateKey.safeParse(text).success).toBe(false);
    for (const text of ['', 'x', `${line} comment`, `${line},`]) expect(identityPublicKeys.safeParse(text).success).toBe(false);
  });
});

describe('the second of two people', () => {
  const second = { ...olga, login: 'ivan@example.com', notIndependentOf: ['anna@example.com'] };

  it.each([
    ['somebody else', { login: `x-${randomUUID()}`, notIndependentOf: [] }, true],
    ['himself', { login: 'ivan@example.com', notIndependentOf: [] }, false],
    ['who made his account', { login: 'anna@example.com', notIndependentOf: [] }, false],
    ['whose account he made', { login: 'puppet@example.com', notIndependentOf: ['ivan@example.com'] }, false],
  ])('of %s (S4)', (_title, first, may) => {
    expect(isSecondPerson(first, second)).toBe(may);
  });
});
