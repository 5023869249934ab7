import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultsOfOddReads } from '../../../../packages/contract/test/odd-values.ts';
import { startTestConsole, type TestConsole } from '../../test/app.ts';
import { AuditQuery } from './list-audit.ts';

let t: TestConsole;
let admin: string;
beforeAll(async () => {
  t = await startTestConsole();
  admin = await t.cookieOf('admin');
});
afterAll(() => t.close());

it.each(['/api/audit', '/api/audited-actions', '/api/audited-actions.csv'])(
  'what PostgreSQL cannot keep is 400 with its name: %s (K1)',
  async (path) => {
    const ask = (target: string) => t.call('GET', target, { cookie: admin });
    expect(await faultsOfOddReads([{ method: 'get', path, query: AuditQuery }], ask)).toEqual([]);
  },
);

it('a plus that means a blank is named in the audit log too (K6)', async () => {
  const { status, body } = await t.call('GET', '/api/audit?from=2026-01-01T00:00:00+03:00', { cookie: admin });
  expect([status, body['details']]).toEqual([400, [{ field: 'from', message: expect.stringContaining('%2B') }]]);
});

describe('a name in a path that no id can be is 404, and no row of the audit log (K1)', () => {
  const long = Array.from({ length: 3_000 }, (_none, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000)))
    .join('')
    .slice(0, 1_000);
  it.each([
    ['POST', `/api/gateway/partners/${encodeURIComponent(long)}/keys`],
    ['POST', `/api/operators/${encodeURIComponent(long)}/disable`],
    ['POST', `/api/sessions/${encodeURIComponent(long)}/end`],
    ['POST', `/api/account-changes/${encodeURIComponent(long)}/confirm`],
    ['POST', '/api/gateway/partners/a%00b/keys'],
    ['POST', '/api/gateway/partners/%FF/keys'],
  ])('%s %.60s', async (method, path) => {
    const { status } = await t.call(method, path, { cookie: admin, body: { publicKey: 'x' } });
    expect([400, 404]).toContain(status);
  });
});
