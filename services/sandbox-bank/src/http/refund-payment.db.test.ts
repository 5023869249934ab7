import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestBank, type TestBank } from '../../test/bank.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank();
});
afterAll(() => bank.close());

const refundOf = (originalOperationId: string, amountKopecks: string) => ({
  operationId: randomUUID(),
  originalOperationId,
  amountKopecks,
});
const refund = (body: object) => bank.call('POST', '/v1/refunds', body);

async function givenPaid(change: object = {}): Promise<string> {
  const operationId = await bank.givenOrder(change);
  await bank.authorize(operationId, '4111111111111111');
  return operationId;
}

describe('POST /v1/refunds', () => {
  it('200: part, then the rest; not a kopeck more', async () => {
    const paid = await givenPaid();
    const first = await refund(refundOf(paid, '1000'));
    expect(first.body).toMatchObject({
      kind: 'REFUND',
      status: 'APPROVED',
      amountKopecks: '1000',
      originalOperationId: paid,
    });
    expect((await refund(refundOf(paid, '51'))).body['errorCode']).toBe('AMOUNT_EXCEEDED');
    expect((await refund(refundOf(paid, '50'))).body['status']).toBe('APPROVED');
    const more = await refund(refundOf(paid, '1'));
    expect([more.status, more.body['errorCode']]).toEqual([409, 'AMOUNT_EXCEEDED']);
  });

  it('a repeat gives the same refund and moves no money; other parameters are 409 OPERATION_MISMATCH', async () => {
    const paid = await givenPaid();
    const request = refundOf(paid, '1050');
    const first = await refund(request);
    expect((await refund(request)).body).toEqual(first.body);
    expect(await bank.moneyMoved(request.operationId)).toBe(1);
    const other = await refund({ ...request, amountKopecks: '1' });
    expect([other.status, other.body['errorCode']]).toEqual([409, 'OPERATION_MISMATCH']);
    const elsewhere = await refund({ ...request, originalOperationId: await givenPaid() });
    expect([elsewhere.status, elsewhere.body['errorCode']]).toEqual([409, 'OPERATION_MISMATCH']);
  });

  it('forty at once of a tenth each: ten are given, thirty are refused', async () => {
    const paid = await givenPaid({ amountKopecks: '1000' });
    const answers = await Promise.all(Array.from({ length: 40 }, () => refund(refundOf(paid, '100'))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 409)).toHaveLength(30);
  });

  it('of a charge of .95: DECLINED PROCESSING_ERROR, and the money can still be given back later', async () => {
    const cardToken = await bank.givenSavedCard();
    const charge = { operationId: randomUUID(), amountKopecks: '1095', currency: 'RUB', description: '', cardToken };
    await bank.call('POST', '/v1/charges', { ...charge, initiator: 'MERCHANT', recurring: true });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { body } = await refund(refundOf(charge.operationId, '1095'));
      expect(body).toMatchObject({ status: 'DECLINED', reason: 'PROCESSING_ERROR' });
    }
  });

  it('409 NOT_REFUNDABLE: an order that nobody paid, and a refund', async () => {
    const unpaid = await refund(refundOf(await bank.givenOrder(), '1'));
    expect([unpaid.status, unpaid.body['errorCode']]).toEqual([409, 'NOT_REFUNDABLE']);
    const request = refundOf(await givenPaid(), '10');
    await refund(request);
    expect((await refund(refundOf(request.operationId, '1'))).body['errorCode']).toBe('NOT_REFUNDABLE');
  });

  it('404: a payment the bank does not know; and nothing is stored', async () => {
    const request = refundOf(randomUUID(), '1');
    expect((await refund(request)).status).toBe(404);
    expect((await bank.call('GET', `/v1/operations/${request.operationId}`)).status).toBe(404);
  });

  it('a refused refund leaves its id free', async () => {
    const paid = await givenPaid();
    const request = refundOf(paid, '1051');
    expect((await refund(request)).status).toBe(409);
    expect((await refund({ ...request, amountKopecks: '1050' })).body['status']).toBe('APPROVED');
  });
});
