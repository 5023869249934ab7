import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cookiesOf, startTestConsole, type TestConsole } from '../../test/app.ts';

let t: TestConsole;
let admin: string;
beforeAll(async () => {
  t = await startTestConsole();
  admin = await t.cookieOf('admin');
});
afterAll(() => t.close());

const person = (login: string, role = 'support') => ({ login, name: 'New Person', role, signIn: 'password' });
const create = (login: string) => t.call('POST', '/api/operators', { cookie: admin, body: person(login) });
const change = (login: string, what: string, body?: unknown) =>
  t.call('POST', `/api/operators/${login}/${what}`, { cookie: admin, ...(body === undefined ? {} : { body }) });

describe('operators', () => {
  it('201: somebody new, with a first password that works', async () => {
    const made = await create('New@example.com');
    expect([made.status, made.body['login'], made.body['role']]).toEqual([201, 'new@example.com', 'support']);
    expect((await t.signIn('new@example.com', String(made.body['password']))).status).toBe(200);
  });

  it('400 for a login that is taken, no address, or a role that is none', async () => {
    await create('twice@example.com');
    expect((await create('twice@example.com')).status).toBe(400);
    expect((await create('nobody')).status).toBe(400);
    const body = person('other@example.com', 'god');
    expect((await t.call('POST', '/api/operators', { cookie: admin, body })).status).toBe(400);
  });

  it('another role and being disabled hold at once: every session ends', async () => {
    const made = await create('leaver@example.com');
    const signIn = () => t.signIn('leaver@example.com', String(made.body['password']));
    const first = cookiesOf(await signIn());
    expect((await change('leaver@example.com', 'role', { role: 'finance' })).body['role']).toBe('finance');
    expect((await t.call('GET', '/api/session', { cookie: first })).status).toBe(401);
    const second = cookiesOf(await signIn());
    await change('leaver@example.com', 'disable');
    expect((await t.call('GET', '/api/session', { cookie: second })).status).toBe(401);
    expect((await signIn()).status).toBe(403);
    await change('leaver@example.com', 'enable');
    expect((await signIn()).status).toBe(200);
  });

  it('403 for one’s own account, 404 for nobody’s and for what is no change', async () => {
    expect((await change('admin@example.com', 'role', { role: 'finance' })).status).toBe(403);
    expect((await change('nobody@example.com', 'disable')).status).toBe(404);
    await create('known@example.com');
    expect((await change('known@example.com', 'promote')).status).toBe(404);
  });

  it('leaves before and after in the trail, and never a password', async () => {
    const made = await create('trail@example.com');
    await change('trail@example.com', 'role', { role: 'finance' });
    const rows = await t.rows('select operator, before, after from audit where subject_id = $1 order by position', [
      'trail@example.com',
    ]);
    expect(rows).toEqual([
      { operator: 'admin@example.com', before: null, after: expect.objectContaining({ role: 'support' }) },
      {
        operator: 'admin@example.com',
        before: expect.objectContaining({ role: 'support' }),
        after: expect.objectContaining({ role: 'finance' }),
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(String(made.body['password']));
  });
});
