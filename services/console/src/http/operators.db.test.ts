import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashPassword } from 'better-auth/crypto';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { cookiesOf, SECOND_ADMIN, startTestConsole, type Answer, type TestConsole } from '../../test/app.ts';
import { notIndependentOf } from '../db/account-changes.ts';
import type { Role } from '@pay/shared/operators/roles.ts';
import { seedOperators } from '../use-cases/seed-operators.ts';

const ADMIN = 'admin@example.com';
let t: TestConsole;
let database: Database;
let admin: string;
let second: string;
beforeAll(async () => {
  t = await startTestConsole();
  database = openDatabase({ url: t.databaseUrl, applicationName: 'operators-test', onIdleError: () => undefined });
  admin = await t.cookieOf('admin');
  second = await t.secondAdmin();
});
afterAll(async () => {
  await database.close();
  await t.close();
});

const person = (login: string, role: string, signIn = 'password') => ({ login, name: 'New Person', role, signIn });
const propose = (login: string, role = 'support', cookie = admin) =>
  t.call('POST', '/api/operators', { cookie, body: person(login, role) });
const change = (login: string, what: string, body?: unknown, cookie = admin) =>
  t.call('POST', `/api/operators/${login}/${what}`, { cookie, ...(body === undefined ? {} : { body }) });
const decide = (proposed: Answer, decision: 'confirm' | 'reject', cookie = second) =>
  t.call('POST', `/api/account-changes/${String(proposed.body['id'])}/${decision}`, { cookie });
const roleOf = async (login: string) => (await t.rows('select role from operators where email = $1', [login]))[0]?.['role'];

/** An operator who exists from the start, as the seed creates them; returns their cookie. */
async function seeded(login: string, role: Role): Promise<string> {
  await seedOperators(database.db, [{ login, name: login, role, password: t.password }], hashPassword);
  return cookiesOf(await t.signIn(login));
}

/** The logins whose decisions are not independent of this operator's. */
async function dependsOn(login: string): Promise<readonly string[]> {
  const [row] = await t.rows('select id from operators where email = $1', [login]);
  return notIndependentOf(database.db, String(row?.['id']));
}

