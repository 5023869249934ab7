import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Receipt } from '@pay/contract/api/receipt.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { acquirerContract } from '../../../test/acquirer-contract.ts';
import { acquirerFenceContract } from '../../../test/acquirer-fence-contract.ts';
import { startTestTBank, type TBankInterruption, type TestTBank } from '../../../test/t-bank.ts';
import { unfenced, type Unfenced } from '../../../test/unfenced.ts';
import { createTBankAcquirer, type TBankAcquirer } from './t-bank-acquirer.ts';

const acquirerTo = (bank: TestTBank, deadlineMs = 10_000, change: object = {}): TBankAcquirer =>
  createTBankAcquirer({
    url: bank.url,
    terminalKey: bank.terminalKey,
    password: bank.password,
    cardKey: bank.cardKey,
    notificationUrl: 'https://pay.example/bank/t-bank',
    routeId: randomUUID(),
    log: createLog('test', 'silent'),
    deadlineMs,
    ...change,
  });

// The suite that every connector passes, against a bank that follows the rules T-Bank published.
acquirerContract('T-Bank', async () => {
  const played = await startTestTBank();
  const tested = acquirerTo(played);
  return {
    acquirer: tested,
    cards: {
      approved: '4300000000000777',
      declined: '4000000000009995',
      threeDs: '4000003800000446',
      notAuthenticated: '4000000000003063',
      method: '4000000000003220',
    },
    withdrawsDuringThreeDs: false,
    passThreeDs: (operationId) => {
      played.passThreeDs(operationId);
      return Promise.resolve();
    },
    async close() {
      await tested.close();
      await played.close();
    },
  };
});

acquirerFenceContract('T-Bank', async () => {
  const played = await startTestTBank();
  return {
    url: played.url,
    card: '4300000000000777',
    acquirerTo: (url, deadlineMs) => acquirerTo(played, deadlineMs, { url }),
    close: () => played.close(),
  };
});

let bank: TestTBank;
let acquirer: Unfenced;
beforeAll(async () => {
  bank = await startTestTBank();
  acquirer = unfenced(acquirerTo(bank));
});
afterAll(async () => {
  await acquirer.close();
  await bank.close();
});

const silence: TBankInterruption = ({ res }) => {
  res.destroy();
};
const say =
  (status: number, body: string): TBankInterruption =>
  ({ res }) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
const refuse = (code: string) => say(200, JSON.stringify({ Success: false, ErrorCode: code, Message: 'x' }));

const order = (change: object = {}) => ({
  operationId: randomUUID(),
  amountKopecks: 100_00n,
  description: 'Tea',
  expiresAt: new Date('2026-11-21T10:00:00.123Z'),
  returnUrl: 'https://form.example/return',
  ...change,
});
const card = (number: string) => ({ number, expiryMonth: 3, expiryYear: 2031, cvv: '111' });
const authorization = (operationId: string, number = '4300000000000777', saveCard = false) => ({
  operationId,
  card: card(number),
  saveCard,
  returnUrl: 'https://form.example/return',
});
const callsOf = (method: string, operationId: string) => {
  const ids = bank.of(operationId).map(({ PaymentId }) => PaymentId);
  return bank.calls.filter(
    ({ method: called, body }) => called === method && (body['OrderId'] === operationId || ids.includes(String(body['PaymentId']))),
  );
};
async function registered(change: object = {}): Promise<string> {
  const wanted = order(change);
  await acquirer.register(wanted);
  return wanted.operationId;
}
/** Interrupts a method for the time of `work`. */
async function during<T>(method: string, when: 'before' | 'after', interruption: TBankInterruption, work: () => Promise<T>): Promise<T> {
  bank.interrupt(method, when, interruption);
  try {
    return await work();
  } finally {
    bank.interrupt(method, when, undefined);
  }
}

/** Each kind of call that could have a receipt, under these ids: a card that is saved, a QR code, a charge, a refund, a withdrawal. */
async function sendOneOfEach(here: Unfenced, [card1, qr, charge, refund]: readonly [string, string, string, string]) {
  await here.register(order({ operationId: card1, savesCard: true }));
  const paid = await here.authorize(authorization(card1, '4300000000000777', true));
  if (paid.kind !== 'confirmed') throw new Error('not paid');
  await here.createQr(order({ operationId: qr }));
  await here.charge({
    operationId: charge,
    amountKopecks: 99_00n,
    description: 'Tea',
    cardToken: paid.card.token ?? '',
  });
  await here.refund({ operationId: refund, originalOperationId: card1, amountKopecks: 10_00n });
  await here.cancel(qr);
}

