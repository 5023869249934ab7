import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startBothServices, type BothServices } from './both-services.ts';
import { DEFAULT_POINT } from '../../services/payments/test/app.ts';

let t: BothServices;
beforeAll(async () => {
  t = await startBothServices();
});
afterEach(async () => {
  t.withoutBank.clear();
  await back();
  await t.payments.rows(`update payment_points set status = 'ACTIVE', max_amount_kopecks = 100000000 where payment_point_id = $1`, [
    DEFAULT_POINT,
  ]);
});
afterAll(() => t.close());

const limitLowered = () =>
  t.payments.rows('update payment_points set max_amount_kopecks = 100 where payment_point_id = $1', [DEFAULT_POINT]);
const pointClosed = () => t.payments.rows(`update payment_points set status = 'CLOSED' where payment_point_id = $1`, [DEFAULT_POINT]);
/** Bindings reaches no replica of payments, and those that have a call hear nothing more of its caller. */
const away = async () => {
  for (const way of t.ways) {
    await way.set({ refusing: true });
    way.reset();
  }
};
const back = async () => {
  for (const way of t.ways) await way.set({});
};
const chargeOf = async (paymentId: unknown) =>
  (await t.bindings.rows('select status from charges where payment_id = $1', [paymentId]))[0]?.['status'];
const told = async (paymentId: unknown) =>
  (await t.payments.messages(paymentId)).map(({ type, payload }) => [type, payload['merchantOrderId']]);

/**
 * One replica of payments has read the charge and asks for the consent; its connection to bindings breaks; `meanwhile`
 * changes what the other one finds. Returns what the partner is answered, and the end of the first one's work.
 */
async function brokenAtFirst(bindingId: string, meanwhile: (other: number) => Promise<unknown> | undefined) {
  const sent = t.charge(bindingId);
  const consent = t.holdConsent();
  const answering = sent.send();
  const first = await consent.asked;
  await meanwhile(1 - first);
  t.ways[first]?.reset();
  return {
    ...sent,
    answer: await answering,
    finishFirst: () => {
      consent.release();
    },
  };
}

describe('a charge that one replica of payments has, and the other refuses', () => {
  it('503 by the other one: it is accepted, taken once, and its period is used (V1)', async () => {
    const bindingId = await t.givenBinding();
    const { answer, finishFirst, send } = await brokenAtFirst(bindingId, (other) => {
      t.withoutBank.add(other);
      return undefined;
    });
    expect([answer.status, answer.body['status']]).toEqual([201, 'CREATED']);
    const { paymentId } = answer.body;
    finishFirst();
    while (t.chargesAtBank(paymentId) === 0) await t.bindings.rows('select 1');
    t.withoutBank.clear();
    await t.goOn();
    expect([t.chargesAtBank(paymentId), await chargeOf(paymentId)]).toEqual([1, 'COMPLETED']);
    expect((await send()).body).toMatchObject({ paymentId, status: 'COMPLETED' });
    expect((await t.charge(bindingId).send()).body).toMatchObject({ code: 'PERIOD_NOT_ELAPSED' });
  });

  it.each([
    ['400, its limit was lowered', limitLowered],
    ['404, its point was closed', pointClosed],
  ])('%s: it ends FAILED at once, the first one takes nothing, and the period is free (V1)', async (_name, change) => {
    const bindingId = await t.givenBinding();
    const { answer, finishFirst } = await brokenAtFirst(bindingId, change);
    expect([answer.status, answer.body['status']]).toEqual([201, 'FAILED']);
    const { paymentId } = answer.body;
    finishFirst();
    await t.goOn();
    expect([t.chargesAtBank(paymentId), await chargeOf(paymentId)]).toEqual([0, 'FAILED']);
    await t.payments.rows(`update payment_points set status = 'ACTIVE', max_amount_kopecks = 100000000 where payment_point_id = $1`, [
      DEFAULT_POINT,
    ]);
    expect((await t.charge(bindingId).send()).body).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a charge that was answered 201 while payments was away', () => {
  it.each([
    ['the limit was lowered', limitLowered],
    ['the point was closed', pointClosed],
    ['the number was used by another payment', (orderID: string) => t.payments.create({ orderID })],
  ])('%s meanwhile: it ends FAILED, and is told and shown under its number (V4)', async (_name, change) => {
    const bindingId = await t.givenBinding();
    const { merchantOrderId, send } = t.charge(bindingId);
    await away();
    const answer = await send();
    expect([answer.status, answer.body['status']]).toEqual([201, 'CREATED']);
    const { paymentId } = answer.body;
    await change(merchantOrderId);
    await back();
    await t.bindings.rows(`update charges set leased_until = 'epoch' where payment_id = $1`, [paymentId]);
    expect((await send()).body).toMatchObject({ paymentId, status: 'FAILED' });
    expect(await told(paymentId)).toEqual([['payment.failed', merchantOrderId]]);
    expect((await t.payments.read(paymentId)).body).toMatchObject({
      orderID: merchantOrderId,
      status: 'FAILED',
      failureCode: 'PROCESSING_ERROR',
    });
    await t.goOn();
    expect([t.chargesAtBank(paymentId), await chargeOf(paymentId)]).toEqual([0, 'FAILED']);
    expect((await send()).body).toMatchObject({ paymentId, merchantOrderId });
  });
});

describe('a revoke that was answered', () => {
  it('payments asked before it, and is not reached by it: the charge does not leave for the bank (N1)', async () => {
    const bindingId = await t.givenBinding();
    const consent = t.holdConsent();
    const charging = t.charge(bindingId).send();
    await consent.asked;
    await away();
    expect((await t.revoke(bindingId)).body).toMatchObject({ status: 'REVOKED' });
    consent.release();
    const { paymentId } = (await charging).body;
    await back();
    await t.goOn();
    expect([t.chargesAtBank(paymentId), await chargeOf(paymentId)]).toEqual([0, 'FAILED']);
  });

  it('answered when the fence of a charge has said yes, and before the first byte: nothing leaves (N1)', async () => {
    const bindingId = await t.givenBinding();
    t.beforeItLeaves = async () => {
      await away();
      expect((await t.revoke(bindingId)).status).toBe(202);
    };
    const { paymentId } = (await t.charge(bindingId).send()).body;
    await back();
    await t.goOn();
    expect([t.chargesAtBank(paymentId), await chargeOf(paymentId)]).toEqual([0, 'FAILED']);
  });
});
