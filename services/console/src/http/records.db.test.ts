import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestConsole, type TestConsole } from '../../test/app.ts';

/** What administrators and finance look up afterwards: actions, sessions, and every list as a file. */
let t: TestConsole;
let admin: string;
beforeAll(async () => {
  t = await startTestConsole();
  admin = await t.cookieOf('admin');
});
beforeEach(() => {
  t.answer = () => ({ status: 200, text: '{}' });
});
afterAll(() => t.close());

const PAYMENT = '9c879efc-0e7d-4a0c-b214-7a10396128b2';
const suspend = (partner: string) => t.call('POST', `/api/gateway/partners/${partner}/suspend`, { cookie: admin, body: {} });
const actionsOf = async (query: string) =>
  (await t.call('GET', `/api/audited-actions?${query}`, { cookie: admin })).body['items'] as Record<string, unknown>[];

describe('the audited actions', () => {
  it('are one each: what was before, what was asked, and what came of it', async () => {
    t.answer = ({ method }) => ({
      status: 200,
      text: JSON.stringify({ status: method === 'GET' ? 'ACTIVE' : 'SUSPENDED' }),
    });
    await suspend('one');
    expect(await t.rows("select kind from audit where subject_id = 'one'")).toHaveLength(2);
    expect(await actionsOf('subjectId=one')).toEqual([
      {
        position: expect.any(String),
        at: expect.any(String),
        requestId: expect.any(String),
        operator: 'admin@example.com',
        role: 'admin',
        action: 'partners.suspend',
        subjectId: 'one',
        status: 200,
        before: { status: 'ACTIVE' },
        requested: {},
        after: { status: 'SUSPENDED' },
      },
    ]);
  });

  it('without an answer are there too, as long as nobody knows the result', async () => {
    const held = Promise.withResolvers<undefined>();
    const arrived = Promise.withResolvers<undefined>();
    t.answer = async ({ method }) => {
      if (method === 'GET') return { status: 200, text: '{}' };
      arrived.resolve(undefined);
      await held.promise;
      return { status: 409, text: '{}' };
    };
    const answered = suspend('two');
    await arrived.promise;
    expect(await actionsOf('subjectId=two')).toMatchObject([{ status: null, requested: {}, after: null }]);
    held.resolve(undefined);
    await answered;
    expect(await actionsOf('subjectId=two')).toMatchObject([{ status: 409, requested: {} }]);
  });

  it('go page by page, and none is lost or twice', async () => {
    for (const name of ['a', 'b', 'c']) await suspend(`page-${name}`);
    const first = await t.call('GET', '/api/audited-actions?action=partners.suspend&limit=2', { cookie: admin });
    const next = await t.call('GET', `/api/audited-actions?action=partners.suspend&limit=2&before=${String(first.body['nextPageToken'])}`, {
      cookie: admin,
    });
    const subjects = [first, next].flatMap(({ body }) => (body['items'] as { subjectId: string }[]).map(({ subjectId }) => subjectId));
    expect(subjects.slice(0, 3)).toEqual(['page-c', 'page-b', 'page-a']);
  });

  it('are a file with the same filters, and taking it is an action', async () => {
    await suspend('filed');
    const { text, headers } = await t.call('GET', '/api/audited-actions.csv?subjectId=filed', { cookie: admin });
    const [header, line, end] = text.split('\r\n');
    expect(header).toBe('at,operator,role,action,subjectId,status,before,requested,after,requestId');
    expect([line?.includes(',admin@example.com,admin,partners.suspend,filed,200,'), end]).toEqual([true, '']);
    expect(headers.get('content-disposition')).toContain('audit.csv');
    expect(await actionsOf('action=audit.export')).toMatchObject([
      { status: 200, requested: { filter: { subjectId: 'filed' } }, after: { rows: 1, isComplete: true } },
    ]);
  });
});

describe('sessions', () => {
  const sessions = async () =>
    (await t.call('GET', '/api/sessions', { cookie: admin })).body['items'] as { sessionId: string; login: string; isOwn: boolean }[];

  it('are listed with their address and times, never with their token, and one of them is ended', async () => {
    const support = await t.cookieOf('support');
    const all = await sessions();
    const theirs = all.find(({ login }) => login === 'support@example.com');
    expect(all.filter(({ isOwn }) => isOwn).map(({ login }) => login)).toEqual(['admin@example.com']);
    const tokens = (await t.rows('select token from sessions')).map(({ token }) => String(token));
    expect(tokens.filter((token) => JSON.stringify(all).includes(token))).toEqual([]);
    expect(theirs).toMatchObject({ address: '127.0.0.1', signedInAt: expect.any(String), endsAt: expect.any(String) });

    const path = `/api/sessions/${theirs?.sessionId ?? ''}/end`;
    expect((await t.call('POST', path, { cookie: admin })).status).toBe(200);
    expect((await t.call('GET', '/api/session', { cookie: support })).status).toBe(401);
    expect((await t.call('POST', path, { cookie: admin })).status).toBe(404);
    expect(await actionsOf('action=sessions.end')).toMatchObject([{ subjectId: 'support@example.com', status: 200 }]);
  });
});