describe('accounts are changed by two administrators (S4)', () => {
  it('201: S4: one administrator alone makes nobody, and is told no password', async () => {
    const proposed = await propose('Puppet@example.com', 'finance');
    expect([proposed.status, proposed.body['status'], proposed.body['login']]).toEqual([201, 'PROPOSED', 'puppet@example.com']);
    expect(proposed.body).not.toHaveProperty('password');
    expect(await roleOf('puppet@example.com')).toBeUndefined();
  });

  it('403 FORBIDDEN: S4: the one who proposed it does not confirm it', async () => {
    const proposed = await propose('own@example.com');
    expect((await decide(proposed, 'confirm', admin)).status).toBe(403);
    expect(await roleOf('own@example.com')).toBeUndefined();
  });

  it('200: S4: another administrator confirms, and is told a first password that works', async () => {
    const confirmed = await decide(await propose('new@example.com'), 'confirm');
    expect([confirmed.status, confirmed.body['status'], confirmed.body['decidedBy']]).toEqual([200, 'CONFIRMED', SECOND_ADMIN]);
    expect((await t.signIn('new@example.com', String(confirmed.body['password']))).status).toBe(200);
  });

  it('another role, enabling, and a reset factor take effect with the confirmation; every session ends (S4)', async () => {
    const cookie = await seeded('leaver@example.com', 'support');
    const role = await change('leaver@example.com', 'role', { role: 'finance' });
    expect([role.status, await roleOf('leaver@example.com')]).toEqual([201, 'support']);
    expect((await t.call('GET', '/api/session', { cookie })).status).toBe(200);
    expect((await decide(role, 'confirm')).status).toBe(200);
    expect(await roleOf('leaver@example.com')).toBe('finance');
    expect((await t.call('GET', '/api/session', { cookie })).status).toBe(401);

    expect((await change('leaver@example.com', 'disable')).status).toBe(200);
    expect((await t.signIn('leaver@example.com')).status).toBe(403);
    const enable = await change('leaver@example.com', 'enable');
    expect((await t.signIn('leaver@example.com')).status).toBe(403);
    await decide(enable, 'confirm');
    expect((await t.signIn('leaver@example.com')).status).toBe(200);

    await t.rows(`update operators set two_factor_enabled = true where email = 'leaver@example.com'`);
    await t.rows(
      `insert into passkeys (id, operator_id, public_key, credential_id, counter, device_type, backed_up)
        select 'p1', id, 'x', 'x', 0, 'singleDevice', false from operators where email = 'leaver@example.com'`,
    );
    const reset = await change('leaver@example.com', 'reset-second-factor');
    expect((await t.signIn('leaver@example.com')).body['twoFactorRedirect']).toBe(true);
    await decide(reset, 'confirm');
    expect((await t.signIn('leaver@example.com')).body['twoFactorRedirect']).toBeUndefined();
    expect(await t.rows('select 1 from passkeys')).toEqual([]);
  });

  it('a new password replaces the old one and is a first one (S4)', async () => {
    await seeded('forgetful@example.com', 'support');
    const confirmed = await decide(await change('forgetful@example.com', 'new-password'), 'confirm');
    expect((await t.signIn('forgetful@example.com')).status).toBe(401);
    expect((await t.signIn('forgetful@example.com', String(confirmed.body['password']))).status).toBe(200);
  });

  it('403 FORBIDDEN: S4: nobody proposes or confirms what is about himself', async () => {
    const third = await seeded('carl@example.com', 'admin');
    expect((await change(ADMIN, 'role', { role: 'finance' })).status).toBe(403);
    const proposed = await change('carl@example.com', 'role', { role: 'finance' });
    expect((await decide(proposed, 'confirm', third)).status).toBe(403);
    expect((await decide(proposed, 'reject', third)).status).toBe(200);
  });

  it('403 FORBIDDEN: S4: who was made by somebody confirms nothing of his for 24 hours, and then does', async () => {
    await seeded('puppet-admin@example.com', 'support');
    await decide(await change('puppet-admin@example.com', 'role', { role: 'admin' }), 'confirm');
    const puppet = cookiesOf(await t.signIn('puppet-admin@example.com'));
    const proposed = await propose('puppets-puppet@example.com', 'finance');
    expect((await decide(proposed, 'confirm', puppet)).status).toBe(403);
    const puppets = await propose('puppets-own@example.com', 'finance', puppet);
    expect((await decide(puppets, 'confirm', admin)).status).toBe(403);
    await t.rows(`update account_changes set decided_at = decided_at - interval '24 hours 1 second'`);
    expect((await decide(proposed, 'confirm', puppet)).status).toBe(200);
  });

  it('403 FORBIDDEN: S4: what somebody proposed who is no administrator any more is not confirmed', async () => {
    const dora = await seeded('dora@example.com', 'admin');
    const proposed = await propose('doras@example.com', 'finance', dora);
    await change('dora@example.com', 'disable');
    expect((await decide(proposed, 'confirm')).status).toBe(403);
  });

  it('409 STALE_REVISION: S4: of two who decide at once, one does', async () => {
    const third = await seeded('erik@example.com', 'admin');
    const proposed = await propose('once@example.com');
    const answers = await Promise.all([decide(proposed, 'confirm'), decide(proposed, 'confirm', third), decide(proposed, 'reject', third)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('409 STALE_REVISION: S4: a proposal is over after 24 hours, and is made anew', async () => {
    const proposed = await propose('late@example.com');
    await t.rows(`update account_changes set expires_at = clock_now() where login = 'late@example.com'`);
    const { status, body } = await decide(proposed, 'confirm');
    expect([status, body['current']]).toEqual([409, expect.objectContaining({ status: 'EXPIRED' })]);
    expect(await roleOf('late@example.com')).toBeUndefined();
    expect((await propose('late@example.com')).status).toBe(201);
  });

  it('409 STALE_REVISION: S4: one proposal an account at a time', async () => {
    const proposed = await propose('twice@example.com');
    expect((await propose('twice@example.com', 'admin')).status).toBe(409);
    await decide(proposed, 'reject');
    expect((await propose('twice@example.com', 'admin')).status).toBe(201);
  });

  it('the service’s own role cannot write a confirmation by one person, or take rows away (S4)', async () => {
    await propose('constraint@example.com');
    const alone = `update account_changes set status = 'CONFIRMED', decided_by = proposed_by, decided_at = now()`;
    await expect(t.rows(`${alone} where login = 'constraint@example.com'`)).rejects.toThrow('two_people');
    await expect(t.rows('delete from account_changes')).rejects.toThrow('permission denied');
  });

  it('400 for a login that is taken, no address, a role that is none, and what would change nothing', async () => {
    expect((await propose('finance@example.com')).status).toBe(400);
    expect((await propose('nobody')).status).toBe(400);
    expect((await propose('other@example.com', 'god')).status).toBe(400);
    expect((await change('finance@example.com', 'role', { role: 'finance' })).status).toBe(400);
    expect((await change('finance@example.com', 'enable')).status).toBe(400);
  });

  it('404 for nobody’s account, for what is no change, and for a proposal that there is not', async () => {
    expect((await change('nobody@example.com', 'disable')).status).toBe(404);
    expect((await change('nobody@example.com', 'enable')).status).toBe(404);
    expect((await change('finance@example.com', 'promote')).status).toBe(404);
    expect((await t.call('POST', '/api/account-changes/none/confirm', { cookie: second })).status).toBe(404);
  });

  it('leaves both people, before and after in the audit log, and never a password', async () => {
    const confirmed = await decide(await propose('auditor@example.com', 'finance'), 'confirm');
    const rows = await t.rows('select operator, action, after from audit where subject_id = $1 order by position', ['auditor@example.com']);
    expect(rows).toEqual([
      { operator: ADMIN, action: 'operators.manage', after: expect.objectContaining({ status: 'PROPOSED' }) },
      {
        operator: SECOND_ADMIN,
        action: 'operators.confirm',
        after: expect.objectContaining({
          status: 'CONFIRMED',
          proposedBy: ADMIN,
          account: expect.objectContaining({ role: 'finance' }),
        }),
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(String(confirmed.body['password']));
    const { body } = await t.call('GET', '/api/account-changes', { cookie: admin });
    expect(body['items']).toContainEqual(
      expect.objectContaining({ login: 'auditor@example.com', status: 'CONFIRMED', decidedBy: SECOND_ADMIN }),
    );
    expect(JSON.stringify(body)).not.toContain(String(confirmed.body['password']));
  });
});

describe('who is not independent of whom (S4)', () => {
  it('makers and made, and those whom the same people made; for 24 hours (S4)', async () => {
    await t.rows(`update account_changes set decided_at = decided_at - interval '25 hours' where decided_at is not null`);
    const third = await seeded('third@example.com', 'admin');
    for (const login of ['made-1@example.com', 'made-2@example.com']) await decide(await propose(login), 'confirm');
    // By an operator who was created recently: those who did so count too.
    await seeded('made-admin@example.com', 'support');
    await decide(await change('made-admin@example.com', 'role', { role: 'admin' }), 'confirm');
    const madeAdmin = cookiesOf(await t.signIn('made-admin@example.com'));
    await decide(await propose('made-3@example.com', 'support', madeAdmin), 'confirm', third);

    const made = ['made-1@example.com', 'made-2@example.com', 'made-3@example.com', 'made-admin@example.com'];
    expect(await dependsOn('made-1@example.com')).toEqual([ADMIN, SECOND_ADMIN, ...made.slice(1)].sort());
    expect(await dependsOn('made-3@example.com')).toEqual(
      [ADMIN, SECOND_ADMIN, 'third@example.com', ...made.filter((login) => !login.startsWith('made-3'))].sort(),
    );
    expect(await dependsOn(ADMIN)).toEqual(made);
    // Two who created somebody together are still two people.
    expect(await dependsOn(ADMIN)).not.toContain(SECOND_ADMIN);
    expect(await dependsOn('third@example.com')).toEqual(['made-3@example.com']);
    expect(await dependsOn('support@example.com')).toEqual([]);

    await t.rows(`update account_changes set decided_at = decided_at - interval '25 hours' where decided_at is not null`);
    expect(await dependsOn('made-1@example.com')).toEqual([]);
  });

  it('a proposal that nobody confirmed makes nobody dependent (S4)', async () => {
    await decide(await change('support@example.com', 'role', { role: 'finance' }), 'reject');
    expect(await dependsOn('support@example.com')).toEqual([]);
  });
});
