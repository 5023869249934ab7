import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { gate, silence } from '../../../test/bank.ts';
import { startTestTBank, type TestTBank } from '../../../test/t-bank.ts';
import { tokenOf } from '../../acquirers/t-bank/token.ts';
import { createBankNotificationsApp } from '../../http/bank/notifications.ts';

let t: TestApp;
let tBank: TestTBank;
let listener: Listener;
const key = randomBytes(32);
const newKey = randomBytes(32);

beforeAll(async () => {
  t = await startTestApp();
  tBank = await startTestTBank();
  const { terminalKey, password } = tBank;
  const app = createBankNotificationsApp(t.deps, {
    sandboxBankKeys: [newKey, key],
    tBank: { terminalKey, passwords: ['the new password', password] },
  });
  listener = await listen(app, '127.0.0.1', 0);
});
afterAll(async () => {
  await listener.drain(0);
  await tBank.close();
  await t.close();
});

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${String(listener.port)}/notifications/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
const signed = (body: string) => ({ 'x-bank-signature': createHmac('sha256', key).update(body).digest('hex') });
async function notify(operationId: string, status = 'APPROVED'): Promise<number> {
  const body = JSON.stringify({ operationId, status, kind: 'ORDER', amountKopecks: '1' });
  return (await post('sandbox-bank', body, signed(body))).status;
}
/** A payment at the bank's 3-D Secure page. */
async function givenPending(): Promise<string> {
  const { id, checkoutToken } = await t.givenPayment({ amount: 100.5 });
  t.bank.verdict = { status: 'PENDING' };
  await t.pay(checkoutToken);
  t.bank.verdict = {};
  return id;
}
const statusOf = async (id: string) => (await t.payment(id))['status'];
const typesOf = async (id: string) => (await t.messages(id)).map(({ type }) => type);

describe('who is heard', () => {
  it.each([
    ['no signature', {}],
    ['another key', { 'x-bank-signature': createHmac('sha256', randomBytes(32)).update('{}').digest('hex') }],
    ['no hex', { 'x-bank-signature': 'x'.repeat(64) }],
  ])('401: %s, and nothing is asked', async (_title, headers) => {
    const id = await givenPending();
    t.bank.change(id, { status: 'APPROVED' });
    const calls = t.bank.callsOf('read');
    expect((await post('sandbox-bank', JSON.stringify({ operationId: id }), headers)).status).toBe(401);
    expect([await statusOf(id), t.bank.callsOf('read')]).toEqual(['PENDING', calls]);
  });

  it('401: a body that was changed after it was signed', async () => {
    const body = JSON.stringify({ operationId: randomUUID() });
    expect((await post('sandbox-bank', body.replace('{', '{ '), signed(body))).status).toBe(401);
  });

  it('404: an operation that is none of ours; 400: no operation', async () => {
    expect(await notify(randomUUID())).toBe(404);
    expect((await post('sandbox-bank', '{}', signed('{}'))).status).toBe(400);
  });

  it('while a key or the terminal’s password is changed both are good, and a third is not (L6)', async () => {
    const id = await givenPending();
    const body = JSON.stringify({ operationId: id, status: 'APPROVED', kind: 'ORDER', amountKopecks: '1' });
    const sandbox = async (by: Buffer) =>
      (await post('sandbox-bank', body, { 'x-bank-signature': createHmac('sha256', by).update(body).digest('hex') })).status;
    expect([await sandbox(newKey), await sandbox(key), await sandbox(randomBytes(32))]).toEqual([200, 200, 401]);
    const fields = { TerminalKey: tBank.terminalKey, OrderId: id, Status: 'CONFIRMED' };
    const told = async (password: string) => (await post('t-bank', JSON.stringify({ ...fields, Token: tokenOf(fields, password) }))).status;
    expect([await told('the new password'), await told(tBank.password), await told('a third')]).toEqual([200, 200, 401]);
  });

  it('T-Bank: its token counts, it hears OK, and the read decides', async () => {
    const id = await givenPending();
    const payment = {
      PaymentId: '1',
      OrderId: id,
      Amount: 1,
      Status: 'CONFIRMED',
      ErrorCode: '0',
      customerKey: undefined,
      recurrent: false,
      initiator: '0',
      left: 1,
      refunds: new Map(),
    };
    const good = tBank.notification(payment);
    expect((await post('t-bank', JSON.stringify({ ...good, Amount: 2 }))).status).toBe(401);
    expect((await post('t-bank', JSON.stringify({ ...good, TerminalKey: 'another' }))).status).toBe(401);
    // Another terminal of ours may have the same password: its operations are not this one's.
    const fields = { TerminalKey: 'another', OrderId: id, Status: 'CONFIRMED' };
    const another = { ...fields, Token: tokenOf(fields, tBank.password) };
    expect((await post('t-bank', JSON.stringify(another))).status).toBe(401);
    expect((await post('t-bank', '{}')).status).toBe(401);
    const answer = await post('t-bank', JSON.stringify(good));
    expect([answer.status, await answer.text()]).toEqual([200, 'OK']);
    // What it said was CONFIRMED; the bank, asked, says it is still open.
    expect(await statusOf(id)).toBe('PENDING');
  });
});

