import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CARD, startTestApp, type TestApp } from '../../../test/app.ts';
import { silence } from '../../../test/bank.ts';
import { sendCard } from './admit-card.ts';
import { openThreeDsMethod, prepareCard, type PreparedCard } from './prepare-card.ts';

/** Its issuer has a 3DS Method. */
const METHOD_CARD = { ...CARD, number: '4000000000003220' };
const source = '192.0.2.1';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
afterEach(async () => {
  t.bank.interrupt('three-ds', 'before', undefined);
  await t.rows('delete from card_attempts');
});

async function given(card = METHOD_CARD): Promise<{ id: string; checkoutToken: string; prepared: PreparedCard }> {
  const { id, checkoutToken } = await t.givenPayment();
  const prepared = await prepareCard(t.deps, { checkoutToken, card, source });
  if (prepared === undefined) throw new Error('not prepared');
  return { id, checkoutToken, prepared };
}
const attempts = async () => (await t.rows('select payment_id from card_attempts')).length;
/** How the bank was told of the 3DS Method with the card of a payment. */
const toldOf = (id: string) =>
  t.bank.calls
    .filter(({ call, operationId }) => call === 'authorize' && operationId === id)
    .map(({ body }) => (body as Readonly<Record<string, unknown>>)['threeDsCompInd']);

