import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { checkFactKeys, factSigningKeys, factVerificationKeys } from './fact-keys.ts';
import { factVerifier, signFact, type SignedFact } from './fact-signature.ts';

const FACTS = {
  'payment.completed': { owner: 'payments', consumers: ['notifier', 'bindings'] },
  'payment.failed': { owner: 'payments', consumers: ['notifier', 'bindings'] },
  'binding.created': { owner: 'bindings', consumers: ['notifier'] },
};
const [old, fresh, ofBindings] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const keys = new Map([
  [
    'payments',
    new Map([
      ['k1', old],
      ['k2', fresh],
    ]),
  ],
  ['bindings', new Map([['k1', ofBindings]])],
]);
const verify = factVerifier(FACTS, 'notifier', keys);
const fact: SignedFact = {
  messageId: 'm1',
  type: 'payment.completed',
  aggregateId: 'p1',
  occurredAt: '2026-03-01T12:00:00.000Z',
  body: Buffer.from('{"aggregateVersion":1}'),
};

describe('a signature of a fact', () => {
  it('is believed by the consumer that it is for, with the old and the new key while one is changed (S5)', () => {
    for (const [id, key] of [
      ['k1', old],
      ['k2', fresh],
    ] as const)
      expect(verify(fact, signFact(fact, 'payments', 'notifier', { id, key }))).toBeUndefined();
    expect(verify(fact, signFact(fact, 'payments', 'notifier', { id: 'k0', key: old }))).toMatch(/unknown key/);
  });

  it("of one owner is not believed for another one's type (S5)", () => {
    const forged = signFact(fact, 'bindings', 'notifier', { id: 'k1', key: ofBindings });
    expect(verify(fact, forged)).toBe('the signature of payments does not match');
    const pretended = signFact(fact, 'payments', 'notifier', { id: 'k1', key: ofBindings });
    expect(verify(fact, pretended)).toBe('the signature of payments does not match');
  });

  it('is not believed for a type that is not declared, or not for this consumer (S5)', () => {
    const sign = (type: string) => signFact({ ...fact, type }, 'payments', 'bindings', { id: 'k1', key: old });
    const asBindings = factVerifier(FACTS, 'bindings', keys);
    for (const type of ['binding.created', 'unheard.of', 'constructor'])
      expect(asBindings({ ...fact, type }, sign(type))).toBe('bindings is not a consumer of this type');
  });

  it('covers type, body, aggregate, id and time: no other fact has it (S5)', () => {
    const text = fc.string({ maxLength: 20 });
    const any = fc.record({
      messageId: text,
      type: fc.constantFrom('payment.completed', 'payment.failed'),
      aggregateId: text,
      occurredAt: text,
      body: text.map((body) => Buffer.from(body)),
    });
    fc.assert(
      fc.property(any, any, (one, other) => {
        const signature = signFact(one, 'payments', 'notifier', { id: 'k1', key: old });
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        return (verify(other, signature) === undefined) === isSame && verify(one, signature) === undefined;
      }),
    );
  });

  it('is believed for a day less than the inbox remembers a message: a copy of an older one would take effect again (N13)', () => {
    const madeDaysAgo = (days: number) => {
      const digits = (Date.now() - days * 86_400_000).toString(16).padStart(12, '0');
      return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
    };
    const refusalOf = (messageId: string) => {
      const old = { ...fact, messageId };
      return verify(old, signFact(old, 'payments', 'notifier', { id: 'k2', key: fresh }));
    };
    expect([0, 28.9, -1].map((days) => refusalOf(madeDaysAgo(days)))).toEqual([undefined, undefined, undefined]);
    expect([29.1, 30, 400].map((days) => refusalOf(madeDaysAgo(days)))).toEqual(Array(3).fill('it is older than 29 days'));
  });

  it('that is no signature is refused (S5)', () => {
    fc.assert(fc.property(fc.string(), (text) => verify(fact, text) !== undefined));
    expect(verify(fact, undefined)).toBe('it is not signed');
    expect(verify(fact, 'k1:')).toBe('the signature of payments does not match');
  });
});

describe('the keys of facts', () => {
  const key = randomBytes(32).toString('base64');
  const config = z.object({ signing: factSigningKeys, verification: factVerificationKeys });
  const read = (signing: string, verification: string) => config.safeParse({ signing, verification });

  it('are read by service and id', () => {
    const { data } = read(`notifier:k1:${key},bindings:k2:${key}`, `payments:k1:${key}, payments:k2:${key}`);
    expect([...(data?.signing ?? [])].map(([service, { id }]) => [service, id])).toEqual([
      ['notifier', 'k1'],
      ['bindings', 'k2'],
    ]);
    expect([...(data?.verification.get('payments')?.keys() ?? [])]).toEqual(['k1', 'k2']);
  });

  it.each([
    ['a key that is too short', 'notifier:k1:AAAA'],
    ['no id', `notifier:${key}`],
    ['two keys for one consumer', `notifier:k1:${key},notifier:k2:${key}`],
    ['nothing', ''],
  ])('are refused with %s', (_what, signing) => {
    expect(read(signing, `payments:k1:${key}`).success).toBe(false);
  });

  it('a service does not start without one that it needs', () => {
    const { data } = read(`notifier:k1:${key}`, `payments:k1:${key}`);
    const check = (service: string) => () => {
      checkFactKeys(service, {
        facts: FACTS,
        signingKeys: data?.signing ?? new Map(),
        verificationKeys: data?.verification ?? new Map(),
      });
    };
    expect(check('payments')).toThrow('FACT_SIGNING_KEYS has no key for bindings');
    expect(check('notifier')).toThrow('FACT_VERIFICATION_KEYS has no key of bindings');
    expect(check('bindings')).not.toThrow();
  });
});
