import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_POINT, startTestApp, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('GET /api/card/{id}', () => {
  it('200: the create response and the fields of the decisions, no other', async () => {
    const created = await t.create({ amount: 10, description: 'Tea', customerID: 'buyer-9' });
    const { status, body } = await t.read(created.body['id']);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...created.body,
      paymentPointID: DEFAULT_POINT,
      customerID: 'buyer-9',
      description: 'Tea',
      paymentMethod: 'CARD',
      bankOperationId: expect.stringMatching(/^bank-/),
      refundedAmount: '0.00',
      createdAt: expect.stringMatching(MOMENT),
      updatedAt: expect.stringMatching(MOMENT),
    });
  });

  it('200: completed, without paymentUrl and without a failure', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    const { body } = await t.read(id);
    expect(body).toMatchObject({ id, status: 'COMPLETED' });
    for (const field of ['paymentUrl', 'failureCode', 'statusReason', 'bindingId']) expect(body).not.toHaveProperty(field);
  });

  it('200: rejected, with the failureCode and a reason that names neither bank nor route', async () => {
    t.bank.verdict = { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    t.bank.verdict = {};
    const { body } = await t.read(id);
    expect(body).toMatchObject({
      status: 'REJECTED',
      failureCode: 'INSUFFICIENT_FUNDS',
      statusReason: 'The card has insufficient funds',
    });
    expect(body).not.toHaveProperty('paymentUrl');
  });

  it('200: bankOperationId is null, and there is no paymentUrl, while no operation exists', async () => {
    const { id } = await t.givenPayment();
    await t.rows(`update payments set status = 'CREATED', bank_operation_id = null where payment_id = $1`, [id]);
    const { body } = await t.read(id);
    expect(body['bankOperationId']).toBeNull();
    expect(body).not.toHaveProperty('paymentUrl');
  });

  it('200: paymentUrl goes when the session is over', async () => {
    const { id } = await t.givenPayment();
    await t.rows(`update payments set expires_at = clock_now() where payment_id = $1`, [id]);
    expect((await t.read(id)).body).not.toHaveProperty('paymentUrl');
  });

  it.each([
    ['unknown', randomUUID()],
    ['no UUID (D15)', 'abc'],
    ['a UUID with more (D15)', `${randomUUID()}0`],
    ['SQL', "'%20or%201=1"],
  ])('404 NOT_FOUND: an id that is %s', async (_title, id) => {
    const { status, body } = await t.read(id);
    expect([status, body['code']]).toEqual([404, 'NOT_FOUND']);
  });

  it('404 NOT_FOUND: another partner’s payment looks exactly like none', async () => {
    const { id } = await t.givenPayment();
    const { partner } = await t.givenPartner();
    const theirs = await t.read(id, { partner });
    const none = await t.read(randomUUID(), { partner });
    const { requestId: _a, ...theirsBody } = theirs.body;
    const { requestId: _b, ...noneBody } = none.body;
    expect([theirs.status, theirsBody]).toEqual([none.status, noneBody]);
  });
});
