import { WithdrawalFact } from '@pay/contract/messages.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { startTestApp, type Answer, type Funded, type Json, type TestApp } from '../../../test/app.ts';
import { holdIssued } from '../../db/beneficiaries.ts';

let t: TestApp;
let own: Funded;
let id: string;
beforeAll(async () => {
  t = await startTestApp();
});
beforeEach(async () => {
  own = await t.givenPartner();
  id = await t.givenRequest(own, '10');
});
afterAll(() => t.close());

const USDT = 1_000_000n;
const read = async () => (await t.call('GET', `/api/withdrawal-requests/${id}`, { partner: own.partner })).body;
const walk = async (...steps: [operator: string, action: string][]) => {
  for (const [operator, action] of steps) {
    const answer = await t.act(operator, id, action);
    if (answer.status !== 200) throw new Error(`${action}: ${answer.text}`);
  }
};
const amounts = async () => {
  const { available, reserved, paid } = await t.balance(own.storeId);
  return [available / USDT, reserved / USDT, paid / USDT];
};

describe('an operator', () => {
  it('19.4: each state change is a fact, in the transaction that made it; taking again is none', async () => {
    const told = async () =>
      (await t.rows('select type, payload from outbox where aggregate_id = $1 order by position', [id])).map(
        ({ type, payload }) => [type, WithdrawalFact.parse(payload)] as const,
      );
    await walk(['olga', 'take'], ['olga', 'take'], ['olga', 'approve']);
    await t.act('ivan', id, 'complete', { transferReference: `tx-${id}` });
    expect((await told()).map(([type, fact]) => [type, fact.aggregateVersion, fact.status])).toEqual([
      ['withdrawal.requested', 1, 'REQUESTED'],
      ['withdrawal.in_review', 2, 'IN_REVIEW'],
      ['withdrawal.approved', 3, 'APPROVED'],
      ['withdrawal.completed', 4, 'COMPLETED'],
    ]);
    expect((await told()).at(-1)?.[1]).toMatchObject({ transferReference: `tx-${id}`, withdrawalRequestId: id });
  });

  it('takes, approves, and another confirms the transfer: the reserve is spent, the partner reads it', async () => {
    await walk(['olga', 'take'], ['olga', 'approve']);
    const transferReference = randomBytes(32).toString('hex');
    const done = await t.act('ivan', id, 'complete', { transferReference });
    expect(done.body).toMatchObject({ status: 'COMPLETED', revision: 4, reviewedBy: 'olga', completedBy: 'ivan' });
    expect(await read()).toMatchObject({
      status: 'COMPLETED',
      transferReference,
      reviewedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    expect(await amounts()).toEqual([90n, 0n, 10n]);
  });

  it.each<[string, [string, string][], string]>([
    ['rejected before review', [['olga', 'reject']], 'REJECTED'],
    [
      'rejected under review',
      [
        ['olga', 'take'],
        ['olga', 'reject'],
      ],
      'REJECTED',
    ],
    ['cancelled', [['olga', 'cancel']], 'CANCELLED'],
    [
      'failed after approval',
      [
        ['olga', 'take'],
        ['olga', 'approve'],
        ['ivan', 'fail'],
      ],
      'FAILED',
    ],
  ])('%s: the reserve is free again, and the partner reads why', async (_title, steps, status) => {
    await walk(...steps);
    expect(await read()).toMatchObject({ status, statusReason: 'as agreed by phone' });
    expect(await amounts()).toEqual([100n, 0n, 0n]);
  });

  it('of twenty actions at once on one revision exactly one is done; the others get 409 and the newer state (G06)', async () => {
    await walk(['olga', 'take']);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => t.act('olga', id, n % 2 === 0 ? 'approve' : 'reject', { revision: 2 })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(19);
    expect(new Set(refused.map(({ status, body }) => `${String(status)} ${String(body['code'])}`))).toEqual(
      new Set(['409 STALE_REVISION']),
    );
    expect(refused[0]?.body['current']).toMatchObject({ withdrawalRequestId: id, revision: 3 });
  });

  it('403: nobody but the one who took it decides, until that runs out; then another may take it', async () => {
    await walk(['olga', 'take']);
    const others = [await t.act('ivan', id, 'approve'), await t.act('ivan', id, 'reject'), await t.act('ivan', id, 'take')];
    expect(others.map(({ status }) => status)).toEqual([403, 403, 403]);
    await t.moveClock('31 minutes');
    expect((await t.act('olga', id, 'approve')).status).toBe(403);
    await walk(['ivan', 'take'], ['ivan', 'approve']);
    expect(await read()).toMatchObject({ status: 'APPROVED' });
  });

  it('403 for the one who approved: another person confirms the transfer (G07)', async () => {
    await walk(['olga', 'take'], ['olga', 'approve']);
    expect((await t.act('olga', id, 'complete')).status).toBe(403);
    expect(await amounts()).toEqual([90n, 10n, 0n]);
  });

  it('403 for the one who approved: that nothing was transferred is said by another person, too (S4)', async () => {
    await walk(['olga', 'take'], ['olga', 'approve']);
    expect((await t.act('olga', id, 'fail')).status).toBe(403);
    expect(await amounts()).toEqual([90n, 10n, 0n]);
    expect((await t.act('ivan', id, 'fail')).body).toMatchObject({ status: 'FAILED', failedBy: 'ivan' });
  });

  it.each(['complete', 'fail'])('403 %s by whoever the approver made within a day, and the other way round (S4)', async (action) => {
    await walk(['olga', 'take']);
    const approver = { login: 'olga', notIndependentOf: ['anna'] };
    expect((await t.act(approver, id, 'approve')).status).toBe(200);
    const puppet = { login: 'puppet', notIndependentOf: ['olga'] };
    expect([(await t.act(puppet, id, action)).status, (await t.act('anna', id, action)).status]).toEqual([403, 403]);
    expect(await amounts()).toEqual([90n, 10n, 0n]);
    expect((await t.act('ivan', id, action)).status).toBe(200);
  });

  it.each(['support', 'operator'] as const)('403 for %s, whatever the console says (S4)', async (role) => {
    const somebody = { login: 'sofia', role };
    expect((await t.act(somebody, id, 'take')).status).toBe(403);
    expect((await t.operate(somebody, 'POST', `/fundings/${randomUUID()}/confirm`)).status).toBe(403);
  });

  it('one transfer pays one request, however its hash is written', async () => {
    const transferReference = randomBytes(32).toString('hex');
    await walk(['olga', 'take'], ['olga', 'approve']);
    await t.act('ivan', id, 'complete', { transferReference });
    id = await t.givenRequest(own, '10');
    await walk(['olga', 'take'], ['olga', 'approve']);
    const again = await t.act('ivan', id, 'complete', { transferReference: transferReference.toUpperCase() });
    expect([again.status, again.body['details']]).toEqual([400, [expect.objectContaining({ field: 'transferReference' })]]);
    expect(await amounts()).toEqual([80n, 10n, 10n]);
  });

  it.each([
    ['a wallet address', `0x${'aB'.repeat(20)}`],
    ['nothing', ''],
    ['blanks', 'hash of today'],
  ])('400 for %s as a transfer reference', async (_title, transferReference) => {
    await walk(['olga', 'take'], ['olga', 'approve']);
    expect((await t.act('ivan', id, 'complete', { transferReference })).status).toBe(400);
  });

  it.each([
    ['a hash of Ethereum for TRON', 'TRON', `0x${'a1'.repeat(32)}`],
    ['a hash that lost a digit', 'TRON', 'a1'.repeat(32).slice(1)],
    ['a hash of TRON for Ethereum', 'ETHEREUM', 'a1'.repeat(32)],
    ['a hash that lost a digit, without a network', undefined, 'a1'.repeat(32).slice(1)],
  ])('400 for %s as a transfer reference', async (_title, network, transferReference) => {
    await walk(['olga', 'take'], ['olga', 'approve']);
    const refused = await t.act('ivan', id, 'complete', {
      transferReference,
      ...(network === undefined ? {} : { network }),
    });
    expect([refused.status, refused.body['details']]).toEqual([400, [expect.objectContaining({ field: 'transferReference' })]]);
    expect(await amounts()).toEqual([90n, 10n, 0n]);
  });

  it('confirms a transfer on Ethereum', async () => {
    await walk(['olga', 'take'], ['olga', 'approve']);
    const transferReference = `0x${randomBytes(32).toString('hex')}`;
    const done = await t.act('ivan', id, 'complete', { transferReference, network: 'ETHEREUM' });
    expect([done.status, done.body['transferReference']]).toEqual([200, transferReference]);
  });

  it.each(['approve', 'complete', 'fail'])('400 for %s on a request that is REQUESTED: there is no such move', async (action) => {
    expect((await t.act('olga', id, action)).status).toBe(400);
    expect(await read()).toMatchObject({ status: 'REQUESTED' });
  });

  it('400 without a revision or a reason', async () => {
    const answers = [
      await t.operate('olga', 'POST', `/withdrawals/${id}/take`, {}),
      await t.operate('olga', 'POST', `/withdrawals/${id}/reject`, { revision: 1 }),
      await t.operate('olga', 'POST', `/withdrawals/${id}/take`, { revision: '1' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it('401 without an operator’s token; 404 for an unknown request', async () => {
    const partners = await t.call('GET', '/withdrawals', { partner: own.partner });
    const unknown = await t.operate('olga', 'POST', `/withdrawals/${randomUUID()}/take`, { revision: 1 });
    expect([partners.status, unknown.status]).toEqual([404, 404]);
  });

  it('leaves who, when, before and after, which the service itself cannot change', async () => {
    await walk(['olga', 'take'], ['olga', 'approve']);
    const { body } = await t.operate('ivan', 'GET', `/withdrawals/${id}`);
    expect(body['history']).toEqual([
      expect.objectContaining({ operator: 'olga', action: 'withdrawal.approve', at: expect.any(String) }),
      expect.objectContaining({
        action: 'withdrawal.take',
        before: expect.objectContaining({ status: 'REQUESTED', revision: 1 }),
        after: expect.objectContaining({ status: 'IN_REVIEW', revision: 2, takenBy: 'olga' }),
      }),
    ]);
    const { body: audit } = await t.operate('ivan', 'GET', `/partners/${own.partner}/audit`);
    expect((audit['items'] as Json[]).map((row) => row['action'])).toEqual([
      'withdrawal.approve',
      'withdrawal.take',
      'funding.confirm',
      'funding.propose',
      'beneficiary.issue',
      'beneficiary.propose',
    ]);
  });

  it.each([
    ['newest first', ''],
    ['newest first, asked for by name', '&order=newest'],
    ['oldest first', '&order=oldest'],
  ])('lists requests by status, page by page, %s', async (_title, order) => {
    const second = await t.givenRequest(own, '1');
    const query = `?partnerID=${own.partner}&status=REQUESTED&limit=1${order}`;
    const first = await t.operate('olga', 'GET', `/withdrawals${query}`);
    const next = await t.operate('olga', 'GET', `/withdrawals${query}&pageToken=${String(first.body['nextPageToken'])}`);
    const found = [first, next].flatMap(({ body }) => body['items'] as Json[]);
    expect(found.map((item) => item['withdrawalRequestId'])).toEqual(order === '&order=oldest' ? [id, second] : [second, id]);
    expect(next.body['nextPageToken']).toBeNull();
  });

  it('finds a request by six digits that its id begins with; 400 for fewer', async () => {
    const second = await t.givenRequest(own, '1');
    const { body } = await t.operate('olga', 'GET', `/withdrawals?partnerID=${own.partner}&id=${second.slice(0, 23)}`);
    expect((body['items'] as Json[]).map((item) => item['withdrawalRequestId'])).toEqual([second]);
    expect((await t.operate('olga', 'GET', '/withdrawals?id=12345')).status).toBe(400);
  });

  it('400 for a page token of the other order', async () => {
    await t.givenRequest(own, '1');
    const query = `?partnerID=${own.partner}&limit=1`;
    const first = await t.operate('olga', 'GET', `/withdrawals${query}&order=oldest`);
    const token = String(first.body['nextPageToken']);
    expect((await t.operate('olga', 'GET', `/withdrawals${query}&pageToken=${token}`)).status).toBe(400);
  });
});

describe('funding', () => {
  const proposal = (change: Json = {}) => ({
    amountUsdt: '10.000000',
    amountRub: '812.35',
    rate: '81.2345',
    reference: `settlement ${randomUUID()}`,
    ...change,
  });
  const propose = (body: Json) => t.operate('olga', 'POST', `/stores/${own.storeId}/fundings`, body);

  it('credits when a second person confirms, and only once', async () => {
    const proposed = await propose(proposal());
    expect(await t.balance(own.storeId)).toMatchObject({ credited: 100n * USDT });
    const path = `/fundings/${String(proposed.body['fundingId'])}`;
    const alone = await t.operate('olga', 'POST', `${path}/confirm`);
    const confirmed = await Promise.all(['ivan', 'anna', 'ivan'].map((who) => t.operate(who, 'POST', `${path}/confirm`)));
    const late = await t.operate('anna', 'POST', `${path}/reject`);
    expect(alone.status).toBe(403);
    expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect([late.status, late.body['code']]).toEqual([409, 'STALE_REVISION']);
    expect(await t.balance(own.storeId)).toMatchObject({ credited: 110n * USDT, available: 100n * USDT });
  });

  it('403 for a second person who is not independent of the first (S4)', async () => {
    const { body } = await t.operate({ login: 'olga', notIndependentOf: ['anna'] }, 'POST', `/stores/${own.storeId}/fundings`, proposal());
    const path = `/fundings/${String(body['fundingId'])}/confirm`;
    const puppet = { login: 'puppet', notIndependentOf: ['olga'] };
    expect([(await t.operate(puppet, 'POST', path)).status, (await t.operate('anna', 'POST', path)).status]).toEqual([403, 403]);
    expect(await t.balance(own.storeId)).toMatchObject({ credited: 100n * USDT });
    expect((await t.operate('ivan', 'POST', path)).status).toBe(200);
  });

  it('one settlement is credited once; a rejected proposal may be made again', async () => {
    const body = proposal();
    const first = await propose(body);
    expect((await propose(body)).status).toBe(400);
    await t.operate('olga', 'POST', `/fundings/${String(first.body['fundingId'])}/reject`);
    expect((await propose(body)).status).toBe(201);
    const { body: list } = await t.operate('olga', 'GET', `/fundings?storeId=${own.storeId}&limit=2`);
    expect((list['items'] as Json[]).map((item) => item['status'])).toEqual(['PROPOSED', 'REJECTED']);
  });

  it.each([
    ['a counterpart that is not the amount at the rate', { amountRub: '812.40' }],
    ['a JSON number', { amountUsdt: 10 }],
    ['no reference', { reference: ' ' }],
    ['a wallet address as the reference', { reference: `0x${'ab'.repeat(20)}` }],
  ])('400 for %s', async (_title, change) => {
    expect((await propose(proposal(change))).status).toBe(400);
  });

  it('404 for an unknown store', async () => {
    expect((await t.operate('olga', 'POST', '/stores/nowhere/fundings', proposal())).status).toBe(404);
  });
});

describe('recipients', () => {
  const path = () => `/partners/${own.partner}/beneficiaries`;
  const propose = async (who: Parameters<TestApp['operate']>[0] = 'oleg') =>
    String((await t.operate(who, 'POST', path(), { label: 'Second' })).body['beneficiaryRef']);
  const decide = (who: Parameters<TestApp['operate']>[0], reference: string, how = 'confirm') =>
    t.operate(who, 'POST', `/beneficiaries/${reference}/${how}`);
  const request = (beneficiaryRef: string) => t.request({ ...own, beneficiaryRef }, '1');

  it('are proposed by one person and can be used when a second one has confirmed (M10)', async () => {
    const reference = await propose();
    expect((await request(reference)).status).toBe(404);
    expect((await decide('ivan', reference)).body).toMatchObject({
      status: 'ISSUED',
      issuedBy: 'oleg',
      decidedBy: 'ivan',
    });
    expect((await request(reference)).status).toBe(201);
    const { body: list } = await t.operate('olga', 'GET', path());
    expect((list['items'] as Json[]).map((item) => item['label']).sort()).toEqual(['Main', 'Second']);
  });

  it('403 for the one who proposed, and for whoever is not independent of him (M10)', async () => {
    const reference = await propose({ login: 'oleg', notIndependentOf: ['anna'] });
    const answers = [
      await decide('oleg', reference),
      await decide('anna', reference),
      await decide({ login: 'puppet', notIndependentOf: ['oleg'] }, reference),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await request(reference)).status).toBe(404);
  });

  it('of two who confirm at once one does; what was rejected or is too old is confirmed by nobody (M10)', async () => {
    const reference = await propose();
    const both = await Promise.all(['ivan', 'olga'].map((who) => decide(who, reference)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const rejected = await propose();
    expect((await decide('oleg', rejected, 'reject')).body).toMatchObject({ status: 'REJECTED' });
    expect((await decide('ivan', rejected)).status).toBe(409);
    const old = await propose();
    await t.moveClock('73 hours');
    expect((await decide('ivan', old)).status).toBe(409);
    expect((await request(old)).status).toBe(404);
  });

  it('each step leaves a row, before and after (M10)', async () => {
    const reference = await propose();
    await decide('ivan', reference);
    const { body } = await t.operate('olga', 'GET', `/partners/${own.partner}/audit`);
    const rows = (body['items'] as Json[]).filter((row) => row['subjectId'] === reference);
    expect(rows.map(({ action, operator, before, after }) => ({ action, operator, before, after }))).toEqual([
      {
        action: 'beneficiary.issue',
        operator: 'ivan',
        before: { status: 'PROPOSED', label: 'Second' },
        after: { status: 'ISSUED', label: 'Second' },
      },
      { action: 'beneficiary.propose', operator: 'oleg', before: null, after: { status: 'PROPOSED', label: 'Second' } },
    ]);
  });

  it('are revoked by one person, at once and for good: nothing is requested or approved any more, and what was transferred can be recorded', async () => {
    const reference = await propose();
    const revoke = (body: Json = { reason: 'the partner reports a theft' }) =>
      t.operate('oleg', 'POST', `/beneficiaries/${reference}/revoke`, body);
    expect((await revoke()).body).toMatchObject({ code: 'STALE_REVISION', current: { status: 'PROPOSED' } });
    await decide('ivan', reference);
    const [reviewed, approved] = [await request(reference), await request(reference)].map(({ body }) =>
      String(body['withdrawalRequestId']),
    ) as [string, string];
    for (const id of [reviewed, approved]) await t.act('olga', id, 'take');
    await t.act('olga', approved, 'approve');
    expect((await revoke({ reason: '' })).status).toBe(400);

    expect((await revoke()).body).toMatchObject({
      status: 'REVOKED',
      decidedBy: 'ivan',
      revokedBy: 'oleg',
      revokedAt: expect.any(String),
      revokeReason: 'the partner reports a theft',
    });
    expect((await revoke()).body).toMatchObject({ code: 'STALE_REVISION', current: { status: 'REVOKED' } });
    expect((await decide('ivan', reference)).status).toBe(409);
    expect((await request(reference)).status).toBe(404);
    const refused = await t.act('olga', reviewed, 'approve');
    expect(refused).toMatchObject({ status: 400, body: { details: [{ field: 'status' }] } });
    expect((await t.act('olga', reviewed, 'reject')).body).toMatchObject({ status: 'REJECTED' });
    expect((await t.act('ivan', approved, 'complete')).body).toMatchObject({ status: 'COMPLETED' });
    const { body } = await t.operate('olga', 'GET', `/partners/${own.partner}/audit`);
    expect((body['items'] as Json[]).find(({ action }) => action === 'beneficiary.revoke')).toMatchObject({
      operator: 'oleg',
      before: { status: 'ISSUED' },
      after: { status: 'REVOKED', label: 'Second', reason: 'the partner reports a theft' },
    });
  });

  /** As a version that does not look at the recipient. */
  const approveUnseen = `update withdrawals set status = 'APPROVED', reviewed_by = 'olga', reviewed_at = now() where withdrawal_request_id = `;

  it('a version that approves without a look at the recipient is refused by the database', async () => {
    const reference = await propose();
    await decide('ivan', reference);
    const asked = String((await request(reference)).body['withdrawalRequestId']);
    await t.operate('oleg', 'POST', `/beneficiaries/${reference}/revoke`, { reason: 'stolen' });
    await expect(t.rows(`${approveUnseen} $1`, [asked])).rejects.toThrow('the recipient is not issued');
  });

  it.each(['a request', 'an approval'])(
    '%s that is under way goes first: who has revoked a recipient sees everything that was asked of it',
    async (what) => {
      const reference = await propose();
      await decide('ivan', reference);
      const asked = String((await request(reference)).body['withdrawalRequestId']);
      const revoked: Promise<Answer>[] = [];
      await t.deps.db.transaction(async (tx) => {
        if (what === 'a request') await holdIssued(tx, own.partner, reference);
        else await tx.execute(sql`${sql.raw(approveUnseen)} ${asked}`);
        revoked.push(t.operate('oleg', 'POST', `/beneficiaries/${reference}/revoke`, { reason: 'stolen' }));
        await t.untilBlocked(1);
        expect((await t.operate('olga', 'GET', path())).body['items']).toContainEqual(
          expect.objectContaining({ beneficiaryRef: reference, status: 'ISSUED' }),
        );
      });
      expect((await Promise.all(revoked))[0]?.status).toBe(200);
    },
  );
});
