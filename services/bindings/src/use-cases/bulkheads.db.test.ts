import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { handOverLoop } from './hand-over-charge.ts';

/** Half of what one process may have in flight to a bank behind payments. */
const PLACES_OF_ONE = 128;
/** How many charges of one partner the loop hands over at once. */
const BATCH = 10;
const SLOW = { partner: 'partner-slow' };
const OTHER = { partner: 'partner-other' };

let t: TestApp;
/** Resolved when the slow partner's bank answers. */
let bankAnswers = Promise.withResolvers<undefined>();

beforeAll(async () => {
  t = await startTestApp();
});
afterEach(() => {
  bankAnswers.resolve(undefined);
  t.payments.behave = () => ({ kind: 'take' });
});
afterAll(() => t.close());

function letBankHang(): void {
  bankAnswers = Promise.withResolvers();
  t.payments.behave = async ({ partnerId }) => {
    if (partnerId === SLOW.partner) await bankAnswers.promise;
    return { kind: 'take' };
  };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await t.rows('select 1');
};
const callsOf = ({ partner }: { partner: string }) => t.payments.calls.filter(({ partnerId }) => partnerId === partner).length;
const chargesOf = (bindingId: string) => t.rows('select * from charges where binding_id = $1', [bindingId]);

it('charges that hang at a bank take their places: one more is 503 at once and leaves no trace, and others go on (S2)', async () => {
  const bindings = await Promise.all(Array.from({ length: PLACES_OF_ONE + 1 }, () => t.givenBinding(SLOW)));
  const [extra = '', ...slow] = bindings;
  letBankHang();
  const hanging = slow.map((bindingId) => t.charge(bindingId, SLOW));
  await until(() => callsOf(SLOW) === PLACES_OF_ONE);

  const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
  const refused = await t.charge(extra, { ...SLOW, key }, { merchantOrderId });
  expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
  expect(await chargesOf(extra)).toEqual([]);
  // A revocation is reported to payments before it is answered: it has places of its own.
  expect((await t.call('POST', `/v1/bindings/${slow[0] ?? ''}/revoke`, { ...SLOW, body: {} })).status).toBe(202);
  expect(t.payments.revoked).toContain(slow[0]);
  expect((await t.charge(await t.givenBinding(OTHER), OTHER)).body).toMatchObject({ status: 'SUBMITTED' });

  bankAnswers.resolve(undefined);
  expect(new Set((await Promise.all(hanging)).map(({ status }) => status))).toEqual(new Set([201]));
  const again = await t.charge(extra, { ...SLOW, key }, { merchantOrderId });
  expect([again.status, again.body['status']]).toEqual([201, 'SUBMITTED']);
});

it('handing over the charges of a partner whose bank hangs keeps nobody else’s waiting (S2)', async () => {
  t.payments.isAway = true;
  const wait = async (given: { partner: string }) => {
    const bindingId = await t.givenBinding(given);
    expect((await t.charge(bindingId, given)).body).toMatchObject({ status: 'CREATED' });
    return bindingId;
  };
  for (let charge = 0; charge < BATCH + 2; charge += 1) await wait(SLOW);
  const others = await wait(OTHER);
  t.payments.isAway = false;
  letBankHang();
  const before = callsOf(SLOW);
  // The slow partner's charges have waited longest.
  await t.rows(
    `update charges set leased_until = clock_timestamp() - make_interval(secs => case partner_id when '${SLOW.partner}' then 10 else 1 end) where status = 'CREATED'`,
  );

  const loop = handOverLoop(t.deps);
  await loop.round(new AbortController().signal);
  while ((await chargesOf(others))[0]?.['status'] !== 'SUBMITTED');
  await until(() => callsOf(SLOW) === before + BATCH);
  await loop.round(new AbortController().signal);
  expect(callsOf(SLOW)).toBe(before + BATCH);
  bankAnswers.resolve(undefined);
  await loop.settled?.();
  expect(await t.rows(`select 1 from charges where status = 'CREATED'`)).toEqual([]);
});
