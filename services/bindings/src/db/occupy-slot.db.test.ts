import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { BINDING_STATUSES } from '@pay/contract/states.ts';
import { chargeRefusal } from '../domain/charge-refusal.ts';
import { occupySlot } from './charges.ts';

const NOON = new Date('2026-03-31T23:59:59.999Z');

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  await t.setClock(NOON.toISOString());
});
afterAll(() => t.close());

describe('the guarded statement that accepts a charge', () => {
  it('accepts exactly what the decision does not refuse, in any zone of the session (F08)', async () => {
    const bindingId = await t.givenBinding();
    const row = fc.record({
      status: fc.constantFrom(...BINDING_STATUSES),
      cardExpiry: fc.constantFrom(null, '2025-12', '2026-02', '2026-03', '2026-04', '2027-01'),
      openPaymentId: fc.option(fc.uuid(), { freq: 3 }),
      offsetMs: fc.constantFrom(-86_400_000, -1, 0, 1, 86_400_000),
    });
    const zone = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'America/New_York');
    const ofPartner = fc.constantFrom('partner-a', 'partner-a', 'partner-b');
    await fc.assert(
      fc.asyncProperty(row, zone, ofPartner, async ({ offsetMs, ...binding }, timeZone, partnerId) => {
        const nextChargeAt = new Date(NOON.getTime() + offsetMs);
        await t.rows(
          `update bindings set status = $2, card_expiry = $3, open_payment_id = $4, next_charge_at = $5,
             last_charged_at = '2020-01-01', revoked_at = case when $2 = 'REVOKED' then clock_now() end
           where binding_id = $1`,
          [bindingId, binding.status, binding.cardExpiry, binding.openPaymentId, nextChargeAt],
        );
        const occupied = await t.deps.db.transaction(async (tx) => {
          await tx.execute(`set local timezone = '${timeZone}'`);
          return occupySlot(tx, { paymentId: randomUUID(), partnerId, bindingId });
        });
        const isAllowed = chargeRefusal({ ...binding, nextChargeAt }, NOON) === undefined;
        expect(occupied !== undefined).toBe(isAllowed && partnerId === 'partner-a');
      }),
      { numRuns: 300 },
    );
  });
});
