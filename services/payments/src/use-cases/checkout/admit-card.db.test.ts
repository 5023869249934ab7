import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { listen } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { CARD, startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { listHeldBack } from '../../db/checkout/card-attempts.ts';
import type { CheckoutDeps } from '../../deps.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from '../../http/operator/app.ts';
import { sendCard, type SendCardOutcome } from './admit-card.ts';
import { forgetBuyersLoop } from './forget-buyers.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  t.bank.verdict = { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' };
  await t.rows('delete from card_attempts');
});

type Try = { readonly source?: string; readonly bin?: string; readonly limits?: Partial<CheckoutDeps['velocity']> };

let count = 0;
/** A buyer of a payment of his own sends a card; unless said otherwise nothing of it is like that of another. */
async function tryCard({ source, bin, limits = {} }: Try, deps: CheckoutDeps = t.deps): Promise<Tried> {
  count += 1;
  const { id, checkoutToken } = await t.givenPayment();
  const number = `${bin ?? String(40_000_000 + count)}${String(count).padStart(8, '0')}`;
  const outcome = await sendCard(
    { ...deps, velocity: { ...deps.velocity, ...limits } },
    { declinedCount: 0, checkoutToken, card: { ...CARD, number }, source: source ?? `192.0.2.${String(count)}` },
  );
  return { id, checkoutToken, outcome, number };
}
type Tried = { id: string; checkoutToken: string; outcome: SendCardOutcome; number: string };

const outcomes = async (tries: readonly Try[]) => {
  const all: SendCardOutcome[] = [];
  for (const one of tries) all.push((await tryCard(one)).outcome);
  return all;
};
const sent = () => t.bank.callsOf('authorize');

