import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { withRequestContext } from '@pay/shared/logging/request-context.ts';
import { paymentMessage, startTestApp, type TestApp } from '../../test/app.ts';
import { createOnPartnerEvent } from './on-partner-event.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app.stop();
});
let partnerId: string;
beforeEach(async () => {
  partnerId = randomUUID();
  await app.givenEndpoints(partnerId, 'https://shop.example/callbacks');
  await app.fetchSecret(partnerId);
});

const message = (paymentId: string, version: number, messageId: string = randomUUID()) => ({
  messageId,
  type: 'payment.completed',
  aggregateId: paymentId,
  occurredAt: '2026-11-20T10:00:00.000Z',
  body: paymentMessage(partnerId, paymentId, version, 'payment.completed'),
});
const take = (messages: readonly ReturnType<typeof message>[]) => {
  const onPartnerEvent = createOnPartnerEvent(app.deps);
  return Promise.allSettled(messages.map((one) => onPartnerEvent('payment.completed', one)));
};
const stored = async () =>
  (await app.query<{ id: string }>('select event_id as id from events where partner_id = $1', [partnerId])).map(({ id }) => id);

describe('messages that come together', () => {
  it('are stored once each, also where one comes twice, now or later', async () => {
    const payments = Array.from({ length: 120 }, () => randomUUID());
    const messages = payments.map((paymentId) => message(paymentId, 1));
    const results = await take(messages.flatMap((one) => [one, one]));
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    await take(messages);
    expect((await stored()).sort()).toEqual(messages.map(({ messageId }) => messageId).sort());
  });

  it('versions of one payment in any order: the payment is due as soon as the first is there', async () => {
    const paymentId = randomUUID();
    const due = async () =>
      (await app.query<{ due: boolean }>('select due_at is not null as due from aggregates where aggregate_id = $1', [paymentId])).map(
        ({ due: is }) => is,
      );
    await take([message(paymentId, 3), message(paymentId, 2)]);
    expect(await due()).toEqual([false]);
    await take([message(paymentId, 4), message(paymentId, 1)]);
    expect(await due()).toEqual([true]);
    expect(await stored()).toHaveLength(4);
  });

  it('keep each the request that caused it, as operators see it', async () => {
    const onPartnerEvent = createOnPartnerEvent(app.deps);
    const messages = [message(randomUUID(), 1), message(randomUUID(), 1)];
    await Promise.all(
      messages.map((one) =>
        withRequestContext({ requestId: `request-of-${one.messageId}` }, () => onPartnerEvent('payment.completed', one)),
      ),
    );
    for (const { messageId } of messages) {
      const { body } = await app.operate('GET', `/events/${messageId}`);
      expect(body['requestId']).toBe(`request-of-${messageId}`);
    }
  });

  it('a poison message fails alone', async () => {
    const [paymentId, other] = [randomUUID(), randomUUID()];
    const good = message(paymentId, 1);
    await take([good]);
    // Another event with the same version of the same payment: a bug in its producer.
    const results = await take([message(other, 1), message(paymentId, 1), message(other, 2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toHaveLength(3);
  });
});
