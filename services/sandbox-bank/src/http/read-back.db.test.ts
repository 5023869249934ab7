import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestBank, type TestBank } from '../../test/bank.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank();
});
afterAll(() => bank.close());

describe('GET /v1/operations/{operationId}', () => {
  it('404 for an operation the bank does not know, 400 for what is no id, 401 without the key', async () => {
    const unknown = await bank.call('GET', `/v1/operations/${randomUUID()}`);
    expect([unknown.status, unknown.body['errorCode']]).toEqual([404, 'OPERATION_NOT_FOUND']);
    expect((await bank.call('GET', '/v1/operations/1')).status).toBe(400);
    expect((await bank.open(`/v1/operations/${randomUUID()}`)).status).toBe(401);
  });

  it('an unfinished 3-D Secure stays as it is until the order ends, then it is EXPIRED', async () => {
    const { body } = await bank.call('GET', '/control/clock');
    const expiresAt = new Date(new Date(String(body['now'])).getTime() + 300_000).toISOString();
    const operationId = await bank.givenOrder({ expiresAt });
    await bank.authorize(operationId, '4000003800000446');
    expect((await bank.call('GET', `/v1/operations/${operationId}`)).body['status']).toBe('THREE_DS_REQUIRED');
    await bank.call('POST', '/control/clock', { advance: 'PT5M' });
    const { body: ended } = await bank.call('GET', `/v1/operations/${operationId}`);
    await bank.call('POST', '/control/clock', { reset: true });
    expect(ended).toMatchObject({ status: 'EXPIRED', reason: 'SESSION_EXPIRED' });
    expect(ended).not.toHaveProperty('acsUrl');
  });
});

describe('GET /v1/register', () => {
  it('every operation of the day, oldest first, in the state that time has brought it to', async () => {
    await bank.call('POST', '/control/reset', {});
    const date = new Date(String((await bank.call('GET', '/control/clock')).body['now'])).toISOString().slice(0, 10);
    const paid = await bank.givenOrder();
    await bank.authorize(paid, '4111111111111111');
    const refund = { operationId: randomUUID(), originalOperationId: paid, amountKopecks: '50' };
    await bank.call('POST', '/v1/refunds', refund);
    const expired = await bank.givenOrder({ expiresAt: '2020-01-01T00:00:00.000Z' });
    const { body } = await bank.call('GET', `/v1/register?date=${date}`);
    expect(body).toMatchObject({
      date,
      operations: [
        { operationId: paid, kind: 'ORDER', status: 'APPROVED', amountKopecks: '1050' },
        { operationId: refund.operationId, kind: 'REFUND', status: 'APPROVED', amountKopecks: '50' },
        { operationId: expired, status: 'EXPIRED' },
      ],
    });
    const other = await bank.call('GET', '/v1/register?date=2020-01-01');
    expect(other.body['operations']).toEqual([]);
  });

  it.each([
    '',
    '?date=today',
    '?date=2026-02-30',
    '?date=2026-01-01&x=1',
    '?date=0000-01-01',
    '?date=2026-01-01&after=0000-01-01T00:00:00Z_00000000-0000-4000-8000-000000000000',
    '?date=2026-01-01&after=9999-12-31T23:59:59-00:01_00000000-0000-4000-8000-000000000000',
  ])('400: %s (K1)', async (query) => {
    expect((await bank.call('GET', `/v1/register${query}`)).status).toBe(400);
  });
});
