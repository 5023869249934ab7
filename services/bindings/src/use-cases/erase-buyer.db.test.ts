import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PARTNER, startTestApp, type TestApp } from '../../test/app.ts';
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

it('a buyer is erased: cards are revoked, and no table has their name, card, address or browser any more', async () => {
  const customerId = `buyer-${randomUUID()}`;
  const card = { customerId, cardMask: '411111******1111', cardExpiry: '2031-11' };
  const [bindingId, other] = [await t.givenBinding(card), await t.givenBinding(card)];
  const foreign = await t.givenBinding({ partner: 'partner-b', customerId });
  await t.consent({
    consentId: randomUUID(),
    bindingId,
    paymentId: randomUUID(),
    partnerId: PARTNER,
    customerId,
    period: 'P1M',
    capture: 'SERVICE',
    text: 'I agree.',
    version: '1',
    sha256: 'a'.repeat(64),
    acceptedAt: '2026-03-01T00:00:00.000Z',
    address: '203.0.113.77',
    userAgent: 'Erasable/1.0',
  });
  const { paymentId } = (await t.charge(bindingId, {}, { description: 'For Ada Lovelace' })).body;
  await expect(eraseBuyer(t.deps, 'anna', bindingId)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  await t.failed(paymentId);

  expect(await eraseBuyer(t.deps, 'anna', bindingId)).toEqual({ bindings: 2, consents: 1 });
  expect(await tablesWith(customerId)).toEqual(['bindings']);
  expect(await t.rows('select binding_id from bindings where customer_id = $1', [customerId])).toEqual([{ binding_id: foreign }]); // prettier-ignore
  for (const trace of ['411111******1111', '2031-11', '203.0.113.77', 'Erasable/1.0', 'Ada Lovelace']) {
    expect({ trace, in: await tablesWith(trace) }).toEqual({ trace, in: [] });
  }
  for (const id of [bindingId, other]) {
    expect((await t.binding(id))['status']).toBe('REVOKED');
    expect([...t.payments.revoked]).toContain(id);
    expect((await t.events(id)).at(-1)).toMatchObject({ type: 'binding.revoked', payload: { customerId } });
  }
  expect(await t.rows(`select text, sha256 from consents where binding_id = $1`, [bindingId])).toEqual([{ text: 'I agree.', sha256: 'a'.repeat(64) }]); // prettier-ignore
});