describe('what a notification does', () => {
  it('the bank is asked at once, and what it says is booked, whatever the notification said', async () => {
    const id = await givenPending();
    expect(await notify(id, 'APPROVED')).toBe(200);
    expect(await statusOf(id)).toBe('PENDING');
    t.bank.change(id, { status: 'APPROVED' });
    expect(await notify(id, 'DECLINED')).toBe(200);
    expect(await statusOf(id)).toBe('COMPLETED');
    expect(await typesOf(id)).toEqual(['payment.completed']);
  });

  it('the worker asks too, seconds later, where what the notification began does not end (F8)', async () => {
    const id = await givenPending();
    const held = gate();
    t.bank.interrupt('read', 'before', held.interruption);
    const told = notify(id);
    await held.arrived;
    const [row] = await t.rows(
      'select extract(epoch from next_read_at - clock_now())::float8 as seconds from payments where payment_id = $1',
      [id],
    );
    held.open();
    t.bank.interrupt('read', 'before', undefined);
    expect(await told).toBe(200);
    expect(Number(row?.['seconds'])).toBeLessThanOrEqual(5);
  });

  it('twenty of them at once, and again later: booked once, told once (E16)', async () => {
    const id = await givenPending();
    t.bank.change(id, { status: 'APPROVED' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => notify(id)));
    expect(new Set(answers)).toEqual(new Set([200]));
    const calls = t.bank.callsOf('read');
    expect(await notify(id)).toBe(200);
    expect(t.bank.callsOf('read')).toBe(calls);
    expect(await typesOf(id)).toEqual(['payment.completed']);
    expect(await t.rows(`select 1 from ledger_transactions where reference_id = $1`, [id])).toHaveLength(1);
  });

  it('of a decline after the success: nothing (E17)', async () => {
    const id = await givenPending();
    t.bank.change(id, { status: 'APPROVED' });
    await notify(id);
    t.bank.change(id, { status: 'DECLINED' });
    expect(await notify(id, 'DECLINED')).toBe(200);
    expect([await statusOf(id), await typesOf(id)]).toEqual(['COMPLETED', ['payment.completed']]);
  });

  it('of a success after the end: late money goes back, the state stays (E18)', async () => {
    const id = await givenPending();
    t.bank.change(id, { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' });
    await notify(id);
    expect(await statusOf(id)).toBe('REJECTED');
    t.bank.change(id, { status: 'APPROVED' });
    await notify(id);
    expect([await statusOf(id), await typesOf(id)]).toEqual(['REJECTED', ['payment.failed']]);
    expect(await t.rows('select kind from exceptions where payment_id = $1', [id])).toEqual([{ kind: 'LATE_SUCCESS' }]);
  });

  it('that overtakes the answer to our own call: one outcome (E19)', async () => {
    const { id, checkoutToken } = await t.givenPayment({ amount: 10 });
    const held = gate();
    t.bank.interrupt('authorize', 'after', held.interruption);
    const paying = t.pay(checkoutToken);
    await held.arrived;
    expect(await notify(id)).toBe(200);
    expect(await statusOf(id)).toBe('COMPLETED');
    held.open();
    t.bank.interrupt('authorize', 'after', undefined);
    expect(await paying).toBe('accepted');
    expect(await typesOf(id)).toEqual(['payment.completed']);
  });

  it('the bank does not answer the read: taken all the same, and the worker asks by its plan', async () => {
    const id = await givenPending();
    t.bank.change(id, { status: 'APPROVED' });
    t.bank.interrupt('read', 'before', silence);
    expect(await notify(id)).toBe(200);
    t.bank.interrupt('read', 'before', undefined);
    expect(await statusOf(id)).toBe('PENDING');
    await t.rows('update payments set next_read_at = clock_now() where payment_id = $1 and next_read_at is not null', [id]);
    await t.work();
    expect(await statusOf(id)).toBe('COMPLETED');
  });

  it('of a refund: read and ended', async () => {
    const { id, checkoutToken } = await t.givenPayment({ amount: 10 });
    await t.pay(checkoutToken);
    t.bank.refundVerdict = { status: 'PENDING' };
    const { body } = await t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '4.00' } });
    t.bank.refundVerdict = {};
    const refundId = String(body['refundId']);
    expect(body['status']).toBe('PENDING');
    t.bank.change(refundId, { status: 'APPROVED' });
    expect(await notify(refundId)).toBe(200);
    expect((await t.call('GET', `/api/refunds/${refundId}`)).body['status']).toBe('COMPLETED');
    expect(await notify(refundId)).toBe(200);
  });

  it('in any order, any number of times, between any changes at the bank: a legal end, one event, the ledger at zero', async () => {
    const step = fc.constantFrom('approve', 'decline', 'notify', 'notify', 'work');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const id = await givenPending();
        let isDecided = false;
        for (const what of steps) {
          if (what === 'notify') await notify(id, 'ANYTHING');
          else if (what === 'work') await t.work();
          else if (!isDecided) {
            isDecided = true;
            t.bank.change(id, { status: what === 'approve' ? 'APPROVED' : 'DECLINED' });
          }
        }
        await notify(id);
        const expected = { APPROVED: 'COMPLETED', DECLINED: 'REJECTED', PENDING: 'PENDING' };
        const atBank = t.bank.operations.get(id)?.status as keyof typeof expected;
        expect(await statusOf(id)).toBe(expected[atBank]);
        expect(await typesOf(id)).toHaveLength(atBank === 'PENDING' ? 0 : 1);
        const [sum] = await t.rows('select coalesce(sum(amount_kopecks), 0)::text as sum from ledger_entries');
        expect(sum?.['sum']).toBe('0');
      }),
      { numRuns: 12 },
    );
  });
});
