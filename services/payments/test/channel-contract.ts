import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Channel } from '../src/channels/channel.ts';

const CARD = { expiryMonth: 12, expiryYear: 2099, cvv: '123' };

/** A connector and the bank behind it, for the suite that every connector passes. */
export type ChannelUnderTest = {
  readonly channel: Channel;
  /** Cards that this bank approves, declines for want of funds, and sends to 3-D Secure. */
  readonly cards: { readonly approved: string; readonly declined: string; readonly threeDs: string };
  close(): Promise<void>;
};

/** What every connector promises, whatever bank is behind it. */
export function channelContract(name: string, start: () => Promise<ChannelUnderTest>): void {
  describe(`the channel contract: ${name}`, () => {
    let under: ChannelUnderTest;
    beforeAll(async () => {
      under = await start();
    }, 60_000);
    afterAll(() => under.close());

    const order = () => ({
      operationId: randomUUID(),
      amountKopecks: 1_050n,
      description: 'Coffee',
      expiresAt: new Date('2099-12-31T00:00:00.000Z'),
      returnUrl: 'https://form.example/pay/x/return',
    });
    const registered = async () => {
      const { operationId, ...rest } = order();
      await under.channel.register({ operationId, ...rest });
      return operationId;
    };
    const authorize = (operationId: string, number: string, saveCard = false) =>
      under.channel.authorize({ operationId, card: { ...CARD, number }, saveCard });

    it('register: registered, with the bank’s id; a repeat is the same order', async () => {
      const wanted = order();
      const first = await under.channel.register(wanted);
      expect(first).toMatchObject({ kind: 'registered', bankOperationId: expect.any(String) });
      expect(await under.channel.register(wanted)).toEqual(first);
    });

    it('register: a description of 140 characters beyond the first plane is taken', async () => {
      expect((await under.channel.register({ ...order(), description: '🍵'.repeat(140) })).kind).toBe('registered');
    });

    it('authorize: confirmed with amount, currency and mask; a repeat takes no second amount', async () => {
      const operationId = await registered();
      const result = await authorize(operationId, under.cards.approved);
      expect(result).toMatchObject({ kind: 'confirmed', amountKopecks: 1_050n, currency: 'RUB', card: { mask: expect.stringMatching(/^\d{6}\*{6}\d{4}$/) } }); // prettier-ignore
      expect(await authorize(operationId, under.cards.approved)).toEqual(result);
      expect(await under.channel.read(operationId)).toEqual(result);
    });

    it('authorize: declined with our failureCode', async () => {
      const result = await authorize(await registered(), under.cards.declined);
      expect(result).toMatchObject({ kind: 'declined', failureCode: 'INSUFFICIENT_FUNDS' });
    });

    it('authorize: pending with the page of 3-D Secure', async () => {
      const operationId = await registered();
      const result = await authorize(operationId, under.cards.threeDs);
      expect(result).toMatchObject({ kind: 'pending', acsUrl: expect.stringMatching(/^https?:\/\//) });
      expect(await under.channel.cancel(operationId)).toMatchObject({ kind: 'cancelled' });
    });

    it('read: absent for an operation that never arrived', async () => {
      expect(await under.channel.read(randomUUID())).toEqual({ kind: 'absent' });
    });

    it('cancel: an unpaid order is cancelled, a paid one stays confirmed', async () => {
      expect(await under.channel.cancel(await registered())).toMatchObject({ kind: 'cancelled' });
      const paid = await registered();
      await authorize(paid, under.cards.approved);
      expect(await under.channel.cancel(paid)).toMatchObject({ kind: 'confirmed' });
    });

    it('refund: confirmed for a part; a repeat under the same id is the same refund', async () => {
      const originalOperationId = await registered();
      await authorize(originalOperationId, under.cards.approved);
      const refund = { operationId: randomUUID(), originalOperationId, amountKopecks: 50n };
      const first = await under.channel.refund(refund);
      expect(first).toMatchObject({ kind: 'confirmed', amountKopecks: 50n, currency: 'RUB' });
      expect(await under.channel.refund(refund)).toEqual(first);
    });

    it('charge: a saved card is charged without the buyer', async () => {
      const first = await authorize(await registered(), under.cards.approved, true);
      const token = first.kind === 'confirmed' ? first.card.token : null;
      const charge = {
        operationId: randomUUID(),
        amountKopecks: 2_000n,
        description: 'Month',
        cardToken: String(token),
      };
      expect(await under.channel.charge(charge)).toMatchObject({ kind: 'confirmed', amountKopecks: 2_000n });
    });

    it('createQr: registered, with the link of the QR', async () => {
      const result = await under.channel.createQr(order());
      expect(result).toMatchObject({ kind: 'registered', nspkUrl: expect.stringMatching(/^https?:\/\//) });
    });
  });
}
