import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMPILE_CACHE } from '../../../tools/testing/process.ts';
import { SECOND_ADMIN, startTestConsole, type TestConsole } from '../test/app.ts';

let t: TestConsole;
beforeAll(async () => {
  t = await startTestConsole();
});
afterAll(() => t.close());

/** Where a pooler would be: the script must not go there. */
const POOLER = 'postgres://console@127.0.0.1:9/pay';

/** Runs the script as people do on the server. */
const appoint = (...logins: readonly string[]) =>
  onServer('administrators.ts', [], JSON.stringify({ administrators: logins.map((login) => ({ login, name: 'An Administrator' })) }));

async function onServer(script: string, given: readonly string[], input = ''): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [new URL(script, import.meta.url).pathname, ...given], {
    env: { ...COMPILE_CACHE, ENVIRONMENT: 'TEST', DATABASE_URL: POOLER, DATABASE_DIRECT_URL: t.databaseUrl },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.end(input);
  const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  return { code: await ended, said };
}

describe('administrators who are all locked out', () => {
  it('are unlocked on the server, on record (N7)', async () => {
    for (let index = 0; index < 6; index += 1) await t.signIn('admin@example.com', 'not the password');
    expect((await t.signIn('admin@example.com')).status).toBe(429);
    expect(await onServer('unlock.ts', ['Admin@example.com'])).toEqual({
      code: 0,
      said: 'admin@example.com is unlocked\n',
    });
    expect((await t.signIn('admin@example.com')).status).toBe(200);
    expect(await t.rows(`select subject_id, after from audit where operator = 'server' order by position`)).toEqual([
      { subject_id: 'admin@example.com', after: expect.objectContaining({ unlocked: true }) },
    ]);
  });
});

describe('the first two administrators', () => {
  it('are made on the server, both at once, and only while fewer than two can sign in (S4)', async () => {
    expect(await appoint('third@example.com')).toEqual({
      code: 1,
      said: expect.stringContaining('two administrators can sign in'),
    });
    await t.rows(`update operators set disabled_at = now() where role = 'admin'`);
    expect(await appoint('alone@example.com')).toEqual({ code: 1, said: expect.stringContaining('pass exactly 2') });
    expect(await t.rows(`select email from operators where email = 'alone@example.com'`)).toEqual([]);

    const { code, said } = await appoint('New@example.com', SECOND_ADMIN);
    expect(code).toBe(0);
    const { administrators } = JSON.parse(said) as { administrators: { login: string; password: string }[] };
    expect(administrators.map(({ login }) => login)).toEqual(['new@example.com', SECOND_ADMIN]);
    for (const { login, password } of administrators) expect((await t.signIn(login, password)).status).toBe(200);
    // The existing one has no other password, and the audit log names both.
    expect((await t.signIn(SECOND_ADMIN)).status).toBe(401);
    const auditLog = await t.rows(
      `select subject_id from audit where operator = 'server' and action = 'operators.confirm' order by position`,
    );
    expect(auditLog.map((row) => row['subject_id'])).toEqual(['new@example.com', SECOND_ADMIN]);
  });
});
