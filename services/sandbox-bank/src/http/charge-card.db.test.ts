import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestBank, type TestBank } from '../../test/bank.ts';

let bank: TestBank;
let cardToken: string;
beforeAll(async () => {
  bank = await startTestBank();
  cardToken = await bank.givenSavedCard();
});
afterAll(() => bank.close());

const chargeOf = (change: object = {}) => ({
  operationId: randomUUID(),
  amountKopecks: '19900',
  currency: 'RUB',
  description: 'Subscription',
  cardToken,
  initiator: 'MERCHANT',
  recurring: true,
  ...change,
});
const charge = (body: object) => bank.call('POST', '/v1/charges', body);
const read = (operationId: string) => bank.call('GET', `/v1/operations/${operationId}`);

describe('POST /v1/charges', () => {
  it.each([
    ['19900', 'APPROVED', undefined, 1],
    ['19991', 'DECLINED', 'INSUFFICIENT_FUNDS', 0],
    ['19994', 'PENDING', undefined, 0],
    ['19995', 'APPROVED', undefined, 1],
  ])('%s kopecks: %s %s', async (amountKopecks, status, reason, moneyMoved) => {
    const request = chargeOf({ amountKopecks });
    const { body } = await charge(request);
    expect(body).toMatchObject({ kind: 'CHARGE', method: 'CARD', amountKopecks, cardMask: '411111******1111', status });
    expect(body['reason']).toBe(reason);
    expect(body).not.toHaveProperty('cardToken');
    expect(await bank.moneyMoved(request.operationId)).toBe(moneyMoved);
  });

  it.each([
    ['19992', 'APPROVED', undefined, 1],
    ['19993', 'DECLINED', 'ISSUER_UNAVAILABLE', 0],
  ])('%s kopecks: no answer, then %s %s on read-back and on a repeat', async (amountKopecks, status, reason, moneyMoved) => {
    const request = chargeOf({ amountKopecks });
    await expect(charge(request)).rejects.toThrow();
    for (const { body } of [await read(request.operationId), await charge(request)]) {
      expect([body['status'], body['reason']]).toEqual([status, reason]);
    }
    expect(await bank.moneyMoved(request.operationId)).toBe(moneyMoved);
  });

  it('card 2200700000000041: the first payment approved, every later charge INSUFFICIENT_FUNDS', async () => {
    const token = await bank.givenSavedCard('2200700000000041');
    for (const amountKopecks of ['100', '194']) {
      const { body } = await charge(chargeOf({ cardToken: token, amountKopecks }));
      expect(body).toMatchObject({ status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' });
    }
  });

  it('card 2200700000000058: every later charge stays PENDING, however late, until it is decided', async () => {
    const token = await bank.givenSavedCard('2200700000000058');
    const request = chargeOf({ cardToken: token });
    expect((await charge(request)).body['status']).toBe('PENDING');
    await bank.call('POST', '/control/clock', { advance: 'P1Y' });
    expect((await read(request.operationId)).body['status']).toBe('PENDING');
    await bank.call('POST', '/control/clock', { reset: true });
    await bank.call('POST', `/control/operations/${request.operationId}/decide`, { status: 'APPROVED' });
    expect((await read(request.operationId)).body['status']).toBe('APPROVED');
    expect(await bank.moneyMoved(request.operationId)).toBe(1);
  });

  it('a card that has expired by the bank’s clock: CARD_EXPIRED', async () => {
    await bank.call('POST', '/control/clock', { advance: 'P80Y' });
    const { body } = await charge(chargeOf());
    await bank.call('POST', '/control/clock', { reset: true });
    expect(body).toMatchObject({ status: 'DECLINED', reason: 'CARD_EXPIRED' });
  });

  it('a token the bank never issued: INVALID_CARD_DETAILS', async () => {
    const { body } = await charge(chargeOf({ cardToken: 'f'.repeat(32) }));
    expect(body).toMatchObject({ status: 'DECLINED', reason: 'INVALID_CARD_DETAILS' });
    expect(body).not.toHaveProperty('cardMask');
  });

  it('fifty at once with one id take the money once', async () => {
    const request = chargeOf();
    const answers = await Promise.all(Array.from({ length: 50 }, () => charge(request)));
    expect(new Set(answers.map(({ body }) => body['status']))).toEqual(new Set(['APPROVED']));
    expect(await bank.moneyMoved(request.operationId)).toBe(1);
  });

  it.each([
    ['amountKopecks', '19901'],
    ['description', 'Other'],
    ['cardToken', 'e'.repeat(32)],
  ])('409 OPERATION_MISMATCH: the same id with another %s', async (field, value) => {
    const request = chargeOf();
    await charge(request);
    const { status, body } = await charge({ ...request, [field]: value });
    expect([status, body['errorCode']]).toEqual([409, 'OPERATION_MISMATCH']);
    expect(await bank.moneyMoved(request.operationId)).toBe(1);
  });

  it.each([
    ['initiator', 'CUSTOMER'],
    ['recurring', false],
    ['cardToken', ''],
  ])('400: %s %p', async (field, value) => {
    expect((await charge(chargeOf({ [field]: value }))).status).toBe(400);
  });
});
