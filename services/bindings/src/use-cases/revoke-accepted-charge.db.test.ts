import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { workOff } from '../../../../packages/shared/test/work-off.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { handOverLoop } from './hand-over-charge.ts';

const NOON = '2026-03-31T12:00:00.000Z';
const JUST_BEFORE_ONE = '2026-03-31T12:59:59.999Z';
const ONE = '2026-03-31T13:00:00.000Z';
const TWO = '2026-03-31T14:00:00.000Z';

// A fresh app each: a circuit breaker that one test opened would delay the next one's hand-over.
let t: TestApp;
beforeEach(async () => {
  t = await startTestApp();
  await t.setClock(NOON);
});
afterEach(() => t.close());

const chargeOf = async (bindingId: string) => {
  const [row] = await t.rows('select * from charges where binding_id = $1', [bindingId]);
  return row;
};
const revoke = (bindingId: string, replica = 0) => t.call('POST', `/v1/bindings/${bindingId}/revoke`, { replica });
const round = () => workOff(handOverLoop(t.deps));
/** Ends the pause after an attempt. */
const nextAttempt = () => t.rows(`update charges set leased_until = 'epoch' where status = 'CREATED'`);
const callsOf = (paymentId: unknown) => t.payments.calls.filter((call) => call.paymentId === paymentId).length;

/** A charge that was accepted while payments was down. */
async function accepted() {
  const bindingId = await t.givenBinding();
  const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
  t.payments.isAway = true;
  const answer = await t.charge(bindingId, { key }, { merchantOrderId });
  expect([answer.status, answer.body['status']]).toEqual([201, 'CREATED']);
  const repeat = () => t.charge(bindingId, { key, replica: 1 }, { merchantOrderId });
  return { bindingId, paymentId: String(answer.body['paymentId']), repeat };
}

describe('a charge that was accepted before a revoke (S6)', () => {
  it.each([0, 1])(
    'payments is away when it is revoked at replica %d, and comes back: it is not charged, and ends FAILED (S6)',
    async (replica) => {
      const { bindingId, paymentId } = await accepted();
      expect((await revoke(bindingId, replica)).body).toMatchObject({ status: 'REVOKED' });
      t.payments.isAway = false;
      await nextAttempt();
      await round();
      expect(t.payments.withdrawn.get(paymentId)).toBe('CONSENT_REVOKED');
      expect(callsOf(paymentId)).toBe(0);
      await t.failed(paymentId);
      expect(await chargeOf(bindingId)).toMatchObject({ status: 'REJECTED' });
    },
  );

  it('payments is there: it is withdrawn, and payments told, before the revoke is answered (S6)', async () => {
    const { bindingId, paymentId } = await accepted();
    t.payments.isAway = false;
    expect((await revoke(bindingId)).status).toBe(202);
    expect(t.payments.withdrawn.get(paymentId)).toBe('CONSENT_REVOKED');
    expect([...t.payments.revoked]).toContain(bindingId);
    await nextAttempt();
    await round();
    expect(callsOf(paymentId)).toBe(0);
  });

  it('a repeat of its POST after the revoke does not hand it over (S6)', async () => {
    const { bindingId, paymentId, repeat } = await accepted();
    await revoke(bindingId);
    t.payments.isAway = false;
    await nextAttempt();
    expect((await repeat()).body).toMatchObject({ paymentId, status: 'FAILED' });
    expect(callsOf(paymentId)).toBe(0);
  });

  it('a replica that is frozen in its hand-over meets the withdrawn charge: nothing is taken (S6)', async () => {
    const bindingId = await t.givenBinding();
    const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    t.payments.behave = async () => {
      reached.resolve(undefined);
      await released.promise;
      return { kind: 'take' };
    };
    const frozen = t.charge(bindingId);
    await reached.promise;
    expect((await t.call('POST', `/v1/bindings/${bindingId}/revoke`, { replica: 1 })).status).toBe(202);
    released.resolve(undefined);
    const { paymentId, status } = (await frozen).body;
    expect(status).toBe('FAILED');
    expect(t.payments.withdrawn.get(String(paymentId))).toBe('CONSENT_REVOKED');
  });

  it('a charge that payments has runs to its end (S6)', async () => {
    const bindingId = await t.givenBinding();
    const { paymentId } = (await t.charge(bindingId)).body;
    await revoke(bindingId);
    expect(t.payments.withdrawn.has(String(paymentId))).toBe(false);
    await t.completed(paymentId, NOON);
    expect(await chargeOf(bindingId)).toMatchObject({ status: 'COMPLETED' });
  });

  it('payments took it and its answer was lost: asked first, it runs to its end (S6)', async () => {
    const bindingId = await t.givenBinding();
    t.payments.behave = () => ({ kind: 'silent' });
    const { paymentId } = (await t.charge(bindingId)).body;
    await revoke(bindingId);
    expect(t.payments.withdrawn.has(String(paymentId))).toBe(false);
    expect(await chargeOf(bindingId)).toMatchObject({ status: 'SUBMITTED' });
  });
});

describe('a charge that cannot be handed over (S6)', () => {
  it('payments is away for two hours: the charge ends FAILED, is never made, and frees its period (S6)', async () => {
    const { bindingId, paymentId } = await accepted();
    await t.setClock(TWO);
    t.payments.isAway = false;
    await nextAttempt();
    await round();
    expect(t.payments.withdrawn.get(paymentId)).toBe('PROCESSING_ERROR');
    expect(callsOf(paymentId)).toBe(0);
    await t.failed(paymentId);
    expect((await t.charge(bindingId)).status).toBe(201);
  });

  it.each([
    [JUST_BEFORE_ONE, 1, false],
    [ONE, 0, true],
  ])('at %s, by the database’s clock (S6)', async (now, calls, isWithdrawn) => {
    const { paymentId } = await accepted();
    await t.setClock(now);
    t.payments.isAway = false;
    await nextAttempt();
    await round();
    expect([callsOf(paymentId), t.payments.withdrawn.has(paymentId)]).toEqual([calls, isWithdrawn]);
  });
});