describe('3DS Method: a card is prepared before it is sent', () => {
  it('nothing of it is kept, the payment stays as it was, and the card is not in what the browser carries', async () => {
    const before = await t.givenPayment();
    const row = await t.payment(before.id);
    const prepared = await prepareCard(t.deps, { checkoutToken: before.checkoutToken, card: METHOD_CARD, source });
    expect(await t.payment(before.id)).toEqual(row);
    expect(prepared?.ticket).not.toContain(METHOD_CARD.number);
    expect(Buffer.from(prepared?.ticket ?? '', 'base64url').toString('latin1')).not.toContain(METHOD_CARD.number);
    expect(await openThreeDsMethod(t.deps, before.checkoutToken, String(prepared?.ticket))).toEqual({
      url: 'https://bank.example/method',
      threeDsServerTransId: prepared?.threeDsServerTransId,
    });
  });

  it.each([
    [true, 'Y'],
    [false, 'N'],
  ])('done: %s: the bank is told %s, and asked about the card once', async (isMethodDone, told) => {
    const { id, checkoutToken, prepared } = await given();
    const command = {
      declinedCount: 0,
      checkoutToken,
      card: METHOD_CARD,
      source,
      ticket: prepared.ticket,
      isMethodDone,
    };
    expect(await sendCard(t.deps, command)).toBe('accepted');
    expect(toldOf(id)).toEqual([told]);
    expect(t.bank.calls.filter(({ call, operationId }) => call === 'three-ds' && operationId === id)).toHaveLength(1);
  });

  it('a card whose issuer has no Method: U', async () => {
    const { id, checkoutToken, prepared } = await given(CARD);
    expect(prepared.threeDsServerTransId).toBeUndefined();
    await sendCard(t.deps, {
      declinedCount: 0,
      checkoutToken,
      card: CARD,
      source,
      ticket: prepared.ticket,
      isMethodDone: true,
    });
    expect(toldOf(id)).toEqual(['U']);
  });

  it.each<[string, (ticket: string) => Promise<string> | string, typeof METHOD_CARD]>([
    ['of another card', (ticket) => ticket, CARD],
    ['of another payment', async () => (await given()).prepared.ticket, METHOD_CARD],
    ['that was altered', (ticket) => `${ticket.slice(0, -4)}AAAA`, METHOD_CARD],
    ['that somebody made up', () => 'v1.k1.a.b.c', METHOD_CARD],
    ['of ten thousand characters', () => 'x'.repeat(10_000), METHOD_CARD],
  ])('a ticket %s counts for nothing, and the card goes all the same', async (_name, change, card) => {
    const { id, checkoutToken, prepared } = await given();
    const ticket = await change(prepared.ticket);
    expect(await sendCard(t.deps, { declinedCount: 0, checkoutToken, card, source, ticket, isMethodDone: true })).toBe('accepted');
    expect(toldOf(id)).toEqual([undefined]);
  });

  it('a ticket is good for two minutes', async () => {
    const { id, checkoutToken, prepared } = await given();
    await t.moveClock('121 seconds');
    expect(await openThreeDsMethod(t.deps, checkoutToken, prepared.ticket)).toBeUndefined();
    await sendCard(t.deps, {
      declinedCount: 0,
      checkoutToken,
      card: METHOD_CARD,
      source,
      ticket: prepared.ticket,
      isMethodDone: true,
    });
    expect(toldOf(id)).toEqual([undefined]);
  });

  it('two that send at once: the card goes once, and stays counted', async () => {
    t.bank.verdict = { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' };
    const { id, checkoutToken, prepared } = await given();
    const command = {
      declinedCount: 0,
      checkoutToken,
      card: METHOD_CARD,
      source,
      ticket: prepared.ticket,
      isMethodDone: true,
    };
    const outcomes = await Promise.all([sendCard(t.deps, command), sendCard(t.deps, command)]);
    t.bank.verdict = {};
    expect(outcomes.toSorted()).toEqual(['accepted', 'not-payable']);
    expect(toldOf(id)).toEqual(['Y']);
    expect(await t.rows('select from card_attempts where payment_id = $1', [id])).toHaveLength(1);
  });
});

describe('what a bank says of a card before it is sent is no way around the velocity rules (M8)', () => {
  const limited = () => ({ ...t.deps, velocity: { ...t.deps.velocity, address: 2 } });

  it('a card that is prepared counts, the same one that is then sent not again', async () => {
    t.bank.verdict = { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' };
    const { checkoutToken, prepared } = await given();
    expect(await attempts()).toBe(1);
    await sendCard(t.deps, {
      declinedCount: 0,
      checkoutToken,
      card: METHOD_CARD,
      source,
      ticket: prepared.ticket,
      isMethodDone: true,
    });
    t.bank.verdict = {};
    expect(await attempts()).toBe(1);
  });

  it('past the limit nothing is asked of the bank; and a ticket whose attempt is gone is counted anew', async () => {
    const { checkoutToken, prepared } = await given();
    await given();
    const { id, checkoutToken: third } = await t.givenPayment();
    expect(await prepareCard(limited(), { checkoutToken: third, card: METHOD_CARD, source })).toBeUndefined();
    expect(t.bank.calls.filter(({ operationId, call }) => operationId === id && call === 'three-ds')).toEqual([]);
    await t.rows(`delete from card_attempts where payment_id <> $1`, [id]);
    await given();
    await given();
    const command = {
      declinedCount: 0,
      checkoutToken,
      card: METHOD_CARD,
      source,
      ticket: prepared.ticket,
      isMethodDone: true,
    };
    expect(await sendCard(limited(), command)).toBe('held-back');
  });

  it('a bank that does not answer that: the card is counted once, and goes without', async () => {
    t.bank.interrupt('three-ds', 'before', silence);
    const { id, checkoutToken, prepared } = await given();
    expect(prepared.threeDsServerTransId).toBeUndefined();
    await sendCard(t.deps, {
      declinedCount: 0,
      checkoutToken,
      card: METHOD_CARD,
      source,
      ticket: prepared.ticket,
      isMethodDone: true,
    });
    expect(toldOf(id)).toEqual([undefined]);
  });

  it('no bank is asked for a point that is suspended', async () => {
    const { partner, point } = await t.givenPartner();
    const { body } = await t.create({ paymentPointID: point }, { partner });
    await t.rows(`update payment_points set status = 'SUSPENDED' where payment_point_id = $1`, [point]);
    const checkoutToken = String((await t.payment(body['id']))['form_token']);
    expect(await prepareCard(t.deps, { checkoutToken, card: METHOD_CARD, source })).toBeUndefined();
    expect(t.bank.calls.filter(({ operationId, call }) => operationId === body['id'] && call === 'three-ds')).toEqual([]);
  });

  it('a payment that takes no card (any more), or is nobody’s, is not asked about', async () => {
    const { checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    for (const token of [checkoutToken, 'nobody-has-this-token'])
      expect(await prepareCard(t.deps, { checkoutToken: token, card: METHOD_CARD, source })).toBeUndefined();
    expect(await openThreeDsMethod(t.deps, 'nobody-has-this-token', 'x')).toBeUndefined();
  });
});
