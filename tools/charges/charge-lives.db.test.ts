import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../../services/bindings/test/app.ts';
import { DEFAULT_POINT } from '../../services/payments/test/app.ts';
import { startBothServices, type BothServices, type SentCharge } from './both-services.ts';

let t: BothServices;
beforeAll(async () => {
  t = await startBothServices();
});
afterAll(() => t.close());

const yes = fc.boolean();
/** What happens around one charge, all at once or while a replica of payments waits for the consent. */
const life = fc.record({
  /** The connection to the replica that asked is reset once it has asked. */
  breaks: yes,
  /** Whether replicas have no way to the bank, by number; or are not there for bindings. */
  withoutBank: fc.constantFrom([], [], [0], [1], [0, 1]),
  isAway: fc.constantFrom(false, false, false, true),
  /** What becomes of the point, or of the charge's number, meanwhile. */
  change: fc.constantFrom('nothing', 'nothing', 'limit', 'closed', 'suspended', 'number'),
  repeats: yes,
  hasRival: yes,
  revokes: fc.constantFrom(false, false, true),
  isDeclined: fc.constantFrom(false, false, false, true),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

const point = (change: string) => t.payments.rows(`update payment_points set ${change} where payment_point_id = $1`, [DEFAULT_POINT]);
const CHANGES: Readonly<Record<string, (orderID: string) => Promise<unknown>>> = {
  limit: () => point('max_amount_kopecks = 100'),
  closed: () => point(`status = 'CLOSED'`),
  suspended: () => point(`status = 'SUSPENDED'`),
  number: (orderID) => t.payments.create({ orderID }),
};

/** Plays it, and lets everything settle. Returns each charge with everything that was answered about it. */
async function play(bindingId: string, played: Life): Promise<[SentCharge, Answer[]][]> {
  for (const replica of played.withoutBank) t.withoutBank.add(replica);
  if (played.isAway) for (const way of t.ways) await way.set({ refusing: true });
  t.payments.bank.verdict = played.isDeclined ? { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' } : {};
  const [charge, rival] = [t.charge(bindingId), t.charge(bindingId)];
  const consent = t.holdConsent();
  const first = charge.send();
  const replica = await Promise.race([consent.asked, first.then(() => undefined)]);
  await CHANGES[played.change]?.(charge.merchantOrderId);
  if (played.breaks && replica !== undefined) t.ways[replica]?.reset();
  const others = [played.repeats ? charge.send() : undefined, played.hasRival ? rival.send() : undefined] as const;
  const revoking = played.revokes ? t.revoke(bindingId) : undefined;
  if (played.breaks) await first;
  consent.release();
  const [answer, repeated, rivals] = [await first, await others[0], await others[1]];
  await revoking;

  for (const way of t.ways) await way.set({});
  t.withoutBank.clear();
  t.payments.bank.verdict = {};
  await point(`status = 'ACTIVE', max_amount_kopecks = 100000000`);
  await t.restartBindings();
  // Read back, or handed over again.
  for (let round = 0; round < 3; round += 1) await t.goOn();
  const known = (answers: readonly (Answer | undefined)[]) => answers.filter((one) => one !== undefined);
  return [
    [charge, known([answer, repeated])],
    [rival, known([rivals])],
  ];
}

/** What is there of a charge at last: its row in bindings, that in payments, and what the bank got and took. */
async function endOf(merchantOrderId: string) {
  const [charge] = await t.bindings.rows('select * from charges where merchant_order_id = $1', [merchantOrderId]);
  const [payment] = await t.payments.rows(
    `select * from payments where method = 'CARD_BINDING' and coalesce(duplicate_order_id, merchant_order_id) = $1`,
    [merchantOrderId],
  );
  const id = charge?.['payment_id'] ?? payment?.['payment_id'];
  const taken = t.payments.bank.operations.get(String(id))?.status === 'APPROVED';
  return { id, status: charge?.['status'], atPayments: payment?.['status'], taken };
}

const LIVES = Number(process.env['CHARGE_LIVES'] ?? 40);

it(
  'property: what is answered 201 ends once, everywhere alike; what is refused takes nothing; one charge a period (V1, V4)',
  async () => {
    const met = { refused: 0, taken: 0, failed: 0, answeredTwice: 0 };
    await fc.assert(
      fc.asyncProperty(life, async (played) => {
        const bindingId = await t.givenBinding();
        let taken = 0;
        for (const [{ merchantOrderId }, answers] of await play(bindingId, played)) {
          const end = await endOf(merchantOrderId);
          const accepted = answers.filter(({ status }) => status === 201);
          const [id, ...more] = new Set(accepted.map(({ body }) => body['paymentId']));
          const status = id === undefined ? undefined : end.status;
          expect([undefined, 'COMPLETED', 'FAILED', 'REJECTED']).toContain(status);
          expect([more, end]).toEqual([[], { id, status, atPayments: status, taken: status === 'COMPLETED' }]);
          taken += end.taken ? 1 : 0;
          met.refused += answers.length > 0 && accepted.length === 0 ? 1 : 0;
          met.failed += end.status === 'FAILED' ? 1 : 0;
          met.answeredTwice += accepted.length > 1 ? 1 : 0;
        }
        expect(taken).toBeLessThanOrEqual(1);
        met.taken += taken;
        const [binding] = await t.bindings.rows('select open_payment_id from bindings where binding_id = $1', [bindingId]);
        expect(binding).toEqual({ open_payment_id: null });
      }),
      { numRuns: LIVES, endOnFailure: true },
    );
    // Lives that never got there would prove nothing.
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(0);
  },
  600_000 + LIVES * 1_000,
);
