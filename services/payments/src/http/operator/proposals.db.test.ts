import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey, type Somebody } from '../../../../../packages/shared/test/operators.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './app.ts';

/** What takes two people at payments: a point with a fee, another fee, and a refund above the role's limit (50 RUB for `operator` here). */
let t: TestApp;
let listener: Listener;
const people = testConsoleKey();
const person = (login: string, ...notIndependentOf: string[]) => ({ login, role: 'operator', notIndependentOf }) as const;
const oleg = person('oleg');

beforeAll(async () => {
  t = await startTestApp();
  listener = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
});
afterAll(async () => {
  await listener.drain(0);
  await t.close();
});

async function operate(who: Somebody, method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const url = `http://127.0.0.1:${String(listener.port)}${path}`;
  const response = await people.fetchAs(OPERATOR_AUDIENCE, who, url, { method, body });
  return { status: response.status, body: (await response.json()) as Json };
}
const proposalOf = ({ body }: { body: Json }) => String((body['proposal'] as Json)['proposalId']);
const decide = (who: Somebody, proposalId: string, how = 'confirm') => operate(who, 'POST', `/proposals/${proposalId}/${how}`);

async function givenPaid(amount = 1_000): Promise<{ id: string; refund: (who: Somebody, asked: Json) => ReturnType<typeof operate> }> {
  const { id, checkoutToken } = await t.givenPayment({ amount });
  await t.pay(checkoutToken);
  const { body } = await operate('anna', 'GET', `/payments/${id}`);
  const asked = { seenVersion: body['aggregateVersion'], reason: 'broken cup' };
  const refund = (who: Somebody, more: Json) => operate(who, 'POST', `/payments/${id}/refunds`, { key: randomUUID(), ...asked, ...more });
  return { id, refund };
}
const refunded = async (id: string) => (await operate('anna', 'GET', `/payments/${id}`)).body['refundedAmount'];
const actions = async (subjectId: string) =>
  ((await operate('anna', 'GET', `/actions?subjectId=${subjectId}`)).body['items'] as Json[]).map(
    ({ action, operator }) => `${String(action)} ${String(operator)}`,
  );

