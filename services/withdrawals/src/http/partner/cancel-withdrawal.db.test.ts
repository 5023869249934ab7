import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type Answer, type Call, type Funded, type Json, type TestApp } from '../../../test/app.ts';
import { lockWithdrawal } from '../../db/withdrawals.ts';

let t: TestApp;
let own: Funded;
beforeAll(async () => {
  t = await startTestApp();
});
beforeEach(async () => {
  own = await t.givenPartner();
});
afterAll(() => t.close());

const USDT = 1_000_000n;
const untouched = { available: 100n * USDT, reserved: 0n, paid: 0n, credited: 100n * USDT };
const cancel = (id: string, call: Partial<Call> = {}) =>
  t.call('POST', `/api/withdrawal-requests/${id}/cancel`, { partner: own.partner, ...call });
const code = ({ status, body }: Answer) => [status, body['code']];
const stored = async (id: string) => (await t.rows('select * from withdrawals where withdrawal_request_id = $1', [id]))[0] ?? {};
const events = async (id: string) =>
  (await t.rows('select type, payload from outbox where aggregate_id = $1 order by position', [id])).map(({ type, payload }) => [
    type,
    (payload as Json)['aggregateVersion'],
  ]);
const CANCELLED_ONCE = [
  ['withdrawal.requested', 1],
  ['withdrawal.cancelled', 2],
];

describe('19: POST /api/withdrawal-requests/{requestID}/cancel', () => {
  it('200: CANCELLED, as GET shows it; the amount is available again; withdrawal.cancelled', async () => {
    const id = await t.givenRequest(own, '12.5');
    const { status, body } = await cancel(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ withdrawalRequestId: id, status: 'CANCELLED', statusReason: 'Cancelled by the partner' });
    expect((await t.call('GET', `/api/withdrawal-requests/${id}`, { partner: own.partner })).body).toEqual(body);
    expect(await t.balance(own.storeId)).toEqual(untouched);
    expect(await events(id)).toEqual(CANCELLED_ONCE);
    expect((await t.request(own, '100')).status).toBe(201);
  });

  it('operators see who cancelled: the partner, or one of them', async () => {
    const [first, second] = [await t.givenRequest(own), await t.givenRequest(own)];
    await cancel(first);
    await t.act('olga', second, 'cancel');
    const read = async (id: string) => (await t.operate('olga', 'GET', `/withdrawals/${id}`)).body;
    expect(await read(first)).toMatchObject({ status: 'CANCELLED', cancelledBy: 'PARTNER', history: [] });
    expect(await read(second)).toMatchObject({
      status: 'CANCELLED',
      cancelledBy: 'OPERATOR',
      history: [expect.objectContaining({ action: 'withdrawal.cancel' })],
    });
    const { body } = await cancel(second);
    expect(body).toMatchObject({ status: 'CANCELLED', statusReason: 'as agreed by phone' });
  });

  /** Both wait for the row, `first` ahead of `second`. */
  const inTurn = async (id: string, first: () => Promise<Answer>, second: () => Promise<Answer>) => {
    const started: Promise<Answer>[] = [];
    await t.deps.db.transaction(async (tx) => {
      await lockWithdrawal(tx, id);
      started.push(first());
      await t.untilBlocked(1);
      started.push(second());
      await t.untilBlocked(2);
    });
    return Promise.all(started);
  };

  it('an operator and the partner at the same moment: the one that gets the row first wins, whichever it is', async () => {
    const [one, two] = [await t.givenRequest(own), await t.givenRequest(own)];
    const taken = await inTurn(
      one,
      () => t.act('olga', one, 'take'),
      () => cancel(one),
    );
    expect(taken.map(code)).toEqual([
      [200, undefined],
      [409, 'CANCEL_NOT_ALLOWED'],
    ]);
    expect((await stored(one))['status']).toBe('IN_REVIEW');
    const cancelled = await inTurn(
      two,
      () => cancel(two),
      () => t.act('olga', two, 'take'),
    );
    expect(cancelled.map(code)).toEqual([
      [200, undefined],
      [409, 'STALE_REVISION'],
    ]);
    expect(cancelled[1]?.body['current']).toMatchObject({ status: 'CANCELLED', cancelledBy: 'PARTNER' });
    expect((await stored(two))['status']).toBe('CANCELLED');
    expect((await t.balance(own.storeId)).reserved).toBe(10n * USDT);
  });

  it.each([
    ['IN_REVIEW', ['take']],
    ['APPROVED', ['take', 'approve']],
    ['REJECTED', ['reject']],
    ['COMPLETED', ['take', 'approve', 'complete']],
    ['FAILED', ['take', 'approve', 'fail']],
  ])('409 CANCEL_NOT_ALLOWED when it is %s: nothing changes, the key stays free', async (status, actions) => {
    const [id, key] = [await t.givenRequest(own), randomUUID()];
    for (const action of actions) await t.act(action === 'complete' || action === 'fail' ? 'ivan' : 'olga', id, action);
    const before = [await stored(id), await t.balance(own.storeId), await events(id)];
    expect(before[0]).toMatchObject({ status });
    expect(code(await cancel(id, { key }))).toEqual([409, 'CANCEL_NOT_ALLOWED']);
    expect([await stored(id), await t.balance(own.storeId), await events(id)]).toEqual(before);
    expect((await cancel(await t.givenRequest(own), { key })).status).toBe(200);
  });

  it('a repeat with the key, on the other replica, and a cancel with another one: the same request, released once', async () => {
    const [id, key] = [await t.givenRequest(own), randomUUID()];
    const first = await cancel(id, { key });
    const again = await cancel(id, { key, replica: 1 });
    const anew = await cancel(id, { body: {} });
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([200, first.body, 'true']);
    expect([anew.status, anew.body, anew.headers.get('idempotency-replayed')]).toEqual([200, first.body, null]);
    expect([await t.balance(own.storeId), await events(id)]).toEqual([untouched, CANCELLED_ONCE]);
    expect(code(await cancel(await t.givenRequest(own), { key }))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('twenty at once over two replicas: one release, one event', async () => {
    const id = await t.givenRequest(own);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, replica) => cancel(id, { replica })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await t.balance(own.storeId), await events(id)]).toEqual([untouched, CANCELLED_ONCE]);
  });

  it('404: another partner’s looks like none; it stays as it is', async () => {
    const id = await t.givenRequest(own);
    const { partner } = await t.givenPartner();
    const bodyOf = ({ status, body: { requestId: _id, ...body } }: Answer): [number, Json] => [status, body];
    const none = bodyOf(await cancel(randomUUID()));
    expect(none).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
    expect(bodyOf(await cancel(id, { partner }))).toEqual(none);
    expect(bodyOf(await cancel('nothing'))).toEqual(none);
    expect((await stored(id))['status']).toBe('REQUESTED');
  });

  it('400: without an Idempotency-Key, or with a body that says something', async () => {
    const id = await t.givenRequest(own);
    expect(code(await cancel(id, { key: null }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(code(await cancel(id, { body: { reason: 'x' } }))).toEqual([400, 'VALIDATION_FAILED']);
    expect((await stored(id))['status']).toBe('REQUESTED');
  });
});
