import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { singleKey } from '@pay/shared/encryption/encryption.ts';
import { createAttempt } from './attempt.ts';
import { callbackLag } from './metrics.ts';
import type { Sender } from './send.ts';

const event = {
  eventId: randomUUID(),
  partnerId: 'partner-a',
  type: 'payment.completed',
  aggregateId: randomUUID(),
  aggregateVersion: 1,
  isFollowed: false,
  dueAt: new Date('2026-11-20T09:59:57.000Z'),
  isHeldBack: false,
  attemptCount: 0,
  body: Buffer.from('{}'),
  lastAnswer: null,
  resentBy: null,
  traceparent: null,
  callbackUrl: 'https://shop.example/',
  keys: [],
};

it.each([
  ['is made while its lease lasts longer than its deadline', 19_000, false, 'completed', 1, 1],
  ['is not made later: the process stood still, and somebody else may have the lease by now', 20_001, false, 'pending', 0, 0],
  ['of a receiver that is held back is made, and is not late by our fault', 19_000, true, 'completed', 1, 0],
])('an attempt %s', async (_what, sinceAskedMs, isHeldBack, kind, sent, measured) => {
  let calls = 0;
  const sender: Sender = {
    send: () => {
      calls += 1;
      return Promise.resolve({ answer: { kind: 'answered', status: 200, retryAfterSeconds: null }, excerpt: Buffer.alloc(0) });
    },
    close: () => Promise.resolve(),
  };
  const now = new Date('2026-11-20T10:00:00.000Z');
  const monotonicMs = performance.now();
  const claim = { leaseId: randomUUID(), now, realNow: now, monotonicMs, askedMs: monotonicMs - sinceAskedMs };
  const attempt = createAttempt(sender, singleKey('test', randomBytes(32)));
  callbackLag.reset();
  expect((await attempt({ ...event, isHeldBack }, claim, new AbortController().signal)).kind).toBe(kind);
  const { values } = await callbackLag.get();
  const valueOf = (name: string) => values.find(({ metricName }) => metricName === name)?.value ?? 0;
  // Claimed 3 s after it was due.
  expect([valueOf('callback_lag_seconds_count'), valueOf('callback_lag_seconds_sum')]).toEqual([measured, measured * 3]);
  expect(calls).toBe(sent);
});
