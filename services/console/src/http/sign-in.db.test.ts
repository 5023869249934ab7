import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cookiesOf, startTestConsole, type TestConsole } from '../../test/app.ts';
import { codeOf } from '../../test/one-time-code.ts';
import { reencryptSecondFactors } from '../use-cases/reencrypt-second-factors.ts';

let t: TestConsole;
let strict: TestConsole;
beforeAll(async () => {
  t = await startTestConsole();
  strict = await startTestConsole({ secondFactor: 'required' });
});
// All calls come from one address, which has its own limit.
beforeEach(() => t.rows('delete from rate_limits'));
afterAll(async () => {
  await t.close();
  await strict.close();
});

/** A code of the next half minute: an unused one is as valid as the current one. */
const nextCodeOf = (secret: string) => codeOf(secret, Date.now() + 30_000);

/** Sets up a second factor; returns the key and the backup codes. */
async function enrol(console: TestConsole, cookie: string): Promise<{ secret: string; codes: string[]; cookie: string }> {
  const enabled = await console.call('POST', '/api/auth/two-factor/enable', {
    cookie,
    body: { password: console.password },
  });
  const secret = new URL(String(enabled.body['totpURI'])).searchParams.get('secret') ?? '';
  const verified = await console.call('POST', '/api/auth/two-factor/verify-totp', {
    cookie,
    body: { code: codeOf(secret) },
  });
  if (verified.status !== 200) throw new Error(`not enrolled: ${verified.text}`);
  return { secret, codes: enabled.body['backupCodes'] as string[], cookie: cookiesOf(verified) };
}

