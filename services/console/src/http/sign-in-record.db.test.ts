import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cookiesOf, startTestConsole, type TestConsole } from '../../test/app.ts';

let t: TestConsole;
beforeAll(async () => {
  t = await startTestConsole();
});
beforeEach(() => t.rows('delete from rate_limits'));
afterAll(() => t.close());

const LOGIN = 'finance@example.com';

/** What the audit log got from `work`. */
async function recorded(work: () => Promise<unknown>): Promise<Readonly<Record<string, unknown>>[]> {
  const [last] = await t.rows('select coalesce(max(position), 0) as position from audit');
  await work();
  return t.rows(`select operator, role, action, subject_id, kind, status, after from audit where position > $1 order by position`, [
    last?.['position'],
  ]);
}

describe('what is on record (M2)', () => {
  it('a sign-in, and a sign-out (M2)', async () => {
    const rows = await recorded(async () => {
      const cookie = cookiesOf(await t.signIn(LOGIN));
      await t.call('POST', '/api/auth/sign-out', { cookie, body: {} });
    });
    const who = { operator: LOGIN, role: 'finance', subject_id: LOGIN, kind: 'ANSWERED', status: 200 };
    const address = '127.0.0.1';
    expect(rows).toEqual([
      { ...who, action: 'session.sign-in', after: { address, factor: 'password' } },
      { ...who, action: 'session.sign-out', after: { address } },
    ]);
  });

  it('a sign-in that failed, without the password (M2)', async () => {
    const rows = await recorded(() => t.signIn(LOGIN, 'wrong-password-1'));
    expect(rows).toEqual([
      {
        operator: LOGIN,
        role: 'finance',
        action: 'session.sign-in',
        subject_id: LOGIN,
        kind: 'ANSWERED',
        status: 401,
        after: { address: '127.0.0.1', factor: 'password', reason: 'INVALID_EMAIL_OR_PASSWORD' },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('wrong-password-1');
  });

  it('a login that is nobody’s may be a password: a marker stands for it, the same each time (M2)', async () => {
    const rows = await recorded(async () => {
      await t.signIn('hunter2-is-my-password@example.com', 'whatever-it-was');
      await t.signIn('Hunter2-is-my-password@example.com', 'whatever-it-is');
    });
    expect(rows.map(({ role, status }) => [role, status])).toEqual([
      ['none', 401],
      ['none', 401],
    ]);
    expect(rows[0]?.['operator']).toMatch(/^unknown:[0-9a-f]{12}$/);
    expect(rows[1]?.['operator']).toBe(rows[0]?.['operator']);
    expect(JSON.stringify(await t.rows('select * from audit'))).not.toMatch(/hunter2|whatever/i);
  });

  it('what is refused for being too much is not: the audit log does not grow as fast as somebody asks (M2)', async () => {
    const rows = await recorded(async () => {
      for (let index = 0; index < 12; index += 1) await t.signIn('operator@example.com', 'wrong-password-1');
    });
    expect(rows.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  it('a change of one’s password and of one’s second factor, asked and answered, without any secret (M2)', async () => {
    const cookie = cookiesOf(await t.signIn('support@example.com'));
    let kept = '';
    const rows = await recorded(async () => {
      const newPassword = 'another long password';
      const body = { currentPassword: t.password, newPassword };
      const changed = await t.call('POST', '/api/auth/change-password', { cookie, body });
      const own = { cookie: cookiesOf(changed), body: { password: newPassword } };
      kept = (await t.call('POST', '/api/auth/two-factor/enable', own)).text;
      await t.call('POST', '/api/auth/two-factor/verify-totp', { cookie: own.cookie, body: { code: '000000' } });
    });
    expect(rows.map(({ action, kind, status }) => [action, kind, status])).toEqual([
      ['password.change', 'ASKED', null],
      ['password.change', 'ANSWERED', 200],
      ['factor.set-up', 'ASKED', null],
      ['factor.set-up', 'ANSWERED', 200],
      ['factor.confirm', 'ANSWERED', 401],
    ]);
    expect(rows.every(({ operator }) => operator === 'support@example.com')).toBe(true);
    const { totpURI, backupCodes } = JSON.parse(kept) as { totpURI: string; backupCodes: string[] };
    const secrets = [t.password, 'another long password', new URL(totpURI).searchParams.get('secret'), ...backupCodes];
    const auditLog = JSON.stringify(rows);
    for (const one of secrets) expect(auditLog).not.toContain(one);
  });

  it('an export, with its filter and the rows that left, and without the id that was searched for: it may be a buyer (M2)', async () => {
    const payment = Object.fromEntries(
      ['paymentId', 'status', 'method', 'amount', 'refundedAmount', 'currency', 'partnerID', 'paymentPointID']
        .concat(['merchantOrderId', 'customerId', 'description', 'routeId', 'createdAt', 'updatedAt'])
        .map((name) => [name, 'x']),
    );
    t.answer = ({ path }) => ({
      status: 200,
      text: JSON.stringify(
        path.includes('pageToken') ? { items: [payment], nextPageToken: null } : { items: [payment, payment], nextPageToken: 'next' },
      ),
    });
    const cookie = await t.cookieOf('admin');
    const rows = await recorded(() => t.call('GET', '/api/payments.csv?status=COMPLETED&partnerID=p1&id=buyer-4711', { cookie }));
    expect(
      rows.map(({ operator, action, subject_id, kind, status, after }) => [operator, action, subject_id, kind, status, after]),
    ).toEqual([
      [
        'admin@example.com',
        'payments.export',
        'payments',
        'ASKED',
        null,
        { filter: { status: 'COMPLETED', partnerID: 'p1', id: 'one id' } },
      ],
      ['admin@example.com', 'payments.export', 'payments', 'ANSWERED', 200, { rows: 3, isComplete: true }],
    ]);
  });

  it('an export of events and of exceptions is on record like any other (M2)', async () => {
    const event = {
      eventId: 'e1',
      type: 'payment.completed',
      status: 'DELIVERED',
      partnerId: 'p1',
      aggregateId: 'a1',
      aggregateVersion: 1,
      attemptCount: 2,
      recordedAt: 'then',
    };
    const exception = {
      exceptionId: 'x1',
      kind: 'PAID_TWICE',
      status: 'OPEN',
      reason: 'twice',
      bank: { status: 'PAID', amount: '10.50' },
      ours: { status: null, amount: null },
      createdAt: 'then',
    };
    t.answer = ({ path }) => ({
      status: 200,
      text: JSON.stringify({ items: [path.startsWith('/events') ? event : exception], nextPageToken: null }),
    });
    const cookie = await t.cookieOf('admin');
    const texts: string[] = [];
    const rows = await recorded(async () => {
      for (const list of ['events', 'exceptions']) texts.push((await t.call('GET', `/api/${list}.csv?status=OPEN`, { cookie })).text);
    });
    expect(rows.map(({ action, kind, after }) => [action, kind, after])).toEqual([
      ['deliveries.export', 'ASKED', { filter: { status: 'OPEN' } }],
      ['deliveries.export', 'ANSWERED', { rows: 1, isComplete: true }],
      ['exceptions.export', 'ASKED', { filter: { status: 'OPEN' } }],
      ['exceptions.export', 'ANSWERED', { rows: 1, isComplete: true }],
    ]);
    expect(texts[0]).toContain('e1,payment.completed,DELIVERED,p1,a1,1,2,then');
    expect(texts[1]).toContain('PAID 10.50');
  });

  it('an export that broke off, with the rows that left until then (M2)', async () => {
    t.answer = ({ path }) =>
      path.includes('pageToken') ? { status: 503, text: '{}' } : { status: 200, text: '{"items":[],"nextPageToken":"next"}' };
    const cookie = await t.cookieOf('admin');
    const rows = await recorded(() => t.call('GET', '/api/payments.csv', { cookie }).catch(() => undefined));
    expect(rows.map(({ kind, status, after }) => [kind, status, after])).toEqual([
      ['ASKED', null, { filter: {} }],
      ['ANSWERED', 503, { rows: 0, isComplete: false }],
    ]);
  });
});
