import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { singleKey } from '@pay/shared/encryption/encryption.ts';
import { createAttempt } from './attempt.ts';
import type { Sender } from './send.ts';

const event = {
  eventId: randomUUID(),
  partnerId: 'partner-a',
  type: 'payment.completed',
  aggregateId: randomUUID(),
  aggregateVersion: 1,
  isFollowed: false,
  attemptCount: 0,
  body: Buffer.from('{}'),
  resentBy: null,
  callbackUrl: 'https://shop.example/',
  keys: [],
};

it.each([
  ['is made while its lease lasts longer than its deadline', 19_000, 'completed', 1],
  ['is not made later: the process stood still, and somebody else may have the lease by now', 20_001, 'pending', 0],
])('an attempt %s', async (_what, sinceAskedMs, kind, sent) => {
  let calls = 0;
  const sender: Sender = {
    send: () => {
      calls += 1;
      return Promise.resolve({ answer: { kind: 'answered', status: 200, retryAfterSeconds: null }, excerpt: Buffer.alloc(0) }); // prettier-ignore
    },
    close: () => Promise.resolve(),
  };
  const now = new Date('2026-11-20T10:00:00.000Z');
  const monotonicMs = performance.now();
  const claim = { leaseId: randomUUID(), now, realNow: now, monotonicMs, askedMs: monotonicMs - sinceAskedMs };
  const attempt = createAttempt(sender, singleKey('test', randomBytes(32)));
  expect((await attempt(event, claim, new AbortController().signal)).kind).toBe(kind);
  expect(calls).toBe(sent);
});
