import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type Row, type TestApp } from '../../../test/app.ts';
import { registrationStatement } from '../../db/payment/payments.ts';
import { recordOutcome } from './record-outcome.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** Turns a registered payment back into one whose registration is under way. */
async function givenCreated(change = ", status = 'CREATED'"): Promise<{ readonly id: string; readonly registered: Row }> {
  const { id } = await t.givenPayment();
  const registered = await t.payment(id);
  await t.rows(
    `update payments set bank_operation_id = null, last_read_at = null, read_count = 3,
       lease_until = clock_now() + interval '20 s', next_read_at = clock_now() + interval '20 s' ${change}
     where payment_id = $1`,
    [id],
  );
  return { id, registered };
}
const save = (paymentId: string, leaseNumber: number) =>
  t.deps.db.transaction((tx) => registrationStatement(tx, { paymentId, leaseNumber, bankOperationId: 'bank-1' }));
const times = { last_read_at: expect.any(Date), updated_at: expect.any(Date) };

describe('a registration that the bank answers at once', () => {
  it('leaves the row that recording its outcome under the lock leaves', async () => {
    const { id, registered } = await givenCreated();
    const bankOperationId = String(registered['bank_operation_id']);
    const lease = { paymentId: id, number: Number(registered['lease_number']), statuses: ['CREATED'] as const };
    await recordOutcome(t.deps, { paymentId: id, operationId: null }, { kind: 'registered', bankOperationId, nspkUrl: null }, lease);
    expect({ ...(await t.payment(id)), ...times }).toEqual({ ...registered, ...times });
  });

  it.each([
    ['another process took the lease', undefined, 1],
    ['it went on meanwhile', ", status = 'PENDING'", 0],
    ['its session is over', ", status = 'CREATED', expires_at = clock_now()", 0],
  ])('changes nothing where %s', async (_why, change, leasesSince) => {
    const { id, registered } = await givenCreated(change);
    const before = await t.payment(id);
    expect(await save(id, Number(registered['lease_number']) - leasesSince)).toEqual([]);
    expect(await t.payment(id)).toEqual(before);
  });
});