describe('a list as a file', () => {
  it.each([
    [
      'partners',
      'gateway',
      '/partners',
      { partnerID: 'p', name: 'Shop', status: 'ACTIVE', ratePerSecond: 5, burst: 9, createdAt: 'c', updatedAt: 'u', keys: [] },
      'p,Shop,ACTIVE,5,9,c,u',
    ],
    [
      'routes',
      'payments',
      '/routes',
      { routeId: 'r', connector: 'b', status: 'ACTIVE', minAmount: '1.00', maxAmount: '2.00', createdAt: 'c' },
      'r,b,ACTIVE,1.00,2.00,c',
    ],
    [
      'fundings',
      'withdrawals',
      '/fundings?limit=100',
      {
        fundingId: 'f',
        storeId: 's',
        status: 'PROPOSED',
        amountUsdt: '1.000000',
        amountRub: '80.00',
        rate: '80.000000',
        reference: '=x',
        proposedBy: 'o',
        decidedBy: null,
        decidedAt: null,
        createdAt: 'c',
      },
      "f,s,PROPOSED,1.000000,80.00,80.000000,'=x,o,,,c",
    ],
    [
      'proposals',
      'payments',
      '/proposals?limit=100',
      {
        proposalId: 'i',
        kind: 'REFUND',
        subjectId: PAYMENT,
        asked: { amount: '1.00' },
        status: 'PROPOSED',
        proposedBy: 'o',
        decidedBy: null,
        decidedAt: null,
        expiresAt: 'e',
        createdAt: 'c',
      },
      `i,REFUND,${PAYMENT},PROPOSED,"{""amount"":""1.00""}",o,,,e,c`,
    ],
    [
      'reconciliations',
      'payments',
      '/reconciliations?limit=100',
      {
        routeId: 'r',
        date: '2026-11-21',
        status: 'DONE',
        bankTotal: '-1.00',
        ourTotal: '1.00',
        difference: null,
        requestedBy: null,
        startedAt: 's',
        completedAt: null,
        counts: {},
      },
      'r,2026-11-21,DONE,-1.00,1.00,,,s,',
    ],
    [
      'held-back-cards',
      'payments',
      '/held-back-cards',
      { paymentPointId: 'p', rule: 'bin', cards: 3, addresses: 2, bins: 1, counting: 0, lastAt: 'l' },
      'p,bin,3,2,1,0,l',
    ],
    [
      'notifier-dead-letters',
      'notifier',
      '/dead-letters?limit=100',
      {
        deadLetterId: 'd',
        messageId: 'm',
        type: 't',
        aggregateId: 'a',
        occurredAt: 'o',
        status: 'WAITING',
        attemptCount: 2,
        lastError: 'no',
        diedAt: 'x',
        redrivenBy: null,
        redrivenAt: null,
      },
      'd,m,t,a,o,WAITING,2,no,x,,',
    ],
  ])('%s: all that the service lists, on record', async (name, service, path, item, line) => {
    const from = t.received.length;
    t.answer = () => ({ status: 200, text: JSON.stringify({ items: [item], nextPageToken: null }) });
    const { status, text } = await t.call('GET', `/api/${name}.csv`, { cookie: admin });
    expect([status, text.split('\r\n')[1]]).toEqual([200, line]);
    expect(t.received.slice(from).map((one) => [one.service, one.path])).toEqual([[service, path]]);
    expect(await actionsOf(`subjectId=${name}&limit=1`)).toMatchObject([{ status: 200, after: { rows: 1 } }]);
  });

  it('operators: with their roles and second factors', async () => {
    const { text } = await t.call('GET', '/api/operators.csv', { cookie: admin });
    expect(text.split('\r\n')[0]).toBe('login,name,role,secondFactor,passkey,disabledAt,createdAt');
    expect(text).toContain('\nfinance@example.com,finance,finance,no,no,,');
  });
});