describe('signing in', () => {
  it('opens a session by login and password, in a cookie that no script reads', async () => {
    const answer = await t.signIn('finance@example.com');
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join()).toMatch(/HttpOnly; SameSite=Lax/);
    const session = await t.call('GET', '/api/session', { cookie: cookiesOf(answer) });
    expect(session.body).toMatchObject({ login: 'finance@example.com', role: 'finance', mustSetUpSecondFactor: false });
  });

  it('tells a wrong password and an unknown login in the same words', async () => {
    const answers = [await t.signIn('finance@example.com', 'wrong password'), await t.signIn('nobody@example.com')];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  it.each([
    ['POST', '/api/auth/sign-up/email'],
    ['POST', '/api/auth/update-user'],
    ['POST', '/api/auth/change-email'],
    ['POST', '/api/auth/delete-user'],
    ['POST', '/api/auth/request-password-reset'],
    ['GET', '/api/auth/list-sessions'],
    ['GET', '/api/auth/get-session'],
  ])('404 for %s %s: nobody registers or renames himself', async (method, path) => {
    const body = { email: 'new@example.com', password: 'a long password', name: 'New', role: 'admin' };
    const cookie = await t.cookieOf('support');
    expect((await t.call(method, path, { cookie, ...(method === 'POST' ? { body } : {}) })).status).toBe(404);
  });

  it('ends the session with the sign-out', async () => {
    const cookie = cookiesOf(await t.signIn('operator@example.com'));
    expect((await t.call('POST', '/api/auth/sign-out', { cookie, body: {} })).status).toBe(200);
    expect((await t.call('GET', '/api/session', { cookie })).status).toBe(401);
  });

  it('ends the session after half an hour without a request, and after ten hours in any case', async () => {
    const idle = cookiesOf(await t.signIn('operator@example.com'));
    await t.rows(`update sessions set expires_at = now() - interval '1 second'`);
    expect((await t.call('GET', '/api/session', { cookie: idle })).status).toBe(401);
    const busy = cookiesOf(await t.signIn('operator@example.com'));
    await t.rows(`update sessions set created_at = now() - interval '10 hours 1 second'`);
    expect((await t.call('GET', '/api/session', { cookie: busy })).status).toBe(401);
  });

  it('moves the end of the session with requests', async () => {
    const cookie = cookiesOf(await t.signIn('operator@example.com'));
    await t.rows(`update sessions set expires_at = now() + interval '5 minutes', updated_at = now() - interval '25 minutes'`);
    const answer = await t.call('GET', '/api/session', { cookie });
    expect(answer.headers.getSetCookie().join()).toContain('Max-Age=1800');
    const [row] = await t.rows(`select max(expires_at) > now() + interval '29 minutes' as moved from sessions`);
    expect(row).toEqual({ moved: true });
  });

  it.each([['POST'], ['PUT']])('403 for a %s from another page, or from none', async (method) => {
    const cookie = await t.cookieOf('admin');
    for (const origin of ['http://evil.test', 'http://console.test.evil.test', 'null', null]) {
      const path = method === 'PUT' ? '/api/gateway/partners/p/rate-limit' : '/api/gateway/partners';
      expect((await t.call(method, path, { cookie, origin, body: {} })).status).toBe(403);
    }
  });
});

describe('the second factor', () => {
  it('is asked for once it is set up; the code is good, a wrong one is not, one on paper works once', async () => {
    const login = 'support@example.com';
    const { secret, codes } = await enrol(t, cookiesOf(await t.signIn(login)));
    const half = await t.signIn(login);
    expect(half.body['twoFactorRedirect']).toBe(true);
    const cookie = cookiesOf(half);
    expect((await t.call('GET', '/api/session', { cookie })).status).toBe(401);
    const verify = (code: string) => t.call('POST', '/api/auth/two-factor/verify-totp', { cookie, body: { code } });
    const wrong = codeOf(secret) === '000000' ? '111111' : '000000';
    expect((await verify(wrong)).status).toBe(401);
    const whole = await verify(nextCodeOf(secret));
    expect(whole.status).toBe(200);
    expect((await t.call('GET', '/api/session', { cookie: cookiesOf(whole) })).body).toMatchObject({
      hasSecondFactor: true,
    });

    const onPaper = async () => {
      const again = cookiesOf(await t.signIn(login));
      return t.call('POST', '/api/auth/two-factor/verify-backup-code', { cookie: again, body: { code: codes[0] } });
    };
    expect([(await onPaper()).status, (await onPaper()).status]).toEqual([200, 401]);
  });

  it('401: M3: takes no code twice, and none from before one that was taken', async () => {
    const login = 'operator@example.com';
    const { secret } = await enrol(t, cookiesOf(await t.signIn(login)));
    const signInWith = async (code: string) => {
      const cookie = cookiesOf(await t.signIn(login));
      return (await t.call('POST', '/api/auth/two-factor/verify-totp', { cookie, body: { code } })).status;
    };
    const code = nextCodeOf(secret);
    expect([await signInWith(code), await signInWith(code)]).toEqual([200, 401]);
    await t.rows('delete from rate_limits');
    expect(await signInWith(codeOf(secret))).toBe(401);
  });

  it('401: M3: of ten sign-ins at once with one code, one is taken', async () => {
    const login = 'finance@example.com';
    const { secret } = await enrol(t, cookiesOf(await t.signIn(login)));
    const code = nextCodeOf(secret);
    const pending = [];
    for (let index = 0; index < 10; index += 1) pending.push(cookiesOf(await t.signIn(login)));
    await t.rows('delete from rate_limits');
    const answers = await Promise.all(
      pending.map((cookie) => t.call('POST', '/api/auth/two-factor/verify-totp', { cookie, body: { code } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('400 VALIDATION_FAILED: M3: trusts no device', async () => {
    const cookie = cookiesOf(await t.signIn('support@example.com'));
    for (const path of ['verify-totp', 'verify-backup-code']) {
      const body = { code: '000000', trustDevice: true };
      const answer = await t.call('POST', `/api/auth/two-factor/${path}`, { cookie, body });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('trustDevice')]);
    }
    expect(await t.rows(`select 1 from verifications where identifier like 'trust-device-%'`)).toEqual([]);
  });

  it('where it is required: nothing but setting it up before, everything after', async () => {
    const cookie = cookiesOf(await strict.signIn('finance@example.com'));
    const before = await strict.call('GET', '/api/session', { cookie });
    expect(before.body).toMatchObject({ mustSetUpSecondFactor: true });
    expect((await strict.call('GET', '/api/withdrawals/withdrawals', { cookie })).status).toBe(403);
    const enrolled = await enrol(strict, cookie);
    const after = await strict.call('GET', '/api/withdrawals/withdrawals', { cookie: enrolled.cookie });
    expect(after.status).toBe(200);
  });

  it('keeps no secret or password as it is', async () => {
    const { secret } = await enrol(strict, cookiesOf(await strict.signIn('operator@example.com')));
    const stored = JSON.stringify([await strict.rows('select * from second_factors'), await strict.rows('select * from accounts')]);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(strict.password);
  });
});

describe('AUTH_SECRET is changed (L6)', () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await startTestConsole();
  });
  afterAll(() => console.close());

  it('nobody is signed out, and codes of the app and on paper stay good, while both are named and after (L6)', async () => {
    const login = 'finance@example.com';
    const [a, b] = [console.authSecret, randomBytes(32).toString('base64')];
    const { secret, codes, cookie } = await enrol(console, cookiesOf(await console.signIn(login)));
    const whoIs = async (shown: string) => (await console.call('GET', '/api/session', { cookie: shown })).status;
    /** Both steps of a sign-in, with the console changed in between, as it is during a restart. */
    const signInBy = async (path: string, code: string, between = () => Promise.resolve()) => {
      await console.rows('delete from rate_limits');
      const pending = cookiesOf(await console.signIn(login));
      await between();
      return console.call('POST', `/api/auth/two-factor/${path}`, { cookie: pending, body: { code } });
    };
    const later = (halfMinutes: number) => codeOf(secret, Date.now() + halfMinutes * 30_000);

    // Step 1: the new secret is configured everywhere, but not used yet.
    await console.restartWith({ current: a, previous: b });
    expect(await whoIs(cookie)).toBe(200);
    // Step 2: it is used, and the old one is still valid, even in the middle of a sign-in.
    const swapped = await signInBy('verify-totp', later(1), () => console.restartWith({ current: b, previous: a }));
    expect([swapped.status, await whoIs(cookie)]).toEqual([200, 200]);
    expect((await signInBy('verify-backup-code', String(codes[0]))).status).toBe(200);
    // A replica that is still at step 1 accepts a session from one that is not.
    await console.restartWith({ current: a, previous: b });
    expect(await whoIs(cookiesOf(swapped))).toBe(200);
    // Step 3: everything uses the new one; any other secret is worthless.
    await console.restartWith({ current: b, previous: a });
    expect(await reencryptSecondFactors(console.db, { current: b, previous: a })).toBe(1);
    await console.restartWith({ current: b, previous: undefined });
    expect([await whoIs(cookiesOf(swapped)), await whoIs(cookie)]).toEqual([200, 401]);
    expect((await signInBy('verify-backup-code', String(codes[1]))).status).toBe(200);
    await console.restartWith({ current: randomBytes(32).toString('base64'), previous: a });
    expect(await whoIs(cookiesOf(swapped))).toBe(401);
  });
});

describe('a first password (S4)', () => {
  it('403 FORBIDDEN: S4: is good for nothing but choosing another one', async () => {
    const first = await t.makeOperator('first@example.com', 'finance');
    const cookie = cookiesOf(await t.signIn('first@example.com', first));
    const session = await t.call('GET', '/api/session', { cookie });
    expect(session.body).toMatchObject({ mustChangePassword: true });
    expect((await t.call('GET', '/api/withdrawals/withdrawals', { cookie })).status).toBe(403);
    const enable = await t.call('POST', '/api/auth/two-factor/enable', { cookie, body: { password: first } });
    expect(enable.status).toBe(403);

    const change = (newPassword: string) =>
      t.call('POST', '/api/auth/change-password', { cookie, body: { currentPassword: first, newPassword } });
    expect((await change(first)).status).toBe(400);
    const changed = await change('my own long password');
    expect(changed.status).toBe(200);
    const after = cookiesOf(changed);
    expect((await t.call('GET', '/api/withdrawals/withdrawals', { cookie: after })).status).toBe(200);
    // The session that began with the first password ended with it.
    expect((await t.call('GET', '/api/session', { cookie })).status).toBe(401);
    expect((await t.signIn('first@example.com', first)).status).toBe(401);
  });

  it('403: S4: is over after 72 hours', async () => {
    const first = await t.makeOperator('unused@example.com');
    const overIn = (interval: string) =>
      t.rows(`update operators set first_password_until = clock_now() + interval '${interval}' where email = 'unused@example.com'`);
    const [row] = await t.rows(
      `select extract(epoch from first_password_until - clock_now()) > 71.9 * 3600 as long from operators
        where email = 'unused@example.com'`,
    );
    expect(row).toEqual({ long: true });
    await overIn('0 seconds');
    expect((await t.signIn('unused@example.com', first)).status).toBe(403);
    await overIn('1 minute');
    expect((await t.signIn('unused@example.com', first)).status).toBe(200);
  });
});

describe('guessing passwords (M3)', () => {
  let guarded: TestConsole;
  beforeAll(async () => {
    guarded = await startTestConsole();
  });
  beforeEach(() => guarded.rows('delete from rate_limits'));
  afterAll(() => guarded.close());

  const login = 'finance@example.com';
  const wrong = (whose = login) => guarded.signIn(whose, 'not the password');
  const signInFrom = async (cookie: string, email: string, password: string) => {
    await guarded.rows('delete from rate_limits');
    return guarded.call('POST', '/api/auth/sign-in/email', { cookie, body: { email, password } });
  };
  const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();
  const minutes = async (whose = login) => {
    const [row] = await guarded.rows(
      `select round(extract(epoch from locked_until - last_failed_at) / 60)::int as minutes from sign_in_failures
        join operators on operators.id = operator_id where email = $1`,
      [whose],
    );
    return row?.['minutes'] ?? null;
  };
  const lockIsOver = () => guarded.rows(`update sign_in_failures set locked_until = clock_now() where locked_until is not null`);

  it('429: M3: locks the account, and nobody else of the same address', async () => {
    for (let index = 0; index < 5; index += 1) expect((await wrong()).status).toBe(401);
    const locked = await guarded.signIn(login);
    expect([locked.status, Number(locked.headers.get('retry-after')) > 50]).toEqual([429, true]);
    expect((await guarded.signIn('operator@example.com')).status).toBe(200);
  });

  it('each further failure locks for twice as long, up to half an hour; the right password forgets them (M3)', async () => {
    const seen: unknown[] = [await minutes()];
    for (let index = 0; index < 7; index += 1) {
      await lockIsOver();
      await wrong();
      seen.push(await minutes());
    }
    expect(seen).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    await lockIsOver();
    expect((await guarded.signIn(login)).status).toBe(200);
    expect(await guarded.rows('select 1 from sign_in_failures join operators on operators.id = operator_id')).toEqual([]);
    expect((await wrong()).status).toBe(401);
  });

  it('429: M3: of twenty at once no more are looked at than of twenty after each other', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => wrong('support@example.com')));
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(5);
  });

  it('200: strangers who know a login lock out strangers, not the browser where its owner has signed in (N7)', async () => {
    await guarded.rows('delete from sign_in_failures');
    const cookie = cookiesOf(await guarded.signIn(login));
    for (let index = 0; index < 6; index += 1) await wrong();
    expect((await guarded.signIn(login)).status).toBe(429);
    expect((await signInFrom(cookie, login, guarded.password)).status).toBe(200);
    // Whoever sits there is locked as strangers are, and strangers stay locked whatever happens there.
    const there = [];
    for (let index = 0; index < 6; index += 1) there.push((await signInFrom(cookie, login, 'not it')).status);
    expect(there).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await guarded.signIn(login)).status).toBe(429);
    // It is no key to another login.
    for (let index = 0; index < 6; index += 1) await signInFrom(cookie, 'support@example.com', 'not it');
    expect((await guarded.signIn('support@example.com')).status).toBe(429);
  });

  it('429: a browser becomes known with all factors only, and a forged cookie is none (N7)', async () => {
    await guarded.rows('delete from sign_in_failures');
    await guarded.rows('delete from rate_limits');
    const failed = await wrong();
    expect(failed.headers.getSetCookie().filter((one) => one.startsWith('known_browser'))).toEqual([]);
    const known = (await guarded.signIn(login)).headers.getSetCookie().filter((one) => one.startsWith('known_browser'));
    expect(known).toEqual([
      expect.stringMatching(/^known_browser=[0-9a-f]{32}\.[0-9a-f]{64}; Max-Age=15552000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/),
    ]);
    for (let index = 0; index < 6; index += 1) await wrong();
    const forged = known[0]?.split(';')[0]?.replace(/.$/, (last) => (last === '0' ? '1' : '0')) ?? '';
    expect((await signInFrom(forged, login, guarded.password)).status).toBe(429);
  });

  it('429: M3: a login that is nobody’s is locked in the same way', async () => {
    const answers = [];
    for (let index = 0; index < 6; index += 1) answers.push(await wrong('nobody@example.com'));
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(JSON.stringify(await guarded.rows('select * from sign_in_failures'))).not.toContain('nobody');
  });

  const post = async (path: string, cookie: string, body: object) => {
    // The library's own limit per address is narrower here.
    await guarded.rows('delete from rate_limits');
    return guarded.call('POST', `/api/auth/${path}`, { cookie, body });
  };
  const own = (path: string) => (password: string, cookie: string) => post(`two-factor/${path}`, cookie, { password });
  const changeTo = (newPassword: string) => (currentPassword: string, cookie: string) =>
    post('change-password', cookie, { currentPassword, newPassword });
  it.each([
    ['change-password', changeTo('another long password')],
    ['two-factor/enable', own('enable')],
    ['two-factor/generate-backup-codes', own('generate-backup-codes')],
    ['two-factor/disable', own('disable')],
  ])('429: M3: wrong passwords typed in a session at %s lock the account as at a sign-in, and are on record', async (_path, ask) => {
    const whose = 'support@example.com';
    await guarded.rows('delete from sign_in_failures');
    const cookie = cookiesOf(await guarded.signIn(whose));
    const [last] = await guarded.rows('select coalesce(max(position), 0) as position from audit');
    const answers = [];
    for (let index = 0; index < 7; index += 1) answers.push(await ask('not the password', cookie));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429, 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(50);
    // Locked means locked: neither a correct password there nor one at sign-in is checked.
    expect([(await ask(guarded.password, cookie)).status, (await signInFrom(cookie, whose, guarded.password)).status]).toEqual([429, 429]);
    const rows = await guarded.rows(`select operator, kind, status from audit where position > $1 order by position`, [last?.['position']]);
    const told = (kind: string) => rows.filter((row) => row['kind'] === kind).map(({ operator, status }) => [operator, status]);
    expect([told('ASKED'), told('ANSWERED')]).toEqual([Array(5).fill([whose, null]), Array(5).fill([whose, 400])]);
  });

  it('in a session too the right password forgets the wrong ones, and a new one that is no good is no wrong one (M3)', async () => {
    const whose = 'support@example.com';
    await guarded.rows('delete from sign_in_failures');
    const cookie = cookiesOf(await guarded.signIn(whose));
    const failures = async () => (await guarded.rows('select failures from sign_in_failures')).map((row) => row['failures']);
    const enable = own('enable');
    for (let index = 0; index < 3; index += 1) await enable('not the password', cookie);
    expect([(await changeTo('short')(guarded.password, cookie)).status, await failures()]).toEqual([400, [3]]);
    expect([(await enable(guarded.password, cookie)).status, await failures()]).toEqual([200, []]);
  });

  it('200: M3: an administrator unlocks, alone and on record', async () => {
    for (let index = 0; index < 5; index += 1) await wrong('operator@example.com');
    expect((await guarded.signIn('operator@example.com')).status).toBe(429);
    const cookie = await guarded.cookieOf('admin');
    expect((await guarded.call('POST', '/api/operators/operator@example.com/unlock', { cookie })).status).toBe(200);
    expect((await guarded.signIn('operator@example.com')).status).toBe(200);
    expect(
      await guarded.rows(`select operator from audit where subject_id = 'operator@example.com' and action = 'operators.manage'`),
    ).toEqual([{ operator: 'admin@example.com' }]);
  });
});