describe('what the bank is sent', () => {
  it('Init: our id, kopecks, one stage, who begins it, until when, where to', async () => {
    const operationId = await registered();
    expect(callsOf('Init', operationId)).toEqual([
      {
        method: 'Init',
        body: {
          TerminalKey: bank.terminalKey,
          Amount: 10_000,
          OrderId: operationId,
          Description: 'Tea',
          PayType: 'O',
          RedirectDueDate: '2026-11-21T10:00:00+00:00',
          SuccessURL: 'https://form.example/return',
          FailURL: 'https://form.example/return',
          NotificationURL: 'https://pay.example/bank/t-bank',
          DATA: { OperationInitiatorType: '0' },
          Token: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
  });

  const browser = {
    colorDepth: 24,
    screenHeight: 844,
    screenWidth: 390,
    timezoneOffsetMinutes: -300,
    language: 'en-GB',
    isJavaEnabled: false,
  };
  const finished = (operationId: string) => callsOf('FinishAuthorize', operationId).map(({ body }) => body['DATA']);

  it('3DS Method: what came of it, for the authentication that it ran for; the card is not asked about again', async () => {
    for (const [isMethodDone, threeDSCompInd, kind] of [
      [true, 'Y', 'confirmed'],
      [false, 'N', 'pending'],
    ] as const) {
      const operationId = await registered();
      const answer = await acquirer.prepareThreeDs(operationId, card('4000000000003220'));
      if (answer.kind !== 'prepared') throw new Error('not prepared');
      const { preparation: prepared } = answer;
      const sent = { ...authorization(operationId, '4000000000003220'), prepared, isMethodDone };
      expect(await acquirer.authorize(sent)).toMatchObject({ kind, threeDs: { threeDsVersion: '2.1.0' } });
      expect(finished(operationId)).toMatchObject([{ threeDSCompInd }]);
      expect(callsOf('Check3dsVersion', operationId)).toHaveLength(1);
    }
  });

  it('3DS Method: N where there is one and nobody ran it, U where there is none', async () => {
    for (const [number, threeDSCompInd] of [
      ['4000000000003220', 'N'],
      ['4300000000000777', 'U'],
    ] as const) {
      const operationId = await registered();
      await acquirer.authorize(authorization(operationId, number));
      expect(finished(operationId)).toMatchObject([{ threeDSCompInd }]);
    }
  });

  it('FinishAuthorize: the browser as it was measured, and its two headers as those of the call', async () => {
    const operationId = await registered();
    const buyer = { language: 'ru', userAgent: 'Phone/1.0', accept: 'text/html', browser } as const;
    await acquirer.authorize({ ...authorization(operationId), buyer });
    expect(finished(operationId)).toEqual([
      {
        threeDSCompInd: 'U',
        language: 'en-GB',
        timezone: '-300',
        screen_height: '844',
        screen_width: '390',
        colorDepth: '24',
        javaEnabled: 'false',
        cresCallbackUrl: 'https://form.example/return',
      },
    ]);
    expect(bank.browsers.at(-1)).toEqual(['Phone/1.0', 'text/html']);
  });

  it('3DS Method: an address that is no web address counts as none', async () => {
    const operationId = await registered();
    const answer = say(
      200,
      JSON.stringify({
        Success: true,
        ErrorCode: '0',
        Version: '2.1.0',
        TdsServerTransID: randomUUID(),
        ThreeDSMethodURL: 'javascript:alert(1)',
      }),
    );
    const result = await during('Check3dsVersion', 'before', answer, () => acquirer.prepareThreeDs(operationId, card('4000000000003220')));
    expect(result).toMatchObject({ kind: 'prepared', preparation: { methodUrl: null } });
  });

  const receipt = {
    taxation: 'USN_INCOME',
    email: 'buyer@shop.example',
    items: [
      {
        name: 'Чай',
        price: '1200.00',
        quantity: '0.075',
        amount: '90.00',
        vat: 'VAT22',
        paymentMethod: 'FULL_PREPAYMENT',
        paymentObject: 'COMMODITY',
      },
      {
        name: 'Доставка',
        price: '10.00',
        quantity: '1',
        amount: '10.00',
        vat: 'NONE',
        paymentMethod: 'FULL_PAYMENT',
        paymentObject: 'SERVICE',
      },
    ],
  } as const satisfies Receipt;
  const sent = {
    FfdVersion: '1.05',
    Taxation: 'usn_income',
    Email: 'buyer@shop.example',
    Items: [
      {
        Name: 'Чай',
        Price: 120_000,
        Quantity: 0.075,
        Amount: 9_000,
        Tax: 'vat22',
        PaymentMethod: 'full_prepayment',
        PaymentObject: 'commodity',
      },
      { Name: 'Доставка', Price: 1_000, Quantity: 1, Amount: 1_000, Tax: 'none', PaymentMethod: 'full_payment', PaymentObject: 'service' },
    ],
  };
  const receiptsOf = (method: string, operationId: string) => callsOf(method, operationId).map(({ body }) => body['Receipt']);

  it('Init with a receipt: kopecks as whole numbers, the quantity as written, the bank’s own codes; cards and QR alike', async () => {
    const operationId = await registered({ receipt });
    expect(receiptsOf('Init', operationId)).toEqual([sent]);
    const qr = order({ receipt });
    await acquirer.createQr(qr);
    expect(receiptsOf('Init', qr.operationId)).toEqual([sent]);
  });

  it('Init with a receipt of FFD 1.2: its version, a unit for each item, a telephone', async () => {
    const items = receipt.items.map((item) => ({ ...item, measurementUnit: 'KILOWATT_HOUR' as const }));
    const operationId = await registered({ receipt: { ffdVersion: '1.2', taxation: 'PATENT', phone: '+79031234567', items } });
    const Items = sent.Items.map((item) => ({ ...item, MeasurementUnit: 'кВт*ч' }));
    expect(receiptsOf('Init', operationId)).toEqual([{ FfdVersion: '1.2', Taxation: 'patent', Phone: '+79031234567', Items }]);
  });

  it('a charge with a receipt: it goes with its Init, Charge has none', async () => {
    const first = await registered({ savesCard: true });
    const paid = await acquirer.authorize(authorization(first, '4300000000000777', true));
    const operationId = randomUUID();
    const cardToken = paid.kind === 'confirmed' ? (paid.card.token ?? '') : '';
    const charged = await acquirer.charge({
      operationId,
      amountKopecks: 10_000n,
      description: 'Tea',
      cardToken,
      receipt,
    });
    expect(charged.kind).toBe('confirmed');
    expect([receiptsOf('Init', operationId), receiptsOf('Charge', operationId)]).toEqual([[sent], [undefined]]);
  });

  it('a refund with a receipt: Cancel names what comes back', async () => {
    const originalOperationId = await registered({ receipt });
    await acquirer.authorize(authorization(originalOperationId));
    const part = { ...receipt, items: [receipt.items[1]] };
    const given = await acquirer.refund({ operationId: randomUUID(), originalOperationId, amountKopecks: 1_000n, receipt: part });
    expect(given.kind).toBe('confirmed');
    expect(receiptsOf('Cancel', originalOperationId)).toEqual([{ ...sent, Items: [sent.Items[1]] }]);
  });

  it('without a receipt every byte is as it was recorded before there were receipts', async () => {
    const ids = [
      '8f8f5ad2-6c63-4a86-8fb5-5f3a1d3c0001',
      '8f8f5ad2-6c63-4a86-8fb5-5f3a1d3c0002',
      '8f8f5ad2-6c63-4a86-8fb5-5f3a1d3c0003',
      '8f8f5ad2-6c63-4a86-8fb5-5f3a1d3c0004',
    ] as const;
    const played = await startTestTBank();
    const here = unfenced(acquirerTo(played));
    await sendOneOfEach(here, ids);
    const recorded: unknown = JSON.parse(readFileSync(new URL('../../../test/recorded-t-bank.json', import.meta.url), 'utf8'));
    expect(played.bodies).toEqual(recorded);
    await here.close();
    await played.close();
  });

  it('Init of a card to be saved: Recurrent, initiator 1, our id as the buyer', async () => {
    const operationId = await registered({ savesCard: true });
    expect(callsOf('Init', operationId)[0]?.body).toMatchObject({
      Recurrent: 'Y',
      CustomerKey: operationId,
      DATA: { OperationInitiatorType: '1' },
    });
  });

  it('FinishAuthorize: the card by RSA only, the buyer’s address, where 3-D Secure comes back to', async () => {
    const operationId = await registered();
    await acquirer.authorize({ ...authorization(operationId), buyer: { address: '203.0.113.7', language: 'en' } });
    const [call] = callsOf('FinishAuthorize', operationId);
    expect(call?.body).toMatchObject({
      IP: '203.0.113.7',
      DATA: { language: 'en', threeDSCompInd: 'U', cresCallbackUrl: 'https://form.example/return' },
    });
    expect(JSON.stringify(bank.calls)).not.toContain('4300000000000777');
  });

  it('a charge: the merchant begins it (R), and the RebillId of 20 digits is not rounded', async () => {
    const parent = await registered({ savesCard: true });
    const saved = await acquirer.authorize(authorization(parent, undefined, true));
    const token = saved.kind === 'confirmed' ? String(saved.card.token) : '';
    const operationId = randomUUID();
    await acquirer.charge({ operationId, amountKopecks: 500_00n, description: 'Month', cardToken: token });
    expect(callsOf('Init', operationId)[0]?.body).toMatchObject({ DATA: { OperationInitiatorType: 'R' } });
    expect(callsOf('Charge', operationId)[0]?.body).toMatchObject({ RebillId: token });
    expect(token).toMatch(/^\d{20}$/);
  });

  it('the saved card’s mask and expiry come as the bank keeps them', async () => {
    const operationId = await registered({ savesCard: true });
    expect(await acquirer.authorize(authorization(operationId, undefined, true))).toMatchObject({
      card: { mask: '430000******0777', expiry: '2031-03' },
    });
  });
});

describe('3-D Secure', () => {
  it('pending with the issuer’s page and the CReq that the buyer’s browser posts there', async () => {
    const operationId = await registered();
    const result = await acquirer.authorize(authorization(operationId, '4000003800000446'));
    const creq = result.kind === 'pending' ? (result.acsRequest ?? '') : '';
    expect(result).toMatchObject({ kind: 'pending', acsUrl: expect.stringContaining('/acs/') });
    // Padded nowhere, and the same in either alphabet of base64: issuers differ in which they read.
    expect(creq).toMatch(/^[A-Za-z0-9]+$/);
    expect(JSON.parse(Buffer.from(creq, 'base64url').toString())).toEqual({
      threeDSServerTransID: expect.any(String),
      acsTransID: expect.any(String),
      challengeWindowSize: '05',
      messageType: 'CReq',
      messageVersion: '2.1.0',
    });
  });

  it('failed by the buyer: AUTHENTICATION_FAILED', async () => {
    const operationId = await registered();
    await acquirer.authorize(authorization(operationId, '4000003800000446'));
    bank.passThreeDs(operationId, false);
    expect(await acquirer.confirmThreeDs(operationId)).toMatchObject({ kind: 'declined', failureCode: 'AUTHENTICATION_FAILED' });
  });

  it('a read alone does not make the bank end it: only the buyer’s return does', async () => {
    const operationId = await registered();
    await acquirer.authorize(authorization(operationId, '4000003800000446'));
    for (let time = 0; time < 3; time += 1) expect((await acquirer.read(operationId)).kind).toBe('pending');
    expect(callsOf('Submit3DSAuthorizationV2', operationId)).toEqual([]);
  });

  it('version 1, which would hand over the card’s expiry: CARD_NOT_SUPPORTED, no money', async () => {
    const operationId = await registered();
    const result = await acquirer.authorize(authorization(operationId, '4000000000003063'));
    expect(result).toMatchObject({ kind: 'declined', failureCode: 'CARD_NOT_SUPPORTED' });
  });
});

describe('a lost answer', () => {
  it.each([
    ['Init', 'before'],
    ['Init', 'after'],
  ] as const)('to %s (%s): unknown, and the repeat ends with one order that can be paid', async (method, when) => {
    const wanted = order();
    expect(await during(method, when, silence, () => acquirer.register(wanted))).toEqual({ kind: 'unknown' });
    expect((await acquirer.register(wanted)).kind).toBe('registered');
    expect(bank.of(wanted.operationId)).toHaveLength(1);
  });

  it('to FinishAuthorize: unknown; the read finds the money; a repeat takes none', async () => {
    const operationId = await registered();
    const send = () => acquirer.authorize(authorization(operationId));
    expect(await during('FinishAuthorize', 'after', silence, send)).toEqual({ kind: 'unknown' });
    expect(await acquirer.read(operationId)).toMatchObject({ kind: 'confirmed', amountKopecks: 100_00n });
    expect((await send()).kind).toBe('confirmed');
    expect(callsOf('FinishAuthorize', operationId)).toHaveLength(1);
  });

  it('to Charge: unknown; the repeat charges nothing', async () => {
    const parent = await registered({ savesCard: true });
    const saved = await acquirer.authorize(authorization(parent, undefined, true));
    const token = saved.kind === 'confirmed' ? String(saved.card.token) : '';
    const charge = { operationId: randomUUID(), amountKopecks: 500_00n, description: 'Month', cardToken: token };
    expect(await during('Charge', 'after', silence, () => acquirer.charge(charge))).toEqual({ kind: 'unknown' });
    expect((await acquirer.charge(charge)).kind).toBe('confirmed');
    expect(callsOf('Charge', charge.operationId)).toHaveLength(1);
  });

  it('to Cancel of a refund by card: unknown; the repeat gives back nothing more', async () => {
    const originalOperationId = await registered();
    await acquirer.authorize(authorization(originalOperationId));
    const refund = { operationId: randomUUID(), originalOperationId, amountKopecks: 30_00n };
    expect(await during('Cancel', 'after', silence, () => acquirer.refund(refund))).toEqual({ kind: 'unknown' });
    expect(await acquirer.refund(refund)).toMatchObject({ kind: 'confirmed', amountKopecks: 30_00n });
    expect(bank.of(originalOperationId)[0]?.left).toBe(70_00);
  });

  it('to CheckOrder before a card: nothing that counts was sent, not-sent', async () => {
    const operationId = await registered();
    const send = () => acquirer.authorize(authorization(operationId));
    expect(await during('CheckOrder', 'before', silence, send)).toEqual({ kind: 'not-sent' });
    expect(callsOf('FinishAuthorize', operationId)).toEqual([]);
  });

  it('to GetCardList: unknown, because a booking without the token would lose it', async () => {
    const operationId = await registered({ savesCard: true });
    await acquirer.authorize(authorization(operationId));
    const read = () => acquirer.read(operationId, { savedCard: true });
    expect(await during('GetCardList', 'before', silence, read)).toEqual({ kind: 'unknown' });
    expect(await read()).toMatchObject({ kind: 'confirmed', card: { token: expect.any(String) } });
  });
});

describe('what an answer means', () => {
  it.each<[string, TBankInterruption, string]>([
    ['500', say(500, ''), 'unknown'],
    ['no JSON', say(200, '<html>'), 'unknown'],
    ['JSON of another shape', say(200, '{"ok":true}'), 'unknown'],
    ['204, a wrong token: our configuration, not the order', refuse('204'), 'unknown'],
    ['9999, the bank’s own fault', refuse('9999'), 'unknown'],
    ['251, an amount that is too small', refuse('251'), 'declined'],
  ])('%s to Init', async (_title, interruption, kind) => {
    expect((await during('Init', 'before', interruption, () => acquirer.register(order()))).kind).toBe(kind);
  });

  it.each([
    ['1051', 'INSUFFICIENT_FUNDS'],
    ['1054', 'CARD_EXPIRED'],
    ['1041', 'CARD_BLOCKED'],
    ['1082', 'INVALID_CARD_DETAILS'],
    ['1091', 'ISSUER_UNAVAILABLE'],
    ['1063', 'FRAUD_SUSPECTED'],
    ['99', 'DECLINED_BY_ISSUER'],
  ])('REJECTED with %s is %s, read back too', async (code, failureCode) => {
    const operationId = await registered();
    const [payment] = bank.of(operationId);
    Object.assign(payment ?? {}, { Status: 'REJECTED', ErrorCode: code });
    expect(await acquirer.read(operationId)).toMatchObject({ kind: 'declined', failureCode });
  });

  it('a card that the bank will not even try: declined, the order unpaid', async () => {
    const operationId = await registered();
    const result = await acquirer.authorize(authorization(operationId, '4000000000000127'));
    expect(result).toMatchObject({ kind: 'declined', failureCode: 'INVALID_CARD_DETAILS' });
  });

  it.each([
    ['REVERSED', 'cancelled'],
    ['REFUNDED', 'cancelled'],
    ['CANCELED', 'cancelled'],
    ['DEADLINE_EXPIRED', 'declined'],
    ['AUTHORIZED', 'pending'],
    ['CONFIRMING', 'pending'],
    ['A_STATUS_OF_TOMORROW', 'unknown'],
  ])('Status %s is %s', async (Status, kind) => {
    const operationId = await registered();
    Object.assign(bank.of(operationId)[0] ?? {}, { Status });
    expect((await acquirer.read(operationId)).kind).toBe(kind);
  });

  it('two payments of one order that both took money: each by itself, and that a third may still be paid (S1)', async () => {
    const operationId = await registered();
    const [first] = bank.of(operationId);
    if (first === undefined) throw new Error('not registered');
    first.Status = 'CONFIRMED';
    bank.payments.push({ ...first, PaymentId: '99' }, { ...first, PaymentId: '100', Status: 'NEW' });
    const also = { bankOperationId: '99', amountKopecks: 100_00n, currency: 'RUB' };
    expect(await acquirer.read(operationId)).toMatchObject({
      kind: 'confirmed',
      amountKopecks: 100_00n,
      alsoTaken: [also],
      isOpenBesides: true,
    });
    const { isOpenBesides, ...rest } = {
      isOpenBesides: undefined,
      ...(await acquirer.cancelOthers(operationId, first.PaymentId)),
    };
    expect([isOpenBesides, rest.kind]).toEqual([undefined, 'confirmed']);
    expect(bank.of(operationId).map(({ Status }) => Status)).toEqual(['CONFIRMED', 'CONFIRMED', 'CANCELED']);
  });

  it('cancel of an order that was paid this very moment: the money went back, cancelled', async () => {
    const operationId = await registered();
    bank.interrupt('Cancel', 'before', ({ answer }) => {
      Object.assign(bank.of(operationId)[0] ?? {}, { Status: 'CONFIRMED' });
      answer();
    });
    expect((await acquirer.cancel(operationId)).kind).toBe('cancelled');
    bank.interrupt('Cancel', 'before', undefined);
    expect(bank.of(operationId)[0]).toMatchObject({ Status: 'REFUNDED', left: 0 });
  });

  it('a QR below ten rubles: declined, PROCESSING_ERROR', async () => {
    expect(await acquirer.createQr(order({ amountKopecks: 9_99n }))).toMatchObject({ kind: 'declined', failureCode: 'PROCESSING_ERROR' });
  });

  it('a wrong password is unknown, not a decline', async () => {
    const wrong = unfenced(acquirerTo(bank, undefined, { password: 'wrong' }));
    expect((await wrong.register(order())).kind).toBe('not-sent');
    expect((await wrong.read(randomUUID())).kind).toBe('unknown');
    await wrong.close();
  });
});

describe('the breaker of the route', () => {
  it.each(['3', '99', '999', '9999'])('ten cards that provoke error %s leave the route open for everybody else (S1)', async (code) => {
    const here = unfenced(acquirerTo(bank));
    const orders = await Promise.all(Array.from({ length: 10 }, () => registered()));
    await during('Check3dsVersion', 'before', refuse(code), async () => {
      for (const operationId of orders) {
        expect((await here.authorize(authorization(operationId))).kind).toBe('not-sent');
      }
    });
    // One answer lost on the way is what every hour brings.
    await during('CheckOrder', 'before', silence, () => here.read(randomUUID()));
    expect(here.isAvailable).toBe(true);
    await here.close();
  });

  it.each([
    ['the terminal is blocked', '202'],
    ['it has an internal error that no card has a part in', '9999'],
  ])('closes the route when the bank says that %s', async (_title, code) => {
    const here = unfenced(acquirerTo(bank));
    await during('CheckOrder', 'before', refuse(code), async () => {
      for (let read = 0; read < 10; read += 1) await here.read(randomUUID());
    });
    expect(here.isAvailable).toBe(false);
    await here.close();
  });
});
