import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { readTrialBalance } from '../db/ledger.ts';
import { eraseBuyer } from './erase-buyer.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** The tables of the schema in which any column of any row has this text; what waits to be told is not kept. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await t.rows(`select relname from pg_class where relnamespace = current_schema()::regnamespace
    and relkind in ('r', 'p') and relname not in ('outbox', 'migrations')`);
  const found: string[] = [];
  for (const { relname } of tables) {
    const rows = await t.rows(`select 1 from "${String(relname)}" as r where r::text like '%' || $1 || '%' limit 1`, [
      text,
    ]);
    if (rows.length > 0) found.push(String(relname));
  }
  return found;
}

it('a buyer is erased: no table has their name, card or purpose any more; amounts and the ledger stay', async () => {
  const customerID = `buyer-${randomUUID()}`;
  const description = 'Present for Ada Lovelace';
  const { id, bindingId } = await t.givenSavedCard({ customerID, description });
  const open = await t.givenPayment({ customerID, description });
  const refund = await t.call('POST', `/api/card/${id}/refunds`, {
    body: { amount: '1.00', reason: 'Ada changed her mind' },
  });
  expect(refund.status).toBe(201);
  const erase = () => eraseBuyer(t.deps, 'anna', id);
  await expect(erase()).rejects.toMatchObject({ details: [{ message: expect.stringContaining('not finished') }] });
  await t.pay(open.formToken);
  await expect(erase()).rejects.toMatchObject({ details: [{ message: expect.stringContaining('not revoked') }] });
  await t.call('POST', `/internal/saved-cards/${bindingId}/revoke`, { key: null });

  const balance = await readTrialBalance(t.deps.db);
  expect(await erase()).toEqual({ payments: 2, savedCards: 1 });
  for (const trace of [customerID, '411111******1111', '2030-12', 'Lovelace', 'changed her mind']) {
    expect({ trace, in: await tablesWith(trace) }).toEqual({ trace, in: [] });
  }
  expect((await t.read(id)).body).toMatchObject({ status: 'COMPLETED', amount: 100.5, refundedAmount: '1.00' });
  expect(await readTrialBalance(t.deps.db)).toEqual(balance);
  expect(await t.rows(`select operator, action from operator_actions where subject_id = $1`, [id])).toEqual([{ operator: 'anna', action: 'buyer.erased' }]); // prettier-ignore
  await expect(eraseBuyer(t.deps, 'anna', randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
