import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { startTBankApp, type TBankApp } from '../../../test/t-bank-app.ts';

/** The played bank says U to it, unavailable, and approves it unless it is asked not to. */
const UNAVAILABLE = '4000000000003113';

describe('3-D Secure: a buyer who is not authenticated', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await startTestApp();
  });
  afterAll(() => t.close());
  afterEach(() => {
    t.bank.keepsPolicies = true;
  });

  /** A payment at a point of its own. */
  async function givenPayment(whenNotAuthenticated?: 'DECLINE' | 'ACCEPT') {
    const { partner, point } = await t.givenPartner(whenNotAuthenticated === undefined ? {} : { whenNotAuthenticated });
    const { body } = await t.create({ paymentPointID: point }, { partner });
    const row = await t.payment(body['id']);
    return { id: String(body['id']), point, checkoutToken: String(row['form_token']) };
  }
  const exceptions = async (id: string) =>
    (await t.rows('select kind, status from exceptions where payment_id = $1', [id])).map(({ kind }) => kind);

  it('pays by default, as the bank decides, and the payment says so', async () => {
    const { id, checkoutToken } = await givenPayment();
    await t.pay(checkoutToken, { number: UNAVAILABLE });
    expect(await t.payment(id)).toMatchObject({
      status: 'COMPLETED',
      trans_status: 'U',
      when_not_authenticated: 'ACCEPT',
    });
    expect(await exceptions(id)).toEqual([]);
  });

  it('where that is declined: AUTHENTICATION_FAILED, no money is taken, and the partner is told', async () => {
    const { id, checkoutToken } = await givenPayment('DECLINE');
    expect(await t.pay(checkoutToken, { number: UNAVAILABLE })).toBe('accepted');
    expect(await t.payment(id)).toMatchObject({
      status: 'REJECTED',
      failure_code: 'AUTHENTICATION_FAILED',
      trans_status: 'U',
      ledger_transaction_id: null,
    });
    expect(t.bank.operations.get(id)?.status).toBe('DECLINED');
    const [failed] = (await t.messages(id)).filter(({ type }) => type === 'payment.failed');
    expect(failed?.payload).toMatchObject({ failureCode: 'AUTHENTICATION_FAILED', statusReason: 'The buyer was not authenticated' });
  });

  it('where that is declined a buyer who is authenticated pays', async () => {
    const { id, checkoutToken } = await givenPayment('DECLINE');
    await t.pay(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', trans_status: 'Y' });
  });

  it('the point’s rule of the moment when the card is sent counts, not of when the form was opened', async () => {
    const { id, point, checkoutToken } = await givenPayment('ACCEPT');
    await t.rows(`update payment_points set when_not_authenticated = 'DECLINE' where payment_point_id = $1`, [point]);
    await t.pay(checkoutToken, { number: UNAVAILABLE });
    expect(await t.payment(id)).toMatchObject({ status: 'REJECTED', failure_code: 'AUTHENTICATION_FAILED' });
  });

  it('a bank that takes the money all the same: it is booked, and a person is told once', async () => {
    t.bank.keepsPolicies = false;
    const { id, checkoutToken } = await givenPayment('DECLINE');
    await t.pay(checkoutToken, { number: UNAVAILABLE });
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', trans_status: 'U' });
    expect(await exceptions(id)).toEqual(['NOT_AUTHENTICATED']);
  });
});

describe('3-D Secure at T-Bank: a card whose issuer cannot be asked', () => {
  let t: TBankApp;
  beforeAll(async () => {
    t = await startTBankApp();
  });
  afterAll(() => t.close());

  it('is not sent where buyers who are not authenticated are declined', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await t.rows(`update payment_points set when_not_authenticated = 'DECLINE'`);
    await t.pay(checkoutToken, { number: '4000000000003063' });
    expect(await t.payment(id)).toMatchObject({ status: 'REJECTED', failure_code: 'AUTHENTICATION_FAILED', three_ds_version: '1.0.0' });
    expect(t.tBank.calls.filter(({ method }) => method === 'FinishAuthorize')).toEqual([]);
  });
});
