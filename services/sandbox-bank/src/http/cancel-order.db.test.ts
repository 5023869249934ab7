import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestBank, type TestBank } from '../../test/bank.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank();
});
afterAll(() => bank.close());

const cancel = (operationId: string) => bank.call('POST', `/v1/orders/${operationId}/cancel`);

describe('POST /v1/orders/{operationId}/cancel', () => {
  it('200: an unpaid order is CANCELLED, a repeat says the same, and no card pays it any more', async () => {
    const operationId = await bank.givenOrder();
    expect((await cancel(operationId)).body['status']).toBe('CANCELLED');
    expect((await cancel(operationId)).body['status']).toBe('CANCELLED');
    expect((await bank.authorize(operationId, '4111111111111111')).body['status']).toBe('CANCELLED');
    expect(await bank.moneyMoved(operationId)).toBe(0);
  });

  it('200: an order that waits for 3-D Secure is CANCELLED', async () => {
    const operationId = await bank.givenOrder();
    await bank.authorize(operationId, '4000003800000446');
    expect((await cancel(operationId)).body['status']).toBe('CANCELLED');
  });

  it('200: a paid order stays APPROVED', async () => {
    const operationId = await bank.givenOrder();
    await bank.authorize(operationId, '4111111111111111');
    expect((await cancel(operationId)).body['status']).toBe('APPROVED');
  });

  it('404 for an order the bank does not know', async () => {
    expect((await cancel(randomUUID())).status).toBe(404);
  });
});
