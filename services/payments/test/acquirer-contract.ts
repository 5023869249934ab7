import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WhenNotAuthenticated } from '@pay/contract/operator/states.ts';
import type { Acquirer } from '../src/acquirers/acquirer.ts';
import type { AcquirerResult } from '../src/domain/acquiring/acquirer-result.ts';
import type { ThreeDs } from '../src/domain/acquiring/three-ds.ts';
import { unfenced, type Unfenced } from './unfenced.ts';

const CARD = { expiryMonth: 12, expiryYear: 2099, cvv: '123' };

/** A connector and the bank behind it, for the suite that every connector passes. */
export type AcquirerUnderTest = {
  readonly acquirer: Acquirer & { close(): Promise<void> };
  /**
   * Cards that this bank approves, declines for want of funds, sends to 3-D Secure, knows not to be authenticated, and has a 3DS Method
   * for.
   */
  readonly cards: {
    readonly approved: string;
    readonly declined: string;
    readonly threeDs: string;
    readonly notAuthenticated: string;
    readonly method: string;
  };
  /** The buyer did on the 3-D Secure page of the order what it asks. */
  passThreeDs(operationId: string, acsUrl: string): Promise<void>;
  /** Whether an order can be withdrawn while the buyer is at the 3-D Secure page. */
  readonly withdrawsDuringThreeDs: boolean;
  close(): Promise<void>;
};

