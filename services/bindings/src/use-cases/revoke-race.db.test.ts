import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../test/app.ts';

const PAIRS = 400;
/** Few, because a revoke waits three seconds for payments, and a machine may be slow. */
const AT_ONCE = 10;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

it(`a revoke that was answered 202 is never followed by a charge: ${String(PAIRS)} pairs over two replicas`, async () => {
  // One counter for everything in this process: it orders the arrivals at payments and the answers.
  let instant = 0;
  const arrivedAt = new Map<string, number>();
  t.payments.behave = ({ paymentId }) => {
    arrivedAt.set(paymentId, (instant += 1));
    return { kind: 'take' };
  };
  const outcomes = { charged: 0, refused: 0 };

  const pair = async (index: number) => {
    const bindingId = await t.givenBinding();
    const revoke = async () => {
      const answer = await t.call('POST', `/v1/bindings/${bindingId}/revoke`, { replica: index });
      return { ...answer, answeredAt: (instant += 1) };
    };
    // Either may be sent first, to the same replica or the other.
    const charge = () => t.charge(bindingId, { replica: index >> 1 });
    const chargedFirst = index % 4 < 2 ? charge() : undefined;
    const revoking = revoke();
    const [revoked, charged] = await Promise.all([revoking, chargedFirst ?? charge()]);
    const after = await t.charge(bindingId, { replica: index + 1 });
    const isCharged = charged.status === 201;
    outcomes[isCharged ? 'charged' : 'refused'] += 1;
    const arrival = arrivedAt.get(String(charged.body['paymentId'])) ?? Number.NaN;
    return {
      revoked: revoked.status,
      charge: isCharged
        ? (arrival < revoked.answeredAt || t.payments.withdrawn.has(String(charged.body['paymentId']))) &&
          String(charged.body['createdAt']) <= String(revoked.body['revokedAt'])
        : charged.body['code'],
      after: after.body['code'],
    };
  };
  const pairs: Awaited<ReturnType<typeof pair>>[] = [];
  for (let first = 0; first < PAIRS; first += AT_ONCE) {
    pairs.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, offset) => pair(first + offset)))));
  }
  // Accepted and received by payments before the revoke was answered; or withdrawn; or refused. Every later charge is
  // refused.
  const good = (charge: unknown) => ({ revoked: 202, charge, after: 'BINDING_REVOKED' });
  expect(new Set(pairs.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify(good(true)), JSON.stringify(good('BINDING_REVOKED'))]),
  );
  const late = await t.rows(`select from charges c join bindings b using (binding_id) where c.created_at > b.revoked_at`);
  expect(late).toEqual([]);
  expect(t.payments.taken.size).toBe(outcomes.charged);
  // It is a real race: both outcomes occur.
  expect(Math.min(outcomes.charged, outcomes.refused)).toBeGreaterThan(PAIRS / 50);
});