describe('a refund', () => {
  it('up to the role’s limit is done by one person, above it proposed and done when a second one confirms (M10)', async () => {
    const { id, refund } = await givenPaid();
    const above = await refund(oleg, { amount: '50.01' });
    expect([above.status, above.body]).toEqual([
      202,
      { proposal: expect.objectContaining({ kind: 'REFUND', subjectId: id, status: 'PROPOSED', proposedBy: 'oleg' }) },
    ]);
    expect(await refunded(id)).toBe('0.00');
    expect((await decide(person('ivan'), proposalOf(above))).body).toMatchObject({
      status: 'CONFIRMED',
      decidedBy: 'ivan',
    });
    expect(await refunded(id)).toBe('50.01');
    expect((await actions(id)).sort()).toEqual(['payment.refund ivan', 'refund.confirm ivan', 'refund.propose oleg']);
    const { refund: small } = await givenPaid();
    const key = randomUUID();
    const twice = [await small(oleg, { amount: '50.00', key }), await small(oleg, { amount: '50.00', key })];
    expect(twice.map(({ status, body }) => [status, body['refundId']])).toEqual([
      [201, twice[0]?.body['refundId']],
      [201, twice[0]?.body['refundId']],
    ]);
  });

  it('a limit is not met by halves, nor by leaving the amount out (M10)', async () => {
    const { id, refund } = await givenPaid();
    expect((await refund(oleg, { amount: '30.00' })).status).toBe(201);
    const { body } = await operate('anna', 'GET', `/payments/${id}`);
    expect((await refund(oleg, { amount: '30.00', seenVersion: body['aggregateVersion'] })).status).toBe(202);
    const whole = await givenPaid();
    const { body: answer } = await whole.refund(oleg, {});
    expect((answer['proposal'] as Json)['asked']).toMatchObject({ amount: '1000.00' });
  });

  it('403 for the one who proposed, and for whoever is not independent of him (M10)', async () => {
    const { id, refund } = await givenPaid();
    const proposalId = proposalOf(await refund(person('oleg', 'anna'), { amount: '60.00' }));
    const answers = [
      await decide(oleg, proposalId),
      await decide('anna', proposalId),
      await decide(person('puppet', 'oleg'), proposalId),
      await decide({ login: 'sofia', role: 'support' }, proposalId),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(await refunded(id)).toBe('0.00');
  });

  it('of two who confirm at once one does, and the money goes back once (M10)', async () => {
    const { id, refund } = await givenPaid();
    const proposalId = proposalOf(await refund(oleg, { amount: '60.00' }));
    const both = await Promise.all([decide(person('ivan'), proposalId), decide(person('olga'), proposalId)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await refunded(id)).toBe('60.00');
    // A repeat of whoever was first is answered, and gives nothing more.
    const first = both[0].status === 200 ? 'ivan' : 'olga';
    expect((await decide(person(first), proposalId)).status).toBe(200);
    expect(await refunded(id)).toBe('60.00');
  });

  it('409 for one that was rejected, is too old, or whose payment changed since: nothing is given back (M10)', async () => {
    const first = await givenPaid();
    const rejected = proposalOf(await first.refund(oleg, { amount: '60.00' }));
    expect((await decide(oleg, rejected, 'reject')).body).toMatchObject({ status: 'REJECTED' });
    const old = proposalOf(await first.refund(oleg, { amount: '60.00' }));
    await t.rows(`update proposals set expires_at = clock_now() where proposal_id = $1`, [old]);
    const second = await givenPaid();
    const changed = proposalOf(await second.refund(oleg, { amount: '60.00' }));
    expect((await second.refund('anna', { amount: '1.00' })).status).toBe(201);
    for (const proposalId of [rejected, old, changed])
      expect(await decide(person('ivan'), proposalId)).toMatchObject({ status: 409, body: { code: 'STALE_REVISION' } });
    expect([await refunded(first.id), await refunded(second.id)]).toEqual(['0.00', '1.00']);
    const { body } = await operate('anna', 'GET', '/proposals?status=PROPOSED&limit=100');
    expect((body['items'] as Json[]).map((one) => one['proposalId'])).toEqual(expect.arrayContaining([changed, old]));
  });
});

it('a queue of proposals is read from its oldest end, page by page, and by kind', async () => {
  const { id, refund } = await givenPaid();
  const made: string[] = [];
  for (const amount of ['51.00', '52.00', '53.00']) made.push(proposalOf(await refund(oleg, { amount })));
  const filter = 'status=PROPOSED&kind=REFUND&order=oldest&limit=2';
  const seen: string[] = [];
  for (let token: string | null = ''; token !== null;) {
    const page = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`;
    const { status, body } = await operate('anna', 'GET', `/proposals?${filter}${page}`);
    expect([status, (body['items'] as Json[]).length <= 2]).toEqual([200, true]);
    seen.push(...(body['items'] as Json[]).filter((one) => one['subjectId'] === id).map((one) => String(one['proposalId'])));
    token = body['nextPageToken'] as string | null;
  }
  expect(seen).toEqual(made);
  const { body } = await operate('anna', 'GET', '/proposals?kind=FEE&limit=100');
  expect((body['items'] as Json[]).every((one) => one['kind'] === 'FEE')).toBe(true);
});

const POINT = {
  name: 'Cards',
  paymentMethods: ['CARD'],
  routeId: 'sandbox-bank',
  minAmount: '1.00',
  maxAmount: '500.00',
  feeBasisPoints: 250,
  sessionMinutes: 30,
  status: 'ACTIVE',
};
async function givenStore(): Promise<string> {
  await t.givenPartner();
  const storeId = `store-${randomUUID()}`;
  await operate('anna', 'POST', '/stores', { storeId, partnerID: `p-${randomUUID()}`, name: 'Tea' });
  return storeId;
}
const createPoint = (who: Somebody, storeId: string, paymentPointID: string, more: Json = {}) =>
  operate(who, 'POST', `/stores/${storeId}/payment-points`, { paymentPointID, ...POINT, ...more });
const newId = () => `point-${randomUUID()}`;

describe('a proposal that version 0.1.0 stored', () => {
  async function givenStored(kind: 'POINT' | 'FEE' | 'REFUND', subjectId: string, asked: Json): Promise<string> {
    const proposalId = randomUUID();
    await t.rows(
      `insert into proposals (proposal_id, kind, subject_id, asked, status, proposed_by, proposer_not_independent_of, expires_at)
       values ($1, $2, $3, $4, 'PROPOSED', 'oleg', '{}', clock_now() + interval '1 hour')`,
      [proposalId, kind, subjectId, JSON.stringify(asked)],
    );
    return proposalId;
  }
  const { status: _status, ...settings } = POINT;

  it('is shown, and carried out when a second person confirms it', async () => {
    const [storeId, point] = [await givenStore(), newId()];
    const made = await givenStored('POINT', point, { paymentPointID: point, ...settings, storeId });
    expect(await decide(person('ivan'), made)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
    const pointNow = async () => (await operate('anna', 'GET', `/payment-points/${point}`)).body;
    expect(await pointNow()).toMatchObject({ storeId, ...POINT, whenNotAuthenticated: 'ACCEPT', revision: 1 });

    const changed = await givenStored('FEE', point, { revision: 1, ...POINT, feeBasisPoints: 300 });
    expect((await decide(person('ivan'), changed)).status).toBe(200);
    expect(await pointNow()).toMatchObject({ feeBasisPoints: 300, revision: 2 });

    const { id } = await givenPaid();
    const { body } = await operate('anna', 'GET', `/payments/${id}`);
    const asked = { seenVersion: body['aggregateVersion'], amount: '60.00', reason: 'broken cup' };
    expect((await decide(person('ivan'), await givenStored('REFUND', id, asked))).status).toBe(200);
    expect(await refunded(id)).toBe('60.00');
  });

  it('400 VALIDATION_FAILED: one whose amount is missing refunds nothing', async () => {
    const { id } = await givenPaid();
    const { body } = await operate('anna', 'GET', `/payments/${id}`);
    const stored = await givenStored('REFUND', id, { seenVersion: body['aggregateVersion'], reason: 'broken cup' });
    expect(await decide(person('ivan'), stored)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: [{ field: 'amount' }] },
    });
    expect(await refunded(id)).toBe('0.00');
    expect((await decide(oleg, stored, 'reject')).body).toMatchObject({ status: 'REJECTED' });
  });
});

describe('a new point', () => {
  it('is proposed by one person and there when a second one confirms; without a fee it is made at once (M10, S4)', async () => {
    const [storeId, point] = [await givenStore(), newId()];
    const proposed = await createPoint(oleg, storeId, point, { feeBasisPoints: 10_000 });
    expect(proposed).toMatchObject({
      status: 202,
      body: { proposal: { kind: 'POINT', subjectId: point, asked: { storeId, feeBasisPoints: 10_000 } } },
    });
    expect((await operate('anna', 'GET', `/payment-points/${point}`)).status).toBe(404);
    for (const who of [oleg, person('puppet', 'oleg')]) expect((await decide(who, proposalOf(proposed))).status).toBe(403);
    expect(await decide(person('ivan'), proposalOf(proposed))).toMatchObject({
      status: 200,
      body: { status: 'CONFIRMED', proposedBy: 'oleg', decidedBy: 'ivan' },
    });
    expect((await operate('anna', 'GET', `/payment-points/${point}`)).body).toMatchObject({
      ...POINT,
      storeId,
      feeBasisPoints: 10_000,
      revision: 1,
    });
    expect(await actions(point)).toEqual(['point.create ivan', 'point.confirm ivan', 'point.propose oleg']);
    expect((await createPoint(oleg, storeId, newId(), { feeBasisPoints: 0 })).status).toBe(201);
  });

  it('one that is rejected is never made; 409 where its id was taken meanwhile (M10)', async () => {
    const [storeId, rejected, taken] = [await givenStore(), newId(), newId()];
    const first = proposalOf(await createPoint(oleg, storeId, rejected));
    expect((await decide(oleg, first, 'reject')).body).toMatchObject({ status: 'REJECTED' });
    const second = proposalOf(await createPoint(oleg, storeId, taken));
    expect((await createPoint('anna', storeId, taken, { feeBasisPoints: 0 })).status).toBe(201);
    for (const one of [first, second])
      expect(await decide(person('ivan'), one)).toMatchObject({ status: 409, body: { code: 'STALE_REVISION' } });
    expect((await operate('anna', 'GET', `/payment-points/${rejected}`)).status).toBe(404);
    expect((await operate('anna', 'GET', `/payment-points/${taken}`)).body).toMatchObject({ feeBasisPoints: 0 });
  });
});

describe('another fee', () => {
  async function givenPoint(): Promise<string> {
    const [storeId, point] = [await givenStore(), newId()];
    const proposed = await createPoint('anna', storeId, point);
    if ((await decide(person('olga'), proposalOf(proposed))).status !== 200) throw new Error('there is no point');
    return point;
  }
  const change = (who: Somebody, point: string, more: Json) =>
    operate(who, 'PUT', `/payment-points/${point}`, { revision: 1, ...POINT, ...more });
  const feeOf = async (point: string) => (await operate('anna', 'GET', `/payment-points/${point}`)).body['feeBasisPoints'];

  it('is proposed by one person and in force when a second one confirms; anything else is done at once (M10)', async () => {
    const point = await givenPoint();
    const proposed = await change(oleg, point, { feeBasisPoints: 10_000, name: 'All of it' });
    expect([proposed.status, await feeOf(point)]).toEqual([202, 250]);
    expect((await decide(oleg, proposalOf(proposed))).status).toBe(403);
    expect((await decide(person('ivan'), proposalOf(proposed))).status).toBe(200);
    expect((await operate('anna', 'GET', `/payment-points/${point}`)).body).toMatchObject({
      feeBasisPoints: 10_000,
      name: 'All of it',
      revision: 2,
    });
    expect(await actions(point)).toEqual([
      'point.change ivan',
      'fee.confirm ivan',
      'fee.propose oleg',
      'point.create olga',
      'point.confirm olga',
      'point.propose anna',
    ]);
    const other = await givenPoint();
    expect((await change(oleg, other, { name: 'Other' })).status).toBe(200);
  });

  it('409 where the point changed since, and the proposal stays one; of two who confirm at once one does (M10)', async () => {
    const point = await givenPoint();
    const proposalId = proposalOf(await change(oleg, point, { feeBasisPoints: 300 }));
    await change('anna', point, { name: 'Changed' });
    expect((await decide(person('ivan'), proposalId)).status).toBe(409);
    expect(await feeOf(point)).toBe(250);
    const again = proposalOf(await change(oleg, point, { revision: 2, feeBasisPoints: 300 }));
    const both = await Promise.all([decide(person('ivan'), again), decide(person('olga'), again)]);
    expect([both.map(({ status }) => status).sort(), await feeOf(point)]).toEqual([[200, 409], 300]);
  });

  const rule = async (point: string) => (await operate('anna', 'GET', `/payment-points/${point}`)).body['whenNotAuthenticated'];

  it('3-D Secure: buyers who are not authenticated are declined from one person’s word on, and taken again by two', async () => {
    const point = await givenPoint();
    expect(await rule(point)).toBe('ACCEPT');
    expect((await change(oleg, point, { whenNotAuthenticated: 'DECLINE' })).status).toBe(200);
    const proposed = await change(oleg, point, { revision: 2, whenNotAuthenticated: 'ACCEPT' });
    expect([proposed.status, proposed.body['proposal'], await rule(point)]).toMatchObject([
      202,
      { kind: 'AUTHENTICATION', asked: { whenNotAuthenticated: 'ACCEPT' } },
      'DECLINE',
    ]);
    expect((await decide(oleg, proposalOf(proposed))).status).toBe(403);
    expect(await rule(point)).toBe('DECLINE');
    expect((await decide(person('ivan'), proposalOf(proposed))).status).toBe(200);
    expect(await rule(point)).toBe('ACCEPT');
    expect(await actions(point)).toEqual([
      'point.change ivan',
      'authentication.confirm ivan',
      'authentication.propose oleg',
      'point.change oleg',
      'point.create olga',
      'point.confirm olga',
      'point.propose anna',
    ]);
  });

  it('3-D Secure: the rule stays as it is where a change leaves it out; another word is 400', async () => {
    const point = await givenPoint();
    await change(oleg, point, { whenNotAuthenticated: 'DECLINE' });
    expect((await change(oleg, point, { revision: 2, name: 'Other' })).status).toBe(200);
    expect(await rule(point)).toBe('DECLINE');
    expect((await change(oleg, point, { revision: 3, whenNotAuthenticated: 'ASK' })).status).toBe(400);
    expect(await rule(point)).toBe('DECLINE');
  });

  it('404 for no proposal', async () => {
    for (const id of [randomUUID(), 'none']) expect((await decide(oleg, id)).status).toBe(404);
  });
});
