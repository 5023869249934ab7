import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { startTBankApp, type TBankApp } from '../../../test/t-bank-app.ts';
import { confirmThreeDs } from '../checkout/return-from-bank.ts';
import { recordOutcome } from './record-outcome.ts';

const IDS = {
  threeDsServerTransId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
  dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  acsTransId: 'd7c1ee99-9478-44a6-b1f2-391e29c6b340',
} as const;
const TOLD = { threeDsVersion: '2.2.0', ...IDS } as const;

describe('3-D Secure: what the bank says of it is kept with the step that it came with', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await startTestApp();
  });
  afterAll(() => t.close());
  afterEach(() => {
    t.bank.verdict = {};
  });

  const kept = async (id: string) => {
    const row = await t.payment(id);
    return ['status', 'three_ds_version', 'trans_status', 'eci', 'three_ds_server_trans_id', 'ds_trans_id', 'acs_trans_id'].map(
      (name) => row[name],
    );
  };
  const ids = Object.values(IDS);

  it('authenticated without a page: with the money', async () => {
    t.bank.verdict = { ...TOLD, transStatus: 'Y', eci: '05' };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    expect(await kept(id)).toEqual(['COMPLETED', '2.2.0', 'Y', '05', ...ids]);
  });

  it('at the issuer’s page, then refused there: C with PENDING, N with REJECTED', async () => {
    t.bank.verdict = { ...TOLD, status: 'THREE_DS_REQUIRED', transStatus: 'C', eci: undefined, acsUrl: 'https://bank.example/3ds/1' };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    expect(await kept(id)).toEqual(['PENDING', '2.2.0', 'C', null, ...ids]);
    t.bank.change(id, { status: 'DECLINED', reason: 'AUTHENTICATION_FAILED', transStatus: 'N', eci: '07' });
    await confirmThreeDs(t.deps, checkoutToken);
    expect(await kept(id)).toEqual(['REJECTED', '2.2.0', 'N', '07', ...ids]);
  });

  it('what a later answer leaves out stays; what comes after the end changes nothing', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    t.bank.verdict = { ...TOLD, status: 'PENDING', transStatus: 'A', eci: '06' };
    await t.pay(checkoutToken);
    const card = { mask: null, expiry: null, token: null };
    const confirmed = {
      kind: 'confirmed',
      bankOperationId: 'b-1',
      amountKopecks: 1_050n,
      currency: 'RUB',
      card,
    } as const;
    const amountKopecks = BigInt(String((await t.payment(id))['amount_kopecks']));
    await recordOutcome(t.deps, { paymentId: id, operationId: null }, { ...confirmed, amountKopecks });
    expect(await kept(id)).toEqual(['COMPLETED', '2.2.0', 'A', '06', ...ids]);
    const late = { ...TOLD, transStatus: 'U', eci: '07' } as const;
    await recordOutcome(t.deps, { paymentId: id, operationId: null }, { ...confirmed, amountKopecks, threeDs: late });
    expect(await kept(id)).toEqual(['COMPLETED', '2.2.0', 'A', '06', ...ids]);
  });

  it('a word that is not as agreed is none, and keeps no money from being booked', async () => {
    t.bank.verdict = {
      threeDsVersion: '2.2.0 and a novel',
      transStatus: 'MAYBE',
      eci: 'five',
      threeDsServerTransId: '1',
      dsTransId: '',
      acsTransId: '<b>',
    };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    expect(await kept(id)).toEqual(['COMPLETED', null, null, null, null, null, null]);
  });
});

describe('3-D Secure at T-Bank, which tells it by what becomes of the payment', () => {
  let t: TBankApp;
  beforeAll(async () => {
    t = await startTBankApp();
  });
  afterAll(() => t.close());

  async function givenChallenge(): Promise<{ id: string; checkoutToken: string; kept: () => Promise<unknown[]> }> {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken, { number: '4000003800000446' });
    const kept = async () => {
      const row = await t.payment(id);
      return ['status', 'three_ds_version', 'trans_status', 'eci'].map((name) => row[name]);
    };
    return { id, checkoutToken, kept };
  }

  it('version and C while the buyer is at the page, Y when he is back and the money is taken', async () => {
    const { id, checkoutToken, kept } = await givenChallenge();
    expect(await kept()).toEqual(['PENDING', '2.1.0', 'C', null]);
    expect(await t.payment(id)).toMatchObject({
      three_ds_server_trans_id: expect.any(String),
      acs_trans_id: expect.any(String),
      ds_trans_id: null,
    });
    t.tBank.passThreeDs(id);
    await confirmThreeDs(t.deps, checkoutToken);
    expect(await kept()).toEqual(['COMPLETED', '2.1.0', 'Y', null]);
  });

  it('N when the buyer failed there', async () => {
    const { id, checkoutToken, kept } = await givenChallenge();
    t.tBank.passThreeDs(id, false);
    await confirmThreeDs(t.deps, checkoutToken);
    expect(await kept()).toEqual(['REJECTED', '2.1.0', 'N', null]);
  });

  it('Y also where only a read finds the money, because the answer to the buyer’s return was lost', async () => {
    const { id, checkoutToken, kept } = await givenChallenge();
    t.tBank.passThreeDs(id);
    // Both the answer and the look behind it get lost.
    t.tBank.interrupt('Submit3DSAuthorizationV2', 'after', ({ res }) => {
      t.tBank.interrupt('CheckOrder', 'before', ({ res: look }) => {
        look.destroy();
      });
      res.destroy();
    });
    await confirmThreeDs(t.deps, checkoutToken);
    expect(await kept()).toEqual(['PENDING', '2.1.0', 'C', null]);
    t.tBank.interruptNothing();
    await t.readBack(id);
    expect(await kept()).toEqual(['COMPLETED', '2.1.0', 'Y', null]);
  });

  it('without a page: the version, and that the bank tells no more', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', three_ds_version: '2.1.0', trans_status: null });
  });
});
