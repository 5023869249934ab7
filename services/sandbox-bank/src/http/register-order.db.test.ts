import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { orderOf, startTestBank, type TestBank } from '../../test/bank.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank();
});
afterAll(() => bank.close());

describe('POST /v1/orders', () => {
  it('200: a card order is REGISTERED, with the bank’s own id and no page yet', async () => {
    const order = orderOf();
    const { status, body } = await bank.call('POST', '/v1/orders', order);
    expect(status).toBe(200);
    expect(body).toEqual({
      operationId: order.operationId,
      bankOperationId: expect.stringMatching(/^[0-9a-f]{32}$/),
      kind: 'ORDER',
      method: 'CARD',
      status: 'REGISTERED',
      amountKopecks: '1050',
      currency: 'RUB',
      createdAt: expect.stringMatching(MOMENT),
      updatedAt: expect.stringMatching(MOMENT),
    });
  });

  it('200: an SBP order carries the link of its page', async () => {
    const { body } = await bank.call('POST', '/v1/orders', orderOf({ method: 'SBP' }));
    expect(body['nspkurl']).toBe(`${bank.url}/sbp/${String(body['bankOperationId'])}`);
  });

  it('200: a repeat with the same parameters gets the same operation, in its current state', async () => {
    const order = orderOf();
    const first = await bank.call('POST', '/v1/orders', order);
    await bank.authorize(order.operationId, '4111111111111111');
    const repeat = await bank.call('POST', '/v1/orders', order);
    expect(repeat.body).toMatchObject({ bankOperationId: first.body['bankOperationId'], status: 'APPROVED' });
  });

  it.each([
    ['amountKopecks', '1051'],
    ['description', 'Coffee'],
    ['method', 'SBP'],
    ['expiresAt', '2099-12-31T23:59:58.000Z'],
    ['returnUrl', 'http://shop.test/other'],
  ])('409 OPERATION_MISMATCH: the same id with another %s', async (field, value) => {
    const order = orderOf();
    await bank.call('POST', '/v1/orders', order);
    const { status, body } = await bank.call('POST', '/v1/orders', { ...order, [field]: value });
    expect([status, body['errorCode']]).toEqual([409, 'OPERATION_MISMATCH']);
  });

  it('twenty at once with one id make one operation', async () => {
    const order = orderOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => bank.call('POST', '/v1/orders', order)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body['bankOperationId'])).size).toBe(1);
  });

  it.each([
    ['amountKopecks', '10.50'],
    ['amountKopecks', '0'],
    ['amountKopecks', '-1'],
    ['amountKopecks', 1050],
    ['currency', 'USD'],
    ['method', 'CASH'],
    ['operationId', 'order-1'],
    ['expiresAt', 'tomorrow'],
    ['expiresAt', '0000-01-01T00:00:00Z'],
    ['expiresAt', '9999-12-31T23:59:59-00:01'],
    ['returnUrl', 'javascript:alert(1)'],
    ['description', 'x'.repeat(141)],
    ['colour', 'red'],
  ])('400 BAD_REQUEST: %s %p is named', async (field, value) => {
    const { status, body } = await bank.call('POST', '/v1/orders', orderOf({ [field]: value }));
    expect([status, body['errorCode']]).toEqual([400, 'BAD_REQUEST']);
    expect(body['fields']).toEqual([{ field, message: expect.any(String) }]);
  });

  it.each([[{}], [{ Authorization: 'Bearer wrong' }], [{ Authorization: 'test-key-of-the-bank' }]])(
    '401 ACCESS_DENIED with headers %j',
    async (headers) => {
      const response = await bank.open('/v1/orders', { method: 'POST', headers, body: '{}' });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ errorCode: 'ACCESS_DENIED' });
    },
  );

  it('an unpaid order is EXPIRED once its time is over by the bank’s clock', async () => {
    const operationId = await bank.givenOrder({ expiresAt: '2020-01-01T00:00:00.000Z' });
    const read = await bank.call('GET', `/v1/operations/${operationId}`);
    expect(read.body).toMatchObject({ status: 'EXPIRED', reason: 'SESSION_EXPIRED' });
    expect((await bank.authorize(operationId, '4111111111111111')).body['status']).toBe('EXPIRED');
    expect(await bank.moneyMoved(operationId)).toBe(0);
  });
});