/** What every connector promises, whatever bank is behind it. */
export function acquirerContract(name: string, start: () => Promise<AcquirerUnderTest>): void {
  describe(`the acquirer contract: ${name}`, () => {
    let under: AcquirerUnderTest;
    let acquirer: Unfenced;
    beforeAll(async () => {
      under = await start();
      acquirer = unfenced(under.acquirer);
    });
    afterAll(() => under.close());

    const order = () => ({
      operationId: randomUUID(),
      amountKopecks: 1_050n,
      description: 'Coffee',
      expiresAt: new Date('2099-12-31T00:00:00.000Z'),
      returnUrl: 'https://form.example/pay/x/return',
    });
    const registered = async (savesCard = false) => {
      const { operationId, ...rest } = order();
      await acquirer.register({ operationId, ...rest, savesCard });
      return operationId;
    };
    /** A bank tells card and authentication with its first answer; not every one tells them again. */
    const withoutFacts = ({ threeDs: _told, ...result }: AcquirerResult & { readonly threeDs?: ThreeDs }) => ({
      ...result,
      card: expect.anything(),
    });
    const authorize = (operationId: string, number: string, saveCard = false, whenNotAuthenticated: WhenNotAuthenticated = 'ACCEPT') =>
      acquirer.authorize({
        operationId,
        card: { ...CARD, number },
        saveCard,
        whenNotAuthenticated,
        returnUrl: 'https://form.example/pay/x/return',
        buyer: { address: '203.0.113.7', language: 'ru' },
      });

    it('register: registered, with the bank’s id; a repeat is the same order', async () => {
      const wanted = order();
      const first = await acquirer.register(wanted);
      expect(first).toMatchObject({ kind: 'registered', bankOperationId: expect.any(String) });
      expect(await acquirer.register(wanted)).toEqual(first);
    });

    it('register: an order that the bank has already: its state, with the token of the card that it saved', async () => {
      const paid = { ...order(), savesCard: true };
      await acquirer.register(paid);
      const { kind } = await authorize(paid.operationId, under.cards.approved, true);
      expect(kind).toBe('confirmed');
      const again = { kind: 'confirmed', amountKopecks: 1_050n, card: { token: expect.any(String) } };
      expect(await acquirer.register(paid)).toMatchObject(again);
      const declined = order();
      await acquirer.register(declined);
      await authorize(declined.operationId, under.cards.declined);
      expect(await acquirer.register(declined)).toMatchObject({
        kind: 'declined',
        bankOperationId: expect.any(String),
        failureCode: 'INSUFFICIENT_FUNDS',
      });
    });

    it('register: a description of 140 characters beyond the first plane is taken', async () => {
      expect((await acquirer.register({ ...order(), description: '🍵'.repeat(140) })).kind).toBe('registered');
    });

    it('authorize: confirmed with amount, currency and mask; a repeat takes no second amount', async () => {
      const operationId = await registered();
      const result = await authorize(operationId, under.cards.approved);
      expect(result).toMatchObject({
        kind: 'confirmed',
        amountKopecks: 1_050n,
        currency: 'RUB',
        card: { mask: expect.stringMatching(/^\d{6}\*{6}\d{4}$/) },
      });
      expect(await authorize(operationId, under.cards.approved)).toMatchObject(withoutFacts(result));
      expect(await acquirer.read(operationId)).toMatchObject(withoutFacts(result));
    });

    it('authorize: declined with our failureCode', async () => {
      const result = await authorize(await registered(), under.cards.declined);
      expect(result).toMatchObject({ kind: 'declined', failureCode: 'INSUFFICIENT_FUNDS' });
    });

    it('authorize: an order whose card was declined takes no other one; another order does', async () => {
      const declined = await registered();
      await authorize(declined, under.cards.declined);
      expect((await authorize(declined, under.cards.approved)).kind).toBe('declined');
      expect((await acquirer.cancel(declined)).kind).toBe('declined');
      expect((await authorize(await registered(), under.cards.approved)).kind).toBe('confirmed');
      expect((await acquirer.read(declined)).kind).toBe('declined');
    });

    it('authorize: pending with the page of 3-D Secure', async () => {
      const operationId = await registered();
      const result = await authorize(operationId, under.cards.threeDs);
      expect(result).toMatchObject({ kind: 'pending', acsUrl: expect.stringMatching(/^https?:\/\//) });
      const withdrawn = await acquirer.cancel(operationId);
      expect(withdrawn.kind).toBe(under.withdrawsDuringThreeDs ? 'cancelled' : 'pending');
    });

    it('confirmThreeDs: pending before the buyer did his part, confirmed after it, again and again', async () => {
      const operationId = await registered();
      const result = await authorize(operationId, under.cards.threeDs);
      const acsUrl = result.kind === 'pending' ? result.acsUrl : null;
      expect(await acquirer.read(operationId)).toMatchObject({ kind: 'pending' });
      await under.passThreeDs(operationId, String(acsUrl));
      const confirmed = { kind: 'confirmed', amountKopecks: 1_050n, currency: 'RUB' };
      expect(await acquirer.confirmThreeDs(operationId)).toMatchObject(confirmed);
      expect(await acquirer.confirmThreeDs(operationId)).toMatchObject(confirmed);
    });

    it('3-D Secure: what the bank says of it, while the buyer is at the page and when he passed', async () => {
      const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
      const operationId = await registered();
      const result = await authorize(operationId, under.cards.threeDs);
      const begun = {
        transStatus: 'C',
        eci: null,
        threeDsVersion: expect.stringMatching(/^2\.\d\.0$/),
        threeDsServerTransId: uuid,
        acsTransId: uuid,
      };
      expect(result).toMatchObject({ kind: 'pending', threeDs: begun });
      await under.passThreeDs(operationId, String(result.kind === 'pending' ? result.acsUrl : null));
      const passed = { kind: 'confirmed', threeDs: { transStatus: 'Y' } };
      expect(await acquirer.confirmThreeDs(operationId)).toMatchObject(passed);
      expect(await acquirer.confirmThreeDs(operationId, { challenge: true })).toMatchObject(passed);
      expect(await acquirer.read(operationId, { challenge: true })).toMatchObject(passed);
    });

    it('3-D Secure: a buyer who is not authenticated pays nothing where that is to be declined; a challenge is no reason', async () => {
      const refused = await registered();
      const result = await authorize(refused, under.cards.notAuthenticated, false, 'DECLINE');
      expect(result).toMatchObject({ kind: 'declined', failureCode: 'AUTHENTICATION_FAILED' });
      expect((await acquirer.read(refused)).kind).not.toBe('confirmed');
      const challenged = await authorize(await registered(), under.cards.threeDs, false, 'DECLINE');
      expect(challenged.kind).toBe('pending');
      const approved = await authorize(await registered(), under.cards.approved, false, 'DECLINE');
      expect(approved.kind).toBe('confirmed');
    });

    it('prepareThreeDs: the version, the authentication and where the issuer looks at the browser; the order stays unpaid', async () => {
      const operationId = await registered();
      const result = await acquirer.prepareThreeDs(operationId, { ...CARD, number: under.cards.method });
      expect(result).toEqual({
        kind: 'prepared',
        preparation: {
          threeDsVersion: expect.stringMatching(/^2\.\d\.0$/),
          threeDsServerTransId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          methodUrl: expect.stringMatching(/^https?:\/\//),
        },
      });
      expect((await acquirer.read(operationId)).kind).toBe('registered');
      const plain = await acquirer.prepareThreeDs(operationId, { ...CARD, number: under.cards.approved });
      expect(plain).toMatchObject({ kind: 'prepared', preparation: { methodUrl: null } });
      expect((await authorize(operationId, under.cards.approved)).kind).toBe('confirmed');
    });

    it('prepareThreeDs: an order that takes no card (any more) is no reason to fail', async () => {
      const paid = await registered();
      await authorize(paid, under.cards.approved);
      for (const operationId of [paid, randomUUID()]) {
        const result = await acquirer.prepareThreeDs(operationId, { ...CARD, number: under.cards.method });
        expect(result).toEqual({ kind: 'unknown' });
      }
    });

    it('3-D Secure: with a card that needs no page, whatever the bank tells, and its version', async () => {
      const result = await authorize(await registered(), under.cards.approved);
      expect(result).toMatchObject({ kind: 'confirmed', threeDs: { threeDsVersion: expect.stringMatching(/^2/) } });
      const told = 'threeDs' in result ? result.threeDs : undefined;
      expect(Object.keys(told ?? {}).toSorted()).toEqual([
        'acsTransId',
        'dsTransId',
        'eci',
        'threeDsServerTransId',
        'threeDsVersion',
        'transStatus',
      ]);
    });

    it('the amount goes over and comes back to the kopeck, up to the largest', async () => {
      for (const amountKopecks of [1n, 99n, 100_000_001n, 9_999_999_999n]) {
        const wanted = { ...order(), amountKopecks };
        await acquirer.register(wanted);
        expect(await authorize(wanted.operationId, under.cards.approved)).toMatchObject({ kind: 'confirmed', amountKopecks });
      }
    });

    it('read: absent for an operation that never arrived', async () => {
      expect(await acquirer.read(randomUUID())).toEqual({ kind: 'absent' });
    });

    it('cancel: an unpaid order is cancelled, a paid one stays confirmed', async () => {
      expect(await acquirer.cancel(await registered())).toMatchObject({ kind: 'cancelled' });
      const paid = await registered();
      await authorize(paid, under.cards.approved);
      expect(await acquirer.cancel(paid)).toMatchObject({ kind: 'confirmed' });
    });

    it('refund: confirmed for a part; a repeat under the same id is the same refund', async () => {
      const originalOperationId = await registered();
      await authorize(originalOperationId, under.cards.approved);
      const refund = { operationId: randomUUID(), originalOperationId, amountKopecks: 50n };
      const first = await acquirer.refund(refund);
      expect(first).toMatchObject({ kind: 'confirmed', amountKopecks: 50n, currency: 'RUB' });
      expect(await acquirer.refund(refund)).toEqual(first);
    });

    it('readRefund: the same as the refund, or that sending it again is safe', async () => {
      const originalOperationId = await registered();
      await authorize(originalOperationId, under.cards.approved);
      const refund = { operationId: randomUUID(), originalOperationId, amountKopecks: 50n };
      expect((await acquirer.readRefund(refund)).kind).toBe('absent');
      const first = await acquirer.refund(refund);
      const read = await acquirer.readRefund(refund);
      expect(read.kind === 'absent' ? await acquirer.refund(refund) : read).toEqual(first);
    });

    it('refund: several, never more in all than was paid', async () => {
      const originalOperationId = await registered();
      await authorize(originalOperationId, under.cards.approved);
      const refund = (amountKopecks: bigint) => acquirer.refund({ operationId: randomUUID(), originalOperationId, amountKopecks });
      expect(await refund(1_000n)).toMatchObject({ kind: 'confirmed', amountKopecks: 1_000n });
      expect((await refund(51n)).kind).toBe('declined');
      expect(await refund(50n)).toMatchObject({ kind: 'confirmed', amountKopecks: 50n });
    });

    it('charge: a saved card is charged without the buyer; a repeat takes no second amount', async () => {
      const first = await authorize(await registered(true), under.cards.approved, true);
      const token = first.kind === 'confirmed' ? first.card.token : null;
      const charge = {
        operationId: randomUUID(),
        amountKopecks: 2_000n,
        description: 'Month',
        cardToken: String(token),
      };
      const charged = await acquirer.charge(charge);
      expect(charged).toMatchObject({ kind: 'confirmed', amountKopecks: 2_000n });
      expect(await acquirer.charge(charge)).toMatchObject({ kind: 'confirmed', amountKopecks: 2_000n });
      expect(await acquirer.read(charge.operationId)).toMatchObject(withoutFacts(charged));
    });

    it('charge: a token that the bank does not know is declined', async () => {
      const charge = { operationId: randomUUID(), amountKopecks: 2_000n, description: 'Month', cardToken: '404404' };
      expect((await acquirer.charge(charge)).kind).toBe('declined');
    });

    it('read with the saved card: the token that the answer to the card told', async () => {
      const operationId = await registered(true);
      const first = await authorize(operationId, under.cards.approved, true);
      const token = first.kind === 'confirmed' ? first.card.token : undefined;
      expect(token).toEqual(expect.any(String));
      expect(await acquirer.read(operationId, { savedCard: true })).toMatchObject({ kind: 'confirmed', card: { token } });
    });

    it('createQr: registered, with the link of the QR', async () => {
      const result = await acquirer.createQr(order());
      expect(result).toMatchObject({ kind: 'registered', nspkUrl: expect.stringMatching(/^https?:\/\//) });
    });
  });
}
