import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cookiesOf, startTestConsole, type TestConsole } from '../../test/app.ts';

let t: TestConsole;
let strict: TestConsole;
beforeAll(async () => {
  t = await startTestConsole();
  strict = await startTestConsole({ secondFactor: 'required' });
});
afterAll(async () => {
  await t.close();
  await strict.close();
});

/** RFC 6238 with the usual SHA-1, six digits and half a minute. */
function codeOf(secret: string, now = Date.now()): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Sets up a second factor; the key and the codes on paper. */
async function enrol(
  console: TestConsole,
  cookie: string,
): Promise<{ secret: string; codes: string[]; cookie: string }> {
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
    await t.rows(
      `update sessions set expires_at = now() + interval '5 minutes', updated_at = now() - interval '25 minutes'`,
    );
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
    const whole = await verify(codeOf(secret));
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
    const stored = JSON.stringify([
      await strict.rows('select * from second_factors'),
      await strict.rows('select * from accounts'),
    ]);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(strict.password);
  });
});