describe('velocity rules against card testing (M8)', () => {
  it.each<[string, Try]>([
    ['address', { source: '198.51.100.7', limits: { address: 3 } }],
    ['BIN', { bin: '41111111', limits: { bin: 3 } }],
    ['payment point', { limits: { point: 3 } }],
  ])('three cards of one %s that brought no money go to the bank, the fourth does not', async (_name, like) => {
    const before = sent();
    expect(await outcomes([like, like, like, like])).toEqual(['accepted', 'accepted', 'accepted', 'held-back']);
    expect(sent() - before).toBe(3);
  });

  it('a card for a form that is not there goes nowhere', async () => {
    const before = sent();
    expect(await sendCard(t.deps, { declinedCount: 0, checkoutToken: 'nothing', card: CARD, source: '192.0.2.1' })).toBe('not-payable');
    expect(sent()).toBe(before);
  });

  it('the payment stays as it was: another card pays it, and the same one ten minutes later', async () => {
    const like: Try = { bin: '41111111', limits: { bin: 2 } };
    await outcomes([like, like]);
    const { id, checkoutToken, outcome, number } = await tryCard(like);
    expect(outcome).toBe('held-back');
    expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', card_sent_at: null });
    t.bank.verdict = {};
    const deps = { ...t.deps, velocity: { address: 9, bin: 2, point: 9 } };
    const again = (card: string) =>
      sendCard(deps, { declinedCount: 0, checkoutToken, card: { ...CARD, number: card }, source: '198.51.100.9' });
    expect(await again(number)).toBe('held-back');
    await t.rows(`update card_attempts set created_at = created_at - interval '10 minutes'`);
    expect(await again(number)).toBe('accepted');
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('another card of the same buyer pays at once where the BIN is what was held back', async () => {
    const like: Try = { bin: '41111111', limits: { bin: 2 } };
    await outcomes([like, like]);
    const { checkoutToken } = await tryCard(like);
    const deps = { ...t.deps, velocity: { address: 9, bin: 2, point: 9 } };
    const card = { ...CARD, number: '5555555555554444' };
    expect(await sendCard(deps, { declinedCount: 0, checkoutToken, card, source: '198.51.100.9' })).toBe('accepted');
  });

  it('buyers whose cards are taken count for nothing, however many they are', async () => {
    t.bank.verdict = {};
    const like: Try = { source: '198.51.100.7', bin: '41111111', limits: { address: 2, bin: 2, point: 2 } };
    expect(await outcomes([like, like, like, like, like])).toEqual(Array.from({ length: 5 }, () => 'accepted'));
    expect(await t.rows('select from card_attempts')).toEqual([]);
  });

  it('who tries again and again is not held back for longer by it', async () => {
    const like: Try = { source: '198.51.100.7', limits: { address: 2 } };
    await outcomes([like, like, like, like, like]);
    await t.rows(`update card_attempts set created_at = created_at - interval '10 minutes' where held_back_by is null`);
    expect(await outcomes([like])).toEqual(['accepted']);
  });

  it('thirty cards at once at two replicas: no more than the limit reach the bank', async () => {
    const second = openDatabase({
      url: t.databaseUrl,
      applicationName: 'checkout-2',
      onIdleError: () => undefined,
    });
    const before = sent();
    const like: Try = { source: '198.51.100.7', limits: { address: 5 } };
    await Promise.all(Array.from({ length: 30 }, (_, index) => tryCard(like, index % 2 === 0 ? t.deps : { ...t.deps, db: second.db })));
    await second.close();
    expect(sent() - before).toBeLessThanOrEqual(5);
  });

  it('a card that never reached the bank does not count', async () => {
    const deps = { ...t.deps, acquirerOf: () => undefined };
    expect((await tryCard({}, deps)).outcome).toBe('route-unavailable');
    expect(await t.rows('select from card_attempts')).toEqual([]);
  });

  it('keeps neither number, BIN nor address, has another key every day, and forgets after one', async () => {
    const [first, second] = [
      await tryCard({ source: '198.51.100.7', bin: '41111111' }),
      await tryCard({ source: '198.51.100.7', bin: '41111111' }),
    ];
    const [row, other] = await t.rows('select * from card_attempts order by created_at');
    const text = JSON.stringify(row);
    for (const secret of [first.number, '41111111', '198.51.100.7']) expect(text).not.toContain(secret);
    expect([row?.['address_hash'], row?.['bin_hash']]).toEqual([other?.['address_hash'], other?.['bin_hash']]);
    expect(second.outcome).toBe('accepted');
    await t.moveClock('25 hours');
    await tryCard({ source: '198.51.100.7', bin: '41111111' });
    const [last] = await t.rows('select * from card_attempts order by created_at desc limit 1');
    expect(last?.['address_hash']).not.toBe(row?.['address_hash']);
    expect(last?.['bin_hash']).not.toBe(row?.['bin_hash']);
    const { round } = forgetBuyersLoop(t.deps);
    while ((await round(new AbortController().signal)) === 'more');
    expect(await t.rows('select from card_attempts')).toHaveLength(1);
  });

  it('operators see where cards were held back, by which rule, and how many different ones', async () => {
    const like: Try = { source: '198.51.100.7', limits: { address: 1 } };
    await outcomes([like, like, like]);
    const people = testConsoleKey();
    const listener = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
    const url = `http://127.0.0.1:${String(listener.port)}/held-back-cards`;
    const answer = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', url);
    const body: unknown = await answer.json();
    await listener.drain(0);
    expect(body).toMatchObject({
      items: [{ paymentPointId: 'point-1', rule: 'address', cards: 2, addresses: 1, bins: 2 }],
    });
  });

  it('what counts for one point is not counted for another (M8)', async () => {
    const held = (point: string, rule: string | null, hash: string) =>
      t.rows(
        `insert into card_attempts (attempt_id, payment_id, payment_point_id, address_hash, bin_hash, held_back_by)
         values (gen_random_uuid(), gen_random_uuid(), $1, $2, $2, $3)`,
        [point, hash, rule],
      );
    for (const [rule, hash] of [
      ['bin', 'a'],
      [null, 'a'],
      [null, 'a'],
      ['address', 'b'],
      [null, 'b'],
      ['point', 'c'],
    ] as const)
      await held('point-1', rule, hash);
    for (const [rule, hash] of [
      ['bin', 'd'],
      ['address', 'e'],
      ['point', 'f'],
      [null, 'f'],
    ] as const)
      await held('point-2', rule, hash);
    const found = await listHeldBack(t.deps.db, new Date(0));
    const counting = found.map((one) => [`${one.paymentPointId} ${one.rule}`, one.counting]);
    expect(Object.fromEntries(counting)).toEqual({
      'point-1 bin': 2,
      'point-1 address': 1,
      'point-1 point': 3,
      'point-2 bin': 0,
      'point-2 address': 0,
      'point-2 point': 1,
    });
  });

  it('an operator sees what counts, and lets cards through with a reason; it is on record (M8)', async () => {
    const like: Try = { source: '198.51.100.7', limits: { address: 2 } };
    expect(await outcomes([like, like, like])).toEqual(['accepted', 'accepted', 'held-back']);
    const people = testConsoleKey();
    const listener = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
    const operate = async (method: string, path: string, body?: unknown) => {
      const url = `http://127.0.0.1:${String(listener.port)}${path}`;
      const answer = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', url, { method, body });
      return { status: answer.status, body: (await answer.json()) as Json };
    };
    const seen = async () => (await operate('GET', '/held-back-cards')).body['items'];
    const letThrough = (change: object = {}) =>
      operate('POST', '/held-back-cards/let-through', {
        paymentPointId: 'point-1',
        rule: 'address',
        reason: 'a fair, one router',
        ...change,
      });
    expect(await seen()).toMatchObject([{ rule: 'address', cards: 1, counting: 2 }]);
    for (const change of [{ reason: '' }, { reason: undefined }, { rule: 'moon' }]) expect((await letThrough(change)).status).toBe(400);
    expect([(await letThrough({ paymentPointId: 'none' })).status, (await letThrough({ rule: 'point' })).body]).toEqual([
      404,
      { forgotten: 0 },
    ]);
    expect(await tryCard(like)).toMatchObject({ outcome: 'held-back' });
    expect(await letThrough()).toMatchObject({ status: 200, body: { forgotten: 2 } });
    expect(await seen()).toMatchObject([{ rule: 'address', cards: 2, counting: 0 }]);
    expect(await outcomes([like, like, like])).toEqual(['accepted', 'accepted', 'held-back']);
    const { body } = await operate('GET', '/actions?subjectId=point-1');
    expect(body['items']).toContainEqual(
      expect.objectContaining({
        action: 'cards.let-through',
        operator: 'olga',
        after: { rule: 'address', counting: 0, reason: 'a fair, one router' },
      }),
    );
    await listener.drain(0);
  });
});
